import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct ConversionTests {
  final class Described: DescribedObject {
    let describedText = "a described thing"
  }

  @Test(arguments: [
    (Value.integer(33), "33"), (.integer(.min), "-9223372036854775808"), (0.1, "0.1"),
    (.number(50), "50"), (.number(-50), "-50"), (.number(1e15), "1000000000000000"),
    (.number(1e100), "1e100"), (.number(1e-5), "1e-5"), (.number(1.5e-7), "1.5e-7"),
    (.number(.pi), "3.141592653589793"), (.number(0.1 + 0.2), "0.30000000000000004"),
    (.number(.leastNonzeroMagnitude), "5e-324"), (.number(-0.0), "0"), (.number(.nan), "nan"),
    (.number(.infinity), "inf"), (.number(-.infinity), "-inf"), (true, "true"), (false, "false"),
    ("as is", "as is"),
  ])
  func `anything to string is the shortest text that reads back`(value: Value, text: String) throws
  {
    #expect(try value.converted(to: .string) == .string(text))
    if case .number(let number) = value {
      #expect(number.isFinite ? Numeral.parse(text) == value : Numeral.parse(text) == Value?.none)
    }
    if case .integer = value { #expect(Numeral.parse(text) == value) }
  }

  @Test func `random numbers read back from their text`() {
    var random = SeededGenerator("number text")
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      let read = Numeral.parse(Value.text(of: number))
      #expect(number.isFinite ? read == .number(number) : read == Value?.none)
    }
  }

  @Test(arguments: [
    ("250", Value.integer(250)), ("-7", .integer(-7)), ("+7", .integer(7)), (" 12\n", .integer(12)),
    ("2.5", .number(2.5)), ("250.0", .number(250)), ("1e3", .number(1000)), (".5", .number(0.5)),
    ("5.", .number(5)), ("0x10", .integer(16)), ("-0xff", .integer(-255)), ("0x.8", .number(0.5)),
    ("0x1p4", .number(16)), ("0xffffffffffffffff", .integer(-1)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("−5", .integer(-5)),
    ("１２", .integer(12)), ("1'000", .integer(1000)), ("1\u{202f}234.5", .number(1234.5)),
  ])
  func `D8 a string gives the number that its whole trimmed text says`(text: String, number: Value)
    throws
  {
    let converted = try Value.string(text).converted(to: .number)
    #expect(converted == number)
    #expect(converted.typeName == number.typeName)
  }

  @Test(arguments: [
    "", " ", "abc", "12 kg", "1,5", "0x", "1e", ".", "-", "--1", "1 2", "infinity", "NaN", "nan(0)",
    "1_000", "٣", "inf", "-inf", "nan", "1e999", "1'00", "1 000",
  ])
  func `a string that is no number as a whole is a conversion error`(text: String) {
    for type in [ValueType.number, .integer] {
      let error = #expect(throws: TideError.self) { try Value.string(text).converted(to: type) }
      #expect(error?.code == .conversion)
    }
  }

  @Test func `a zero byte does not end a number`() {
    #expect(throws: TideError.self) { try Value.string("12\u{0}").converted(to: .number) }
    #expect(throws: TideError.self) { try Value.string("1.5\u{0}").converted(to: .number) }
  }

  @Test(arguments: [
    ("true", true), ("TRUE", true), ("Yes", true), ("oN", true), ("1", true), ("false", false),
    ("No", false), ("OFF", false), ("0", false),
  ])
  func `boolean words count in any case`(text: String, flag: Bool) throws {
    #expect(try Value.string(text).converted(to: .boolean) == .boolean(flag))
  }

  @Test(arguments: ["", "maybe", "2", "t", "truee", "1.0"])
  func `any other word is no boolean`(text: String) {
    #expect(throws: TideError.self) { try Value.string(text).converted(to: .boolean) }
  }

  @Test func `booleans and numbers give each other`() throws {
    #expect(try Value.boolean(true).converted(to: .number) == .integer(1))
    #expect(try Value.boolean(false).converted(to: .integer) == .integer(0))
    #expect(try Value.number(0).converted(to: .boolean) == false)
    #expect(try Value.number(-0.5).converted(to: .boolean) == true)
    #expect(try Value.integer(2).converted(to: .boolean) == true)
  }

  @Test func `a number becomes an integer only without a fraction`() throws {
    let whole = try Value.number(50).converted(to: .integer)
    #expect(whole.typeName == "integer")
    #expect(whole == 50)
    #expect(try Value.string("5e2").converted(to: .integer) == 500)
    #expect(try Value.number(-0x1p63).converted(to: .integer) == .integer(.min))
    for number in [0.5, 0x1p63, .nan, .infinity] {
      #expect(throws: TideError.self) { try Value.number(number).converted(to: .integer) }
    }
  }

  @Test func `number keeps an integer an integer and a float a float`() throws {
    #expect(try Value.integer(5).converted(to: .number).typeName == "integer")
    #expect(try Value.number(5).converted(to: .number).typeName == "number")
  }

  @Test func `nil stays nil where it may and else becomes the default`() throws {
    #expect(try Value.null.converted(to: .string) == .null)
    #expect(try Value.null.converted(to: .number, isNullable: false, default: 7) == 7)
  }

  @Test func `an object gives its description`() throws {
    #expect(try Value.object(Described()).converted(to: .string) == "a described thing")
    #expect(try Value.object(ValueList(["a"])).converted(to: .string) == "list { \"a\" }")
  }

  @Test func `what stands for nil is converted as nil is`() throws {
    #expect(try Value.object(Marker.null).converted(to: .string) == .null)
    #expect(try Value.object(Marker.null).converted(to: .string, isNullable: false) == "")
  }

  @Test func `only lists become lists and only objects objects`() throws {
    let list = Value.object(ValueList())
    #expect(try list.converted(to: .list) == list)
    #expect(try list.converted(to: .object) == list)
    #expect(throws: TideError.self) { try Value.object(Described()).converted(to: .list) }
    #expect(throws: TideError.self) { try Value.string("x").converted(to: .object) }
    #expect(throws: TideError.self) { try list.converted(to: .number) }
  }

  @Test func `every pair of kinds converts or says why not`() {
    let values: [Value] = [
      nil, true, 1, 0.5, "text", .bytes([0xFF]), .object(Described()), .object(Marker.null),
    ]
    for value in values {
      for type in ValueType.allCases {
        do {
          _ = try value.converted(to: type)
        } catch {
          #expect(error.message.hasPrefix("cannot convert \(value.shown) to \(type.name)"))
        }
      }
    }
  }

  @Test(arguments: [
    (Value.string("abc"), ValueType.number, "cannot convert \"abc\" (string) to number"),
    (0.5, .integer, "cannot convert 0.5 (number) to integer: it has a fraction"),
    (.number(1e300), .integer, "cannot convert 1e300 (number) to integer: it is too large"),
    (
      .string(String(repeating: "x", count: 50) + "\n"), .number,
      "cannot convert \"\(String(repeating: "x", count: 40))…\" (string) to number"
    ),
    (
      "maybe", .boolean,
      "cannot convert \"maybe\" (string) to boolean: expected true, yes, on, 1, false, no, off or 0"
    ),
  ])
  func `the message shows the value and both types`(value: Value, type: ValueType, message: String)
  {
    let error = #expect(throws: TideError.self) { try value.converted(to: type) }
    #expect(error?.message == message)
  }

  @Test func `text that is not UTF-8 stays as it is for a string`() throws {
    #expect(try Value.bytes([0xFF]).converted(to: .string) == .bytes([0xFF]))
  }
}

// Tables of test arguments are handed between threads; the objects in them belong to one test each.
extension Value: @unchecked Sendable {}
extension TransformCall: @unchecked Sendable {}
