import Testing

@testable import TideSystem

@Suite struct `Escaping a text` {
  @Test func `control characters cannot steer a terminal`() {
    #expect("\u{1b}[31mred\u{7}\u{9b}2J".escapingControls == "\\27[31mred\\7\\u{9b}2J")
    #expect(
      "a\u{202e}b\u{2028}c\u{7f}\r\0".escapingControls
        == "a\\u{202e}b\\u{2028}c\\127\\13\\0")
    #expect("a\u{61c}b".escapingControls == "a\\u{61c}b")
    let harmless = "tab\tstays, and so does éa̐👩‍👩‍👧"
    #expect(harmless.escapingControls == harmless)
  }

  @Test func `a digit is no part of the escape before it`() {
    #expect("\u{7}1\u{1b}2\u{7f}3\u{1b}".escapingControls == "\\0071\\0272\\1273\\27")
    #expect("\u{1b}\u{1b}9".escapingControls == "\\27\\0279")
  }

  @Test func `lines stay lines where they may`() {
    #expect("a\nb\u{1b}\r\nc\u{2028}".escapingControlsInLines == "a\nb\\27\\13\nc\\u{2028}")
    #expect("a\nb".escapingControls == "a\\10b")
  }

  @Test func `JSON keeps its meaning and shows no control`() {
    #expect(
      "\u{1b}\u{7f}\u{9b}\u{202e}\u{61c}".quotedForJSON
        == #""\u001b\u007f\u009b\u202e\u061c""#)
    #expect("é ● â \u{a0}".quotedForJSON == "\"é ● â \u{a0}\"")
    #expect("a\tb\n\r".quotedForJSON == #""a\tb\n\r""#)
  }
}
