import Testing
import TideViews

@testable import TideTerminal

@Suite struct `A prompt's rows` {
  private func layout(_ text: String, _ caret: Int, width: Int = 10) -> PromptLayout {
    PromptLayout(text, caretOffset: caret, prompt: "> ", continuation: "… ", width: width)
  }

  @Test func `follow the lines and the width`() {
    #expect(layout("ab\nc", 4).rows == ["> ab", "… c"])
    #expect(layout("ab\nc", 4).caret == Point(x: 3, y: 1))
    #expect(layout("abcdefghij", 0).rows == ["> abcdefgh", "ij"])
    #expect(layout("abcdefghij", 9).caret == Point(x: 1, y: 1))
    #expect(layout("abcdefghij", 8).caret == Point(x: 0, y: 1))
    #expect(layout("", 0).rows == ["> "])
  }

  @Test func `make room for the caret behind a full row`() {
    #expect(layout("abcdefgh", 8).rows == ["> abcdefgh", ""])
    #expect(layout("abcdefgh", 8).caret == Point(x: 0, y: 1))
  }

  @Test func `have the colours of the text, row by row, and the caret where it is without them`() {
    let layout = PromptLayout(
      "ab cdefghij\nk", caretOffset: 4, prompt: "> ", continuation: "… ", width: 8,
      colors: [(0..<2, "34"), (3..<11, "32"), (12..<13, "1")])
    #expect(
      layout.rows == [
        "> \u{1b}[34mab\u{1b}[0m \u{1b}[32mcde\u{1b}[0m", "\u{1b}[32mfghij\u{1b}[0m",
        "… \u{1b}[1mk\u{1b}[0m",
      ])
    #expect(layout.caret == Point(x: 6, y: 0))
  }

  @Test func `keep wide characters whole, and controls harmless`() {
    #expect(layout("abcdefg漢", 0).rows == ["> abcdefg", "漢"])
    #expect(layout("a\tb\u{1b}[2J", 0, width: 20).rows == ["> a    b\u{FFFD}[2J"])
    #expect(layout("a\u{202e}b", 0).rows == ["> a\u{FFFD}b"])
    #expect(layout("漢字", 3, width: 2).rows.count >= 2)
  }
}

@Suite struct `A history of lines` {
  @Test func `is gone through from the latest, and back to what was being typed`() {
    var history = LineHistory(["one", "two"])
    #expect(history.previous("") == "two")
    #expect(history.previous("two") == "one")
    #expect(history.previous("one") == nil)
    #expect(history.next("one") == "two")
    #expect(history.next("two") == "")
    #expect(history.next("") == nil)
  }

  @Test func `is searched for what begins as the text being typed`() {
    var history = LineHistory(["foo(1)", "bar", "foo(2)", "baz"])
    #expect(history.previous("foo") == "foo(2)")
    #expect(history.previous("foo(2)") == "foo(1)")
    #expect(history.previous("foo(1)") == nil)
    #expect(history.next("foo(1)") == "foo(2)")
    #expect(history.next("foo(2)") == "foo")
    #expect(history.previous("qux") == nil)
    #expect(history.next("qux") == nil)
  }

  @Test func `holds no blanks and nothing twice in a row`() {
    var history = LineHistory()
    for entry in ["a", "a", "  ", "b", "a"] { history.add(entry) }
    #expect(history.entries == ["a", "b", "a"])
  }

  @Test func `is searched from the latest`() {
    let history = LineHistory(["print(1)", "x = 1", "print(2)"])
    #expect(history.search("print") == 2)
    #expect(history.search("print", below: 2) == 0)
    #expect(history.search("nothing") == nil)
    #expect(history.search("") == nil)
  }
}
