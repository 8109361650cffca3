import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Test func `a button is pressed by Enter and Space`() throws {
  let button = ButtonView("OK")
  let shown = try ShownView(try ViewClass.column.make([button]), 10, 1)
  var keys: [String] = []
  try button.on(.touchUpInside) { _, event in keys.append(event.key?.description ?? "") }
  try shown.press("Tab Enter Space x")
  #expect(keys == ["Enter", "Space"])
  #expect(try shown.text == "[ OK ]")
  #expect(shown.scene.frame[0, 0].style.attributes.contains(.reverse))
}

@Test func `a toggle and a checkbox turn over and say so`() throws {
  let toggle = ToggleView("Sound")
  let checkbox = ViewClass.checkbox.make()
  checkbox[.title] = "Done"
  let shown = try ShownView(try ViewClass.column.make([toggle, checkbox]), 12, 2)
  #expect(try shown.lines == ["(●━) Sound", "[ ] Done"])
  var values: [Value] = []
  try toggle.on(.valueChanged) { _, event in values.append(event.value) }
  try shown.press("Tab Space Tab Enter")
  #expect(try shown.lines == ["(━●) Sound", "[x] Done"])
  #expect(values == [true])
  shown.click(1, 0)
  #expect(!toggle.isOn)
}

@Test(arguments: [
  (0.0, "┈┈┈┈"), (1.0, "████"), (0.5, "██┈┈"), (0.53125, "██▏┈"), (2.0, "████"), (-1.0, "┈┈┈┈"),
  (.nan, "█┈┈┈"), (.infinity, "████"),
])
func `a progress bar is filled in eighths of a cell`(value: Double, text: String) throws {
  #expect(try ShownView(ProgressView(value: value), 4, 1).text == text)
}

@Test func `a progress bar fills between its minimum and maximum`() throws {
  let progress = ProgressView(value: 15)
  progress[ViewKey<Double>("minimum")] = 10
  progress[ViewKey<Double>("maximum")] = 20
  let shown = try ShownView(progress, 4, 1)
  #expect(try shown.text == "██┈┈")
  progress[ViewKey<Double>("maximum")] = 10
  #expect(try shown.text == "████")
}

@Test func `a progress bar of unknown value moves, and only then`() throws {
  let progress = ProgressView(value: nil)
  let shown = try ShownView(progress, 8, 1)
  var pictures: [String] = []
  for _ in 0..<14 {
    pictures.append(try shown.text)
    shown.scene.animation.tick += 1
    progress.setNeedsDraw()
  }
  let there = (0...6).map {
    String(repeating: "┈", count: $0) + "██" + String(repeating: "┈", count: 6 - $0)
  }
  #expect(pictures == there + there.dropFirst().dropLast().reversed() + there.prefix(2))
  #expect(shown.scene.animation.views.contains { $0 === progress })
  progress.value = 0.5
  #expect(try shown.text == "████┈┈┈┈")
  for (size, text) in [(0, ""), (1, "█"), (2, "█┈")] {
    #expect(try ShownView(ProgressView(value: nil), size, 1).text == text)
  }
}

@Test func `a divider lies in a column and stands in a row`() throws {
  let column = try ViewClass.column.make([LabelView("a"), ViewClass.divider.make(), LabelView("b")])
  #expect(try ShownView(column, 3, 3).lines == ["a", "───", "b"])
  let row = try ViewClass.row.make([LabelView("a"), ViewClass.divider.make(), LabelView("b")])
  #expect(try ShownView(row, 3, 2).lines == ["a│b", " │"])
}

@Test func `in a medium without Unicode everything is ASCII`() throws {
  let box = try ViewClass.box.make([LabelView("漢字 é"), ProgressView(value: 0.9), ButtonView("ÖK")])
  let shown = try ShownView(box, 12, 5)
  shown.scene.symbols = .ascii
  let lines = try shown.lines
  #expect(
    lines == ["+----------+", "|???? ?    |", "|=========.|", "|[ ?K ]    |", "+----------+"])
}
