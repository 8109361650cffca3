import Testing
import TideBindings
import TideViews

@Test func `what does not fit is cut with an ellipsis, or without`() throws {
  let label = LabelView("hello world")
  let shown = try ShownView(label, 7, 1)
  #expect(try shown.text == "hello …")
  label[.truncate] = false
  #expect(try shown.text == "hello w")
}

@Test func `several lines are shown below each other`() throws {
  let label = LabelView("one\ntwo\r\nthree")
  #expect(try ShownView(label, 7, 3).lines == ["one", "two", "three"])
}

@Test func `wrapped text that is too long ends with an ellipsis`() throws {
  let label = LabelView("one two three four")
  label[.wrap] = true
  #expect(try ShownView(label, 8, 2).lines == ["one two", "three…"])
}

@Test func `align places the text in a wider label`() throws {
  let label = LabelView("ab")
  let shown = try ShownView(label, 6, 1)
  label[.align] = "end"
  #expect(try shown.text == "    ab")
  label[.align] = "center"
  #expect(try shown.text == "  ab")
}

@Test func `a wide character that does not fit leaves room`() throws {
  #expect(try ShownView(LabelView("漢字漢字"), 5, 1).text == "漢字…")
  #expect(try ShownView(LabelView("漢"), 1, 1).text == "…")
}

@Test func `colours and attributes are the label's own or those around it`() throws {
  let label = LabelView("x")
  let row = try ViewClass.row.make([label])
  row[.textColor] = "green"
  row[.backgroundColor] = "#102030"
  row[.italic] = true
  label[.bold] = true
  let shown = try ShownView(row, 3, 1)
  let style = shown.scene.frame[0, 0].style
  #expect(style.foreground == .ansi(2))
  #expect(style.background == .rgb(red: 16, green: 32, blue: 48))
  #expect(style.attributes == [.bold, .italic])
  label[.textColor] = "brightRed"
  row[.textColor] = nil
  row[.italic] = false
  _ = try shown.text
  #expect(shown.scene.frame[0, 0].style.foreground == .ansi(9))
  #expect(shown.scene.frame[0, 0].style.attributes == .bold)
}

@Test func `an error shows in red and a disabled view is dim`() throws {
  let label = LabelView("x")
  let shown = try ShownView(label, 3, 1)
  label.showBindingError("bad")
  label[.enabled] = false
  _ = try shown.text
  #expect(label[.error] == "bad")
  #expect(shown.scene.frame[0, 0].style.foreground == .ansi(1))
  #expect(shown.scene.frame[0, 0].style.attributes == .dim)
  label.showBindingError(nil)
  _ = try shown.text
  #expect(shown.scene.frame[0, 0].style.foreground == .standard)
}

@Test func `tabs go to the next stop, and other control characters show harmlessly`() throws {
  #expect(
    try ShownView(LabelView("a\tb\n12345678\tc"), 20, 2).lines == [
      "a       b", "12345678        c",
    ])
  #expect(try ShownView(LabelView("漢\tb"), 20, 1).text == "漢      b")
  let label = LabelView("a\u{1B}[31mb\u{9B}c")
  #expect(try ShownView(label, 20, 1).text == "a\u{FFFD}[31mb\u{FFFD}c")
  // Measured as it is shown.
  let row = try ViewClass.row.make([label, LabelView("|")])
  #expect(try ShownView(row, 20, 1).text == "a\u{FFFD}[31mb\u{FFFD}c|")
}

@Test func `a label of a million characters shows its beginning`() throws {
  for unit in ["word ", "漢", "a\tb\n"] {
    let label = LabelView(String(repeating: unit, count: 1_000_000 / unit.count))
    for (wraps, truncates) in [(true, true), (false, true), (false, false)] {
      label[.wrap] = wraps
      label[.truncate] = truncates
      let lines = try ShownView(label, 10, 2).lines
      #expect(lines.first?.isEmpty == false)
      #expect(lines.allSatisfy { CharacterWidth.of($0) <= 10 })
      label.remove()
    }
  }
}
