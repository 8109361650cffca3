import Testing
import TideGraph

@testable import TideBindings

@Suite struct LuaFormatTests {
  struct Row: Sendable {
    var pattern: String
    var value: Value
    var text: String

    init(_ pattern: String, _ value: Value, _ text: String) {
      self.pattern = pattern
      self.value = value
      self.text = text
    }
  }

  @Test(
    arguments: [
      Row("%d", 42, "42"), Row("%5d|", 42, "   42|"), Row("%-5d|", 42, "42   |"),
      Row("%05d", 42, "00042"), Row("%+d", 42, "+42"),
      Row("% d", 42, " 42"), Row("%.3d", 7, "007"), Row("%i", -3, "-3"), Row("%d", 3.0, "3"),
      Row("%d", "10", "10"),
      Row("%d", .integer(.min), "-9223372036854775808"), Row("%u", -1, "18446744073709551615"),
      Row("%x", 255, "ff"), Row("%#X", 255, "0XFF"), Row("%o", 8, "10"),
      Row("%x", -1, "ffffffffffffffff"),
      Row("%c", 65, "A"), Row("%3c|", 65, "  A|"), Row("%-3c|", 65, "A  |"),
      Row("%f", 0.5, "0.500000"), Row("%.2f", 3.14159, "3.14"), Row("%8.3f|", 3.14159, "   3.142|"),
      Row("%.0f", 2.5, "2"),
      Row("%f", "2.5", "2.500000"), Row("%f", 2, "2.000000"), Row("%e", 12345.678, "1.234568e+04"),
      Row("%G", 1e-10, "1E-10"),
      Row("%g", 100000, "100000"), Row("%g", 1e20, "1e+20"), Row("%a", 1.0, "0x1p+0"),
      Row("%f", .number(.infinity), "inf"),
      Row("%s", "text", "text"), Row("%s", 50.0, "50.0"), Row("%s", 50, "50"),
      Row("%s", 0.1, "0.1"), Row("%s", true, "true"),
      Row("%s", 1e100, "1e+100"), Row("%s", .number(.infinity), "inf"),
      Row("%10s|", "text", "      text|"), Row("%-10s|", "text", "text      |"),
      Row("%.2s", "text", "te"), Row("%.s|", "text", "|"),
      Row("%q", "a\"b\\c\n\u{0}1\r", "\"a\\\"b\\\\c\\\n\\0001\\13\""), Row("%q", 5, "5"),
      Row("%q", .integer(.min), "0x8000000000000000"),
      Row("%q", 0.5, "0x1p-1"), Row("%q", .number(.infinity), "1e9999"), Row("%q", true, "true"),
      Row("100%%", 1, "100%"), Row("%d%%", 50, "50%"), Row("%.2f €", 2.5, "2.50 €"), Row("", 1, ""),
    ] as [Row])
  func `a value is written as Lua's string format writes it`(row: Row) throws {
    let result = try LuaFormat(row.pattern).apply(to: row.value)
    #expect(result == .string(row.text), "\(row.pattern)")
  }

  @Test(arguments: [
    ("%", "invalid conversion '%' to 'format'"), ("%y", "invalid conversion '%y' to 'format'"),
    ("%F", "invalid conversion '%F' to 'format'"),
    ("%123d", "invalid conversion specification: '%123d'"),
    ("%#d", "invalid conversion specification: '%#d'"),
    ("%.123f", "invalid conversion specification: '%.123f'"),
    ("%0s", "invalid conversion specification: '%0s'"),
    ("%.3c", "invalid conversion specification: '%.3c'"),
    ("%5q", "specifier '%q' cannot have modifiers"),
    ("%d %d", "there is one value only, and \"%d %d\" wants another"),
    ("%5", "invalid conversion '%5' to 'format'"),
    ("%5.5.5f", "invalid conversion specification: '%5.5.5f'"),
  ])
  func `a bad pattern is refused in Lua's words`(pattern: String, message: String) {
    let error = #expect(throws: TideError.self) { try LuaFormat(pattern) }
    #expect(error?.message == "format: " + message)
  }

  @Test(
    arguments: [
      Row("%d", 2.5, "number has no integer representation, got 2.5 (number)"),
      Row("%d", "x", "number expected, got \"x\" (string)"),
      Row("%f", true, "number expected, got true (boolean)"),
      Row("%5s", "a\u{0}b", "string contains zeros, got \"a b\" (string)"),
      Row("%d", .number(1e300), "number has no integer representation, got 1e300 (number)"),
    ] as [Row])
  func `a value that does not fit is refused in Lua's words`(row: Row) throws {
    let format = try LuaFormat(row.pattern)
    let error = #expect(throws: TideError.self) { try format.apply(to: row.value) }
    #expect(error?.message == "format: " + row.text)
  }

  @Test func `the longest of all is written whole`() throws {
    #expect(try LuaFormat("%.99f").apply(to: 1e308).text?.utf8.count == 309 + 1 + 99)
  }

  @Test func `bytes that are no UTF-8 stay bytes`() throws {
    #expect(try LuaFormat("%c").apply(to: 255) == .bytes([255]))
    #expect(try LuaFormat("<%s>").apply(to: .bytes([255])) == .bytes([60, 255, 62]))
  }
}
