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
    #expect(history.previous("draft") == "two")
    #expect(history.previous("two") == "one")
    #expect(history.previous("one") == nil)
    #expect(history.next() == "two")
    #expect(history.next() == "draft")
    #expect(history.next() == nil)
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
