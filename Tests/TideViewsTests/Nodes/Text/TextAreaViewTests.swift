import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

private func focused(
  _ text: String, _ width: Int = 11, _ height: Int = 3, caret: Int? = nil
) throws -> (TextAreaView, ShownView) {
  let area = TextAreaView(text)
  area[.height] = Double(height)
  let shown = try ShownView(try ViewClass.column.make([area]), width, height)
  area.focus()
  if let caret { area.caretIndex = caret }
  return (area, shown)
}

private func caret(_ shown: ShownView) throws -> Point? {
  _ = try shown.text
  return shown.scene.frame.caret
}

@Test func `text wraps between words, and scrolls with a bar`() throws {
  let (_, shown) = try focused("the quick brown fox\njumps over\nthe dog")
  #expect(try shown.lines == ["the quick ┃", "brown fox ┃", "jumps over│"])
  #expect(try caret(shown) == .zero)
  try shown.press("Ctrl-End")
  #expect(try shown.lines == ["brown fox │", "jumps over┃", "the dog   ┃"])
  #expect(try caret(shown) == Point(x: 7, y: 2))
  try shown.press("Enter")
  #expect(try shown.lines == ["jumps over│", "the dog   │", "          ┃"])
  #expect(try caret(shown) == Point(x: 0, y: 2))
}

@Test func `all that fits is shown without a bar`() throws {
  let (area, shown) = try focused("one\n\nthree")
  #expect(try shown.lines == ["one", "", "three"])
  try shown.press("Ctrl-End")
  #expect(try caret(shown) == Point(x: 5, y: 2))
  area.text = ""
  area[.placeholder] = "write something here"
  #expect(try shown.lines == ["write", "something", "here"])
  #expect(shown.scene.frame[0, 0].style.attributes.contains(.dim))
}

@Test func `Up and Down keep the column over shorter rows`() throws {
  let (area, shown) = try focused("abcdef\nab\nabcdef", caret: 5)
  try shown.expect(area.caretIndex, after: ["Down": 9, "Down": 15, "Down": 16, "Up Up Up Up": 0])
  try shown.press("Shift-Down Shift-Right")
  // The column is remembered.
  #expect(area.selectedRange == 0..<10)
}

@Test func `Up and Down go by the rows that show`() throws {
  let (area, shown) = try focused("the quick brown fox", caret: 2)
  try shown.press("Down")
  #expect(area.caretIndex == 12)
  try shown.press("End")
  #expect(try caret(shown) == Point(x: 9, y: 1))
  try shown.expect(area.caretIndex, after: ["Home": 10, "Home": 0, "End": 9, "End": 19])
}

@Test func `wide characters and tabs keep their columns`() throws {
  let (area, shown) = try focused("a漢字b\n\tx", 12, caret: 2)
  #expect(try caret(shown) == Point(x: 3, y: 0))
  try shown.press("Down")
  #expect(area.caretIndex == 5)
  #expect(try shown.lines == ["a漢字b", "        x", ""])
  try shown.press("Right")
  #expect(try caret(shown) == Point(x: 8, y: 1))
}

@Test func `Enter makes a line, Tab leaves`() throws {
  let area = TextAreaView("ab")
  let field = FieldView("")
  let shown = try ShownView(try ViewClass.column.make([area, field]), 10, 6)
  var heard: [String] = []
  try area.on(.any) { _, event in
    if event.name.text.hasPrefix("editing") { heard.append(event.name.text) }
  }
  try shown.press("Tab Right Enter Tab")
  #expect(area.text == "a\nb")
  #expect(heard == ["editingDidBegin", "editingChanged", "editingDidEnd"])
  #expect(shown.scene.focused === field)
}

@Test func `pages are what shows, less a row`() throws {
  let text = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let (area, shown) = try focused(text, caret: 3)
  try shown.press("PageDown")
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 2", "row 3", "row 4"])
  #expect(area.caretIndex == 15)
  try shown.press("PageDown PageDown PageDown PageDown PageDown")
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 7", "row 8", "row 9"])
  #expect(area.caretIndex == text.count)
  try shown.press("Ctrl-Home")
  #expect(try shown.lines.first?.prefix(5) == "row 0")
}

