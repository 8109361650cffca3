import Testing
import TideBindings
import TideViews

@Test func `each of the 16 names is a colour and gives its name back`() throws {
  for (number, name) in Color.names.enumerated() {
    #expect(try Color(name) == .ansi(UInt8(number)))
    #expect(try Color(name).description == name)
  }
  #expect(try Color("gray") == Color("brightBlack"))
}

@Test func `three digits are short for six`() throws {
  #expect(try Color("#08f") == .rgb(red: 0, green: 0x88, blue: 0xFF))
  #expect(try Color("#08f").description == "#0088ff")
  #expect(try Color("#0088FF") == Color("#08f"))
}

@Test func `anything else is an error that says what was meant`() {
  func message(_ text: String) -> String? {
    do throws(TideError) {
      _ = try Color(text)
      return nil
    } catch {
      #expect(error.code == .badColor)
      return error.message
    }
  }
  #expect(message("rde")?.contains("\"red\"") == true)
  #expect(message("brightblue")?.contains("\"brightBlue\"") == true)
  #expect(message("#12")?.contains("3 or 6") == true)
  #expect(message("#12345g") != nil)
  #expect(message("#1234567890") != nil)
  #expect(message("") != nil)
  #expect(message("no such colour at all")?.contains("brightWhite") == true)
}

@Test func `a style keeps its colours and attributes`() {
  var style = CellStyle(foreground: .rgb(red: 1, green: 2, blue: 3), background: .ansi(9))
  #expect(style.foreground == .rgb(red: 1, green: 2, blue: 3))
  #expect(style.background == .ansi(9))
  style.background = .standard
  #expect(style == CellStyle(foreground: .rgb(red: 1, green: 2, blue: 3)))
  #expect(MemoryLayout<Cell>.stride == 16)
}
