import Fuzzing
import Testing
import TideGraph

@testable import TideViews

private func editor(_ text: String, at position: Int, isMultiline: Bool = false) -> TextEditor {
  var editor = TextEditor(text, isMultiline: isMultiline)
  editor.move(to: position)
  return editor
}

extension TextEditor {
  fileprivate mutating func backspace() { delete(to: buffer.previous(caret)) }
  fileprivate mutating func type(_ text: String) {
    for character in text { insert(String(character), isTyped: true) }
  }
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

@Test func `text goes in in position of the selection`() {
  var editor = TextEditor("hello world")
  editor.move(to: editor.previousWord, selecting: true)
  #expect(editor.selectedText == "world")
  editor.insert("moon")
  #expect(editor.text == "hello moon")
  #expect(!editor.hasSelection)
  editor.selectAll()
  editor.delete(to: 3)
  #expect(editor.isEmpty)
}

@Test func `one press deletes what looks like one character`() {
  var editor = TextEditor("xe\u{301}👨‍👩‍👧🇩🇪👍🏽")
  #expect(editor.characterIndex == 5)
  editor.backspace()
  editor.backspace()
  editor.backspace()
  #expect(editor.text == "xe\u{301}")
  editor.backspace()
  #expect(editor.text == "x")
  let isDeleted = editor.delete(to: editor.buffer.next(editor.caret))
  #expect(!isDeleted)
}

@Test func `an accent typed after a letter joins it`() {
  var editor = editor("xey", at: 2)
  editor.insert("\u{301}")
  #expect(Array(editor.text) == ["x", "e\u{301}", "y"])
  #expect(editor.characterIndex == 2)
}

@Test func `a family typed scalar by scalar is one character`() {
  var editor = TextEditor("a")
  for scalar in "👨‍👩‍👧".unicodeScalars { editor.insert(String(scalar), isTyped: true) }
  #expect(Array(editor.text) == ["a", "👨‍👩‍👧"])
  editor.backspace()
  #expect(editor.text == "a")
  editor.insert("🇩")
  editor.insert("🇪")
  #expect(editor.characterIndex == 2)
}

@Test func `what comes together by a deletion may join`() {
  var flags = editor("🇩x🇪", at: 5)
  flags.delete(to: 4)
  #expect(Array(flags.text) == ["🇩🇪"])
  #expect(flags.caret == 8)
}

@Test func `line ends become spaces and control characters stay out`() {
  var editor = TextEditor()
  editor.insert("a\r\nb\tc\u{1B}\u{7}d")
  #expect(editor.text == "a b cd")
}

@Test func `text of several lines keeps tabs, and line ends as LF`() {
  var editor = TextEditor(isMultiline: true)
  editor.insert("a\r\nb\tc\u{1B}\rd\u{2028}")
  #expect(editor.text == "a\nb\tc\nd\n")
}

@Test func `no more characters go in than the limit allows`() {
  var editor = TextEditor("abc")
  editor.insert("defg", limit: 5)
  #expect(editor.text == "abcde")
  let isNew = [editor.insert("f", limit: 5), editor.insert("f", limit: 0)]
  #expect(isNew == [false, false])
  editor.insert("\u{301}", limit: 5)
  #expect(editor.text == "abcde\u{301}")
  editor.select(1..<4)
  editor.insert("漢字漢字", limit: 5)
  #expect(editor.text == "a漢字漢e\u{301}")
  // Nothing goes in, so nothing goes out either.
  editor.select(0..<1)
  let isReplaced = editor.insert("x", limit: 3)
  #expect(!isReplaced)
  #expect(editor.selectedText == "a")
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

@Test func `the word at a position is what a double click selects`() {
  let editor = TextEditor("let foo  = (x)\nab", isMultiline: true)
  func word(_ position: Int) -> String { String(editor.buffer[editor.word(at: position)]) }
  #expect([0, 2, 4, 7, 9, 11, 12].map(word) == ["let", "let", "foo", "  ", "=", "(", "x"])
  // Behind the end of a line its last word is meant.
  #expect([14, 15, 17].map(word) == [")", "ab", "ab"])
  #expect(TextEditor().word(at: 0).isEmpty)
}

@Test func `undo takes back what was typed in one go, redo does it again`() {
  var editor = TextEditor("x")
  editor.type("abc")
  editor.move(to: 1)
  editor.type("12")
  #expect(editor.text == "x12abc")
  editor.undo()
  #expect(editor.text == "xabc")
  #expect(editor.caret == 1)
  editor.undo()
  #expect(editor.text == "x")
  let isMore = editor.undo()
  #expect(!isMore)
  editor.redo()
  editor.redo()
  #expect(editor.text == "x12abc")
  #expect(editor.caret == 3)
  editor.undo()
  editor.type("y")
  #expect(!editor.canRedo)
  #expect(editor.text == "xyabc")
}

@Test func `deleting in one go is one step, and brings a selection back`() {
  var editor = TextEditor("hello")
  editor.backspace()
  editor.backspace()
  editor.undo()
  #expect(editor.text == "hello")
  editor.move(to: 1)
  editor.delete(to: 2)
  editor.delete(to: 2)
  #expect(editor.text == "hlo")
  editor.undo()
  #expect(editor.text == "hello")
  editor.select(1..<3)
  editor.insert("XYZ")
  editor.undo()
  #expect(editor.selectedText == "el")
}

@Test func `each typed line is a step`() {
  var editor = TextEditor(isMultiline: true)
  editor.type("ab\ncd")
  editor.undo()
  #expect(editor.text == "ab\n")
  editor.undo()
  #expect(editor.text == "")
}

@Test func `another text keeps the caret beside what it stood beside`() {
  func moved(_ old: String, _ caret: Int, _ new: String) -> Int {
    var editor = editor(old, at: caret)
    editor.setText(new)
    return editor.caret
  }
  #expect(moved("hello", 2, "HELLO") == 2)
  #expect(moved("hello", 5, "oh hello") == 8)
  #expect(moved("hello", 2, "hello world") == 2)
  #expect(moved("1000", 4, "1,000") == 5)
  #expect(moved("straße", 7, "STRASSE") == 7)
  #expect(moved("abcdef", 4, "a") == 1)
  #expect(moved("abc", 1, "") == 0)
  // Not between a letter and its accent.
  #expect(moved("ab", 1, "a\u{301}b") == 3)
}

@Test func `what answers an edit is undone together with it`() {
  var editor = TextEditor()
  for character in "abc" {
    editor.insert(String(character), isTyped: true)
    editor.setText(editor.text.uppercased(), answersEdit: true)
  }
  #expect(editor.text == "ABC")
  editor.undo()
  #expect(editor.text == "")
  editor.redo()
  #expect(editor.text == "ABC")
}

@Test func `another text by itself ends what can be undone`() {
  var editor = TextEditor()
  editor.insert("secret of the first record")
  editor.setText("second record")
  #expect(!editor.canUndo)
  #expect(!editor.canRedo)
}

@Test func `secret text has no words and no history`() {
  var editor = TextEditor()
  editor.insert("open sesame")
  editor.isSecret = true
  #expect(!editor.canUndo)
  editor.insert("!")
  #expect(!editor.canUndo)
  #expect(editor.previousWord == 0)
  #expect(editor.word(at: 3) == 0..<12)
}

@Test func `the history has an end`() {
  var editor = TextEditor()
  for _ in 0..<1200 { editor.insert("a") }
  var steps = 0
  while editor.undo() { steps += 1 }
  #expect(steps == 1000)
  #expect(editor.text.count == 200)
  let large = String(repeating: "x", count: 3 << 20)
  editor.insert(large)
  editor.insert(large)
  editor.undo()
  #expect(!editor.canUndo)
}

/// The simplest editor there is: an array of letters and two positions in it, and all texts it had.
private struct Model {
  struct State: Equatable {
    var letters: [Character]
    var caret: Int
    var anchor: Int
  }

  var now: State
  var done: [(before: State, after: State)] = []
  var undone: [(before: State, after: State)] = []

  mutating func replace(_ range: Range<Int>, with added: [Character]) {
    let before = now
    undone = []
    now.letters.replaceSubrange(range, with: added)
    now.caret = range.lowerBound + added.count
    now.anchor = now.caret
    done.append((before, now))
  }

  var selection: Range<Int> { min(now.caret, now.anchor)..<max(now.caret, now.anchor) }

  mutating func insert(_ text: String, limit: Int?) {
    let room = limit.map { max(0, $0 - now.letters.count + selection.count) } ?? .max
    let added = Array(text.prefix(room))
    if !added.isEmpty { replace(selection, with: added) }
  }

  mutating func delete(to position: Int) {
    let range =
      selection.isEmpty ? min(now.caret, position)..<max(now.caret, position) : selection
    if !range.isEmpty { replace(range, with: []) }
  }

  mutating func undo() {
    guard let step = done.popLast() else { return }
    undone.append(step)
    now = step.before
  }

  mutating func redo() {
    guard let step = undone.popLast() else { return }
    done.append(step)
    now = step.after
  }
}

@Test func `random edits give what a simple model gives`() {
  for seed in UInt64(1)...300 {
    var random = SeededGenerator(seed: seed)
    let start = "ab 漢字\n"
    var editor = TextEditor(start, isMultiline: true)
    var model = Model(
      now: Model.State(letters: Array(start), caret: start.count, anchor: start.count))
    for _ in 0..<80 {
      let position = Int.random(in: 0...model.now.letters.count, using: &random)
      let bytes = editor.offset(ofCharacter: position)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let selects = Bool.random(using: &random)
        editor.move(to: bytes, selecting: selects)
        model.now.caret = position
        if !selects { model.now.anchor = position }
      case 2, 3, 4:
        let text = String(
          (0..<3).compactMap { _ in Array("ab 漢é😀\n").randomElement(using: &random) })
        let limit = Bool.random(using: &random) ? nil : 12
        editor.insert(text, limit: limit)
        model.insert(text, limit: limit)
      case 5:
        editor.move(to: editor.caret, selecting: true)
        editor.delete(to: bytes)
        model.delete(to: position)
      case 6:
        editor.undo()
        model.undo()
      default:
        editor.redo()
        model.redo()
      }
      #expect(Array(editor.text) == model.now.letters, "seed \(seed)")
      #expect(editor.characterIndex == model.now.caret, "seed \(seed)")
      #expect(String(model.now.letters[model.selection]) == editor.selectedText, "seed \(seed)")
    }
  }
}

@Test func `a field's text has no index of lines`() {
  let text = String(repeating: " \n", count: 10_000)
  var (field, area) = (MemoryMeter(), MemoryMeter())
  TextEditor(text).addHeld(to: &field)
  TextEditor(text, isMultiline: true).addHeld(to: &area)
  #expect(field.bytes < 2 * text.utf8.count)
  #expect(area.bytes >= text.utf8.count + 10_000 * MemoryLayout<Int>.stride)
}