@Test func `the wheel scrolls and leaves the caret`() throws {
  let text = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let (area, shown) = try focused(text)
  func wheel(_ rows: Int) -> Bool {
    shown.scene.send(.mouse(MouseEvent(.scroll(rows), at: .zero)))
  }
  _ = try shown.text
  #expect(wheel(3))
  #expect(try shown.lines.first?.prefix(5) == "row 3")
  #expect(try caret(shown) == nil)
  #expect(area.caretIndex == 0)
  #expect(wheel(30))
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 7", "row 8", "row 9"])
  // What cannot scroll further is left to what is around it.
  #expect(!wheel(3))
  try shown.press("x")
  #expect(try shown.lines.first?.prefix(6) == "xrow 0")
}

@Test func `a click positions the caret, dragging selects and scrolls at the edges`() throws {
  let text = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let (area, shown) = try focused(text)
  func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int, clicks: Int = 1) throws {
    _ = try shown.text
    shown.scene.send(.mouse(MouseEvent(kind, at: Point(x: x, y: y), clicks: clicks)))
  }
  try mouse(.press(.left), 2, 1)
  #expect(area.caretIndex == 8)
  try mouse(.drag(.left), 4, 2)
  #expect(area.selectedRange == 8..<16)
  try mouse(.drag(.left), 4, 4)
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 2", "row 3", "row 4"])
  #expect(area.selectedRange == 8..<28)
  try mouse(.drag(.left), 0, -5)
  #expect(area.selectedRange == 0..<8)
  try mouse(.release(.left), 0, 0)
  try mouse(.press(.left), 1, 1, clicks: 2)
  #expect(area.selectedRange == 6..<9)
  try mouse(.press(.left), 1, 1, clicks: 3)
  #expect(area.selectedRange == 6..<11)
  try mouse(.release(.left), 0, 0)
  // The bar: beside the thumb by pages, and the thumb itself to any position.
  try mouse(.press(.left), 10, 2)
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 2", "row 3", "row 4"])
  try mouse(.release(.left), 10, 2)
  try mouse(.press(.left), 10, 1)
  try mouse(.drag(.left), 10, 2)
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 7", "row 8", "row 9"])
  try mouse(.drag(.left), 3, 0)
  #expect(try shown.lines.first?.prefix(5) == "row 0")
  try mouse(.release(.left), 10, 0)
  #expect(area.selectedRange == 6..<11)
}

@Test func `lines go on to the right where they don't wrap`() throws {
  let (area, shown) = try focused("abcdefghijklmnopq\nx")
  area[.wrap] = false
  #expect(try shown.lines == ["abcdefghijk", "x", ""])
  try shown.press("End")
  #expect(try shown.lines.first == "ijklmnopq")
  #expect(try caret(shown) == Point(x: 9, y: 0))
  // With columns beside the caret in sight.
  try shown.press("Home")
  _ = try shown.text
  try shown.press("Right Right Right Right Right Right Right Right Right")
  #expect(try shown.lines.first == "cdefghijklm")
  try shown.press("Down")
  #expect(try shown.lines == ["abcdefghijk", "x", ""])
  area[.wrap] = true
  #expect(try shown.lines == ["abcdefghij", "klmnopq", "x"])
}

@Test func `the row that is selected to its end shows the line end too`() throws {
  let (_, shown) = try focused("ab\n\ncd")
  try shown.press("Ctrl-A")
  _ = try shown.text
  let frame = shown.scene.frame
  let rows = (0..<3).map { y in
    (0..<5).map { frame[$0, y].style.attributes.contains(.reverse) ? "#" : "." }.joined()
  }
  #expect(rows == ["###..", "#....", "##..."])
}

