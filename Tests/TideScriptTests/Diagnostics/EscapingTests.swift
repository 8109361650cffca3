import TideBindings
import TideScript
import Testing

@testable import TideScript

@Suite struct `Escaping` {
  @Test func `nothing of an error reaches the terminal raw`() {
    let error = TideError(
      .scriptError, "bad \u{1b}[2J\nsecond\u{7}",
      location: SourceLocation(file: "a\u{1b}b.lua", line: 3),
      traceback: "stack traceback:\n\tone\n\tin \u{1b}x")
    let text = Diagnostic(error).text()
    #expect(
      text == """
        a\\27b.lua:3:1: error[E0402]: bad \\27[2J
          second\\7
          from in \\27x
        """)
    #expect(!Diagnostic(error).json.contains("\u{1b}"))
  }
}
