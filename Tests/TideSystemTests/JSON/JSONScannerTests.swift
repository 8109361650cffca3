import Foundation
import Fuzzing
import Testing

@testable import TideSystem

@Suite struct `JSON` {
  @Test func `is read token by token`() throws {
    let tokens = try Self.tokens(of: #" {"a" : [1, -2.5, "x", null], "b": {}, "c": true} "#)
    #expect(
      tokens == [
        "{", "key a", "[", "1", "-2.5", "string x", "null", "]", "key b", "{", "}", "key c", "true",
        "}",
      ])
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775808", "9.223372036854776e+18"),
    ("123456789012345678901234567890", "1.2345678901234568e+29"), ("0.1", "0.1"), ("1e3", "1000.0"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"), ("5e-324", "5e-324"), ("1e-400", "0.0"),
    ("-0.0", "-0.0"), ("2.2250738585072011e-308", "2.225073858507201e-308"),
  ])
  func `has the nearest number`(_ text: String, _ number: String) throws {
    #expect(try Self.tokens(of: text) == [number])
  }

  @Test func `numbers are what the standard library makes of them`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      guard number.isFinite else { continue }
      let text = "\(number)"
      guard let token = try Self.tokens(of: text).first else { return }
      #expect(Double(token) == number, "\(text)")
    }
  }

  @Test(arguments: [
    (#""\u00e9\ud83d\ude00é\/\b\f\n\r\t\"\\""#, "é\u{1F600}é/\u{8}\u{c}\n\r\t\"\\"),
    (#""\ud83d""#, "\u{FFFD}"), (#""\udc00\ud83dx""#, "\u{FFFD}\u{FFFD}x"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""""#, ""),
  ])
  func `escapes are undone`(_ text: String, _ content: String) throws {
    #expect(try Self.tokens(of: text) == ["string " + content])
  }

  @Test(arguments: [
    ("", 1, "expected a value, found the end"), ("[1,]", 4, "expected a value, found \"]\""),
    ("{\"a\":1,}", 8, "expected a key in quotation marks, found \"}\""),
    ("{\"a\" 1}", 6, "expected \":\" after the key, found \"1\""),
    ("[1 2]", 4, "expected \",\" or \"]\", found \"2\""),
    ("01", 2, "expected a number without zeros"),
    ("1.", 3, "expected a digit after the point"), ("1e", 3, "expected a digit of the exponent"),
    ("1e999", 1, "expected a number within"), ("nul", 1, "expected a value, found \"n\""),
    ("\"a", 3, "expected the end of the text"), ("\"\\x\"", 3, "expected one of"),
    ("\"\\u12\"", 4, "expected four hexadecimal digits"),
    ("\"\n\"", 2, "expected the end of the text"),
    ("1 2", 3, "expected nothing after the end"), ("[[[[[1]]]]]", 5, "expected fewer levels"),
    ("+1", 1, "expected a value"), ("NaN", 1, "expected a value"), ("]", 1, "expected a value"),
  ])
  func `that is broken says where and why`(_ text: String, _ column: Int, _ message: String) {
    do {
      _ = try Self.tokens(of: text, levels: 4)
      Issue.record("\(text) was read")
    } catch {
      let fault = error as? JSONFault
      #expect(fault?.line == 1 && fault?.column == column, "\(text): \(error)")
      #expect(fault?.message.hasPrefix(message) == true, "\(text): \(error)")
    }
  }

  @Test func `that is no UTF-8 is refused`() {
    let sequences: [[UInt8]] = [
      [0xFF], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0x80], [0xF0, 0x9F, 0x98],
    ]
    for sequence in sequences {
      #expect(throws: JSONFault.self) { try Self.tokens(of: [0x22] + sequence + [0x22]) }
    }
  }

  @Test func `is found broken wherever it is cut`() {
    let bytes = Array(#"{"a":[1,-2.5e-3,"\u00e9\ud83d\ude00漢",null,true],"b":{"c":false}}"#.utf8)
    for end in bytes.indices {
      #expect(throws: JSONFault.self) { try Self.tokens(of: Array(bytes[..<end])) }
    }
  }

  @Test func `pauses in long texts and spaces, and loses nothing`() throws {
    let content = String(repeating: "é\\n漢x", count: 100_000)
    let space = String(repeating: " ", count: 300_000)
    let text = "[\(space)\"\(content)\"\(space),\(space){\(space)\"\(content)\"\(space):\(space)1}]"
    var pauses = 0
    let tokens = try Self.tokens(of: Array(text.utf8), pauses: &pauses)
    let undone = content.replacingOccurrences(of: "\\n", with: "\n")
    #expect(tokens == ["[", "string " + undone, "{", "key " + undone, "1", "}", "]"])
    #expect(pauses > 40)
  }

  @Test func `agrees with Foundation on random texts`() {
    var random = SeededGenerator(seed: 3)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00e9\"", "1", "-", "0", ".5", "e3", "true",
      "null",
      " ", "\n", "\"", "\\", "é",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...9, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
      // Foundation lets a comma stand before the end of a list.
      if text.filter({ !$0.isWhitespace }).contains(/,[\]}]/) { continue }
      let ours = (try? Self.tokens(of: text)) != nil
      let theirs =
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
        != nil
      #expect(ours == theirs, "\(text)")
    }
  }

  private static func tokens(of text: String, levels: Int = 100) throws -> [String] {
    try tokens(of: Array(text.utf8), levels: levels)
  }

  private static func tokens(of bytes: [UInt8], levels: Int = 100) throws -> [String] {
    var pauses = 0
    return try tokens(of: bytes, levels: levels, pauses: &pauses)
  }

  private static func tokens(
    of bytes: [UInt8], levels: Int = 100, pauses: inout Int
  ) throws -> [String] {
    try bytes.withUnsafeBufferPointer { bytes in
      var json = JSONScanner(bytes, levels: levels)
      var tokens: [String] = []
      while true {
        switch try json.next() {
        case .null: tokens.append("null")
        case .boolean(let flag): tokens.append("\(flag)")
        case .integer(let integer): tokens.append("\(integer)")
        case .number(let number): tokens.append("\(number)")
        case .string: tokens.append("string \(json.text)")
        case .key: tokens.append("key \(json.text)")
        case .beginArray: tokens.append("[")
        case .endArray: tokens.append("]")
        case .beginObject: tokens.append("{")
        case .endObject: tokens.append("}")
        case .end: return tokens
        case .pause: pauses += 1
        }
      }
    }
  }
}