@Test func `text that cannot be edited scrolls with the keys`() throws {
  let text = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let (area, shown) = try focused(text)
  area[.editable] = false
  try shown.press("Down")
  #expect(try shown.lines.first?.prefix(5) == "row 1")
  try shown.press("End")
  #expect(try shown.lines.last?.prefix(5) == "row 9")
  try shown.press("Ctrl-A Ctrl-C")
  #expect(shown.scene.clipboard.text == text)
  #expect(!shown.scene.send(.key(try Key("Enter"))))
  #expect(!shown.scene.send(.key(try Key("x"))))
  #expect(area.text == text)
}

@Test func `a paste keeps its lines, and no more than maxLength goes in`() throws {
  let (area, shown) = try focused("")
  area[.maxLength] = 6
  shown.scene.send(.paste("ab\r\ncd\tef"))
  #expect(area.text == "ab\ncd\t")
  try shown.press("Enter")
  #expect(area.text == "ab\ncd\t")
}

@Test func `an error takes the last row, or a part of the only one`() throws {
  let (area, shown) = try focused("one\ntwo\nthree")
  area.showBindingError("too long")
  #expect(try shown.lines == ["one       ┃", "two       │", "too long"])
  area.showBindingError(nil)
  #expect(try shown.lines == ["one", "two", "three"])
}

@Test func `a secure text area shows bullets only`() throws {
  let (area, shown) = try focused("a b\nc")
  area[.secure] = true
  #expect(try shown.lines == ["•••", "•", ""])
}

@Test func `text, caret, selection and scroll position survive a new version`() throws {
  let text = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let (_, shown) = try focused(text)
  try shown.press("PageDown PageDown Shift-End")
  let before = try shown.lines
  let new = TextAreaView(text)
  new[.height] = 3
  try shown.scene.reconcile(with: try ViewClass.column.make([new]))
  #expect(try shown.lines == before)
  #expect(new.selectedRange == 24..<29)
  #expect(shown.scene.focused === new)
}

@Test func `a text area of any size and with any text draws without harm`() throws {
  let texts = ["", "a b c d e f", "漢字漢字\n漢", "a\r\nb\tc\u{1B}[31m\u{9B}\u{2028}", "👨‍👩‍👧🇩🇪\u{301}"]
  for text in texts {
    for (width, height) in [(1, 1), (2, 1), (3, 2), (20, 5), (300, 100)] {
      for wraps in [true, false] {
        let (area, shown) = try focused(text, width, height)
        area[.wrap] = wraps
        area.showBindingError("bad")
        for keys in ["Down", "Right Shift-Right", "PageDown", "Ctrl-End", "Ctrl-A", "x Enter y"] {
          try shown.press(keys)
          _ = try shown.text
        }
        for kind in [
          MouseEvent.Kind.press(.left), .drag(.left), .release(.left), .scroll(3), .scroll(-3),
        ] {
          shown.scene.send(.mouse(MouseEvent(kind, at: Point(x: width - 1, y: height - 1))))
        }
        shown.scene.resize(Size(width: max(1, width / 2), height: max(1, height / 2)))
        _ = try shown.text
      }
    }
  }
}

@Test func `rows found bit by bit are those found at once, after any edit`() {
  for seed in UInt64(1)...300 {
    var random = SeededGenerator(seed: seed)
    let width: Int? = seed.isMultiple(of: 3) ? nil : Int.random(in: 1...9, using: &random)
    var editor = TextEditor("the quick brown\n漢字 fox\tjumps", isMultiline: true)
    var rows = TextRows(width: width)
    for _ in 0..<30 {
      let positions = [0, 0].map { _ in
        editor.offset(ofCharacter: Int.random(in: 0...editor.text.count, using: &random))
      }
      if Bool.random(using: &random) {
        editor.select((positions.min() ?? 0)..<(positions.max() ?? 0))
      } else {
        editor.move(to: positions[0])
      }
      let texts = ["a", " ", "\n", "漢", "\t", "", "word and word", "e\u{301}"]
      let text = texts.randomElement(using: &random) ?? ""
      if text.isEmpty { editor.deleteSelection() } else { editor.insert(text) }
      if let change = editor.takeChange() { rows.follow(change, in: editor.buffer) }
      var fresh = TextRows(width: width)
      let position = Int.random(in: 0...editor.end, using: &random)
      let row = rows.row(at: position, in: editor.buffer)
      #expect(row == fresh.row(at: position, in: editor.buffer), "seed \(seed)")
      #expect(
        rows.range(row, in: editor.buffer) == fresh.range(row, in: editor.buffer), "seed \(seed)")
      let count = Int.random(in: -4...4, using: &random)
      let moved = rows.row(row, movedBy: count, in: editor.buffer)
      #expect(moved == fresh.row(row, movedBy: count, in: editor.buffer), "seed \(seed)")
      // Every row fits, but for spaces that hang over its edge and a character wider than it.
      guard let width else { continue }
      let shown = editor.buffer[rows.range(row, in: editor.buffer)]
      var trimmed = shown[...]
      while trimmed.last == " " || trimmed.last == "\t" { trimmed.removeLast() }
      var used = 0
      for character in trimmed {
        used += character == "\t" ? 8 - used % 8 : CharacterWidth.of(character)
      }
      #expect(used <= width || trimmed.count == 1 || trimmed.contains("\t"), "seed \(seed)")
    }
  }
}

