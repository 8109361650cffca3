import Testing

@testable import TideViews

private func editor(_ text: String, at caret: Int) -> TextEditor {
  var editor = TextEditor(text)
  editor.moveTo(caret)
  return editor
}

@Test func `text goes in before the caret`() {
  var editor = editor("ad", at: 1)
  let isNew = editor.insert("bc")
  #expect(isNew)
  #expect(editor.text == "abcd")
  #expect(editor.caret == 3)
  let isNewer = editor.insert("")
  #expect(!isNewer)
}

@Test func `one press deletes what looks like one character`() {
  var editor = TextEditor("xe\u{301}👨‍👩‍👧🇩🇪")
  #expect(editor.characters.count == 4)
  _ = editor.delete(to: editor.caret - 1)
  _ = editor.delete(to: editor.caret - 1)
  #expect(editor.text == "xe\u{301}")
  _ = editor.delete(to: editor.caret - 1)
  #expect(editor.text == "x")
  let isDeleted = editor.delete(to: editor.caret + 1)
  #expect(!isDeleted)
}

@Test func `an accent typed after a letter joins it`() {
  var editor = editor("xey", at: 2)
  _ = editor.insert("\u{301}")
  #expect(editor.characters == ["x", "e\u{301}", "y"])
  #expect(editor.caret == 2)
}

@Test func `what comes together by a deletion may join`() {
  var editor = TextEditor("e-\u{200B}")
  editor = TextEditor("e")
  _ = editor.insert("-")
  _ = editor.insert("x")
  #expect(editor.characters.count == 3)
  var flags = TextEditor("🇩x🇪")
  flags.moveTo(2)
  _ = flags.delete(to: 1)
  #expect(flags.characters == ["🇩🇪"])
  #expect(flags.caret == 1 || flags.caret == 0)
}

@Test func `line ends become spaces and control characters stay out`() {
  var editor = TextEditor()
  _ = editor.insert("a\r\nb\tc\u{1B}\u{7}d")
  #expect(editor.text == "a b cd")
}

@Test func `no more characters go in than the limit allows`() {
  var editor = TextEditor("abc")
  _ = editor.insert("defg", limit: 5)
  #expect(editor.text == "abcde")
  let isNew = [editor.insert("f", limit: 5), editor.insert("f", limit: 0)]
  #expect(isNew == [false, false])
}

@Test func `words are what letters and digits make`() {
  let text = "let foo_1 = bar(2);  "
  #expect(editor(text, at: 21).previousWord == 16)
  #expect(editor(text, at: 16).previousWord == 12)
  #expect(editor(text, at: 12).previousWord == 4)
  #expect(editor(text, at: 0).previousWord == 0)
  #expect(editor(text, at: 0).nextWord == 3)
  #expect(editor(text, at: 3).nextWord == 9)
  #expect(editor(text, at: 17).nextWord == 21)
}

/// The simplest editor there is: an array of letters and a place.
private struct Model {
  var letters: [Character]
  var caret: Int

  mutating func insert(_ text: String, limit: Int?) {
    let room = limit.map { max(0, $0 - letters.count) } ?? .max
    let added = Array(text.prefix(room))
    letters = letters[..<caret] + added + letters[caret...]
    caret += added.count
  }

  mutating func delete(_ range: Range<Int>) {
    letters = Array(letters[..<range.lowerBound] + letters[range.upperBound...])
    caret = range.lowerBound
  }
}

@Test func `random edits give what a simple model gives`() {
  for seed in UInt64(1)...200 {
    var random = SeededGenerator(seed: seed)
    var editor = TextEditor("ab 漢字")
    var model = Model(letters: Array("ab 漢字"), caret: 5)
    for _ in 0..<80 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let place = Int.random(in: -2...model.letters.count + 2, using: &random)
        editor.moveTo(place)
        model.caret = max(0, min(place, model.letters.count))
      case 1, 2:
        let text = String((0..<3).compactMap { _ in "ab 漢é😀".randomElement(using: &random) })
        let limit = Bool.random(using: &random) ? nil : 12
        _ = editor.insert(text, limit: limit)
        model.insert(text, limit: limit)
      case 3 where model.caret > 0:
        _ = editor.delete(to: editor.caret - 1)
        model.delete(model.caret - 1..<model.caret)
      case 4 where model.caret < model.letters.count:
        let end = Int.random(in: model.caret + 1...model.letters.count, using: &random)
        _ = editor.delete(to: end)
        model.delete(model.caret..<end)
      default: break
      }
      #expect(editor.characters == model.letters, "seed \(seed)")
      #expect(editor.caret == model.caret, "seed \(seed)")
    }
  }
}