@Test func `columns of a very long line are found from marks within it`() throws {
  let line = String(repeating: "漢a", count: 2000)
  let (area, shown) = try focused(line, 11, 2)
  area[.wrap] = false
  area.caretIndex = 3001
  _ = try shown.text
  #expect(area.column(of: area.editor.caret) == 4502)
  try shown.press("x")
  #expect(area.column(of: area.editor.caret) == 4503)
  #expect(try shown.text.contains("漢xa漢"))
}

@Test func `text that grows leaves what shows in its position, another one begins at its top`()
  throws
{
  let log = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let area = TextAreaView(log)
  area[.height] = 3
  area[.editable] = false
  let shown = try ShownView(try ViewClass.column.make([area]), 11, 3)
  _ = try shown.text
  shown.scene.send(.mouse(MouseEvent(.scroll(4), at: .zero)))
  #expect(try shown.lines.first?.prefix(5) == "row 4")
  area.text = log + "\nrow 10"
  #expect(try shown.lines.first?.prefix(5) == "row 4")
  area.text = "a\nb\nc\nd\ne"
  #expect(try shown.lines.map { $0.prefix(1) } == ["a", "b", "c"])
}

@Test func `nothing is scrolled past the end, whether the text gets shorter or the area small`()
  throws
{
  let text = (0..<10).map { "row \($0)" }.joined(separator: "\n")
  let area = TextAreaView(text)
  let column = try ViewClass.column.make([area])
  area[.grow] = 1
  let shown = try ShownView(column, 11, 3)
  _ = try shown.text
  shown.scene.send(.mouse(MouseEvent(.scroll(30), at: .zero)))
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 7", "row 8", "row 9"])
  shown.scene.resize(Size(width: 11, height: 1))
  _ = try shown.text
  shown.scene.send(.mouse(MouseEvent(.scroll(30), at: .zero)))
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 9"])
  shown.scene.resize(Size(width: 11, height: 4))
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 6", "row 7", "row 8", "row 9"])
  area.text = (0..<5).map { "row \($0)" }.joined(separator: "\n")
  #expect(try shown.lines.map { $0.prefix(5) } == ["row 1", "row 2", "row 3", "row 4"])
}

@Test func `the wheel scrolls sideways where lines do not wrap`() throws {
  let area = TextAreaView("0123456789abcde\nx")
  area[.height] = 2
  area[.wrap] = false
  let shown = try ShownView(try ViewClass.column.make([area]), 11, 2)
  func wheel(_ columns: Int) -> Bool {
    shown.scene.send(.mouse(MouseEvent(.scrollSideways(columns), at: .zero)))
  }
  _ = try shown.text
  #expect(wheel(3))
  #expect(try shown.lines.first?.prefix(5) == "34567")
  #expect(wheel(30))
  #expect(try shown.lines.first?.prefix(5) == "6789a")
  #expect(!wheel(3))
  #expect(wheel(-30))
  #expect(!wheel(-3))
}
