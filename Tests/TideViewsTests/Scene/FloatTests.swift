import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct FloatTests {
  /// Damage and floats together leave what drawing everything would.
  @Test(arguments: 0..<12)
  func `after any change the picture is that of drawing everything`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let labels = (0..<8).map { LabelView("line \($0) of the text below") }
    let root = try ViewClass.column.make(labels)
    let dialogs = try (0..<3).map { number in
      let dialog = ViewClass.dialog.make()
      dialog[ViewKey<String>("title")] = "Dialog \(number)"
      try dialog.add(LabelView("inside \(number)"))
      try dialog.add(ButtonView("OK"))
      dialog[.hidden] = true
      try root.add(dialog, at: Int.random(in: 0...root.subviews.count, using: &random))
      return dialog
    }
    let picker = PickerView(viewClass: .picker)
    picker[.items] = .object(ValueList((1...20).map { .integer($0) }))
    try root.add(picker, at: 0)
    let shown = try ShownView(root, 24, 10)
    for step in 0..<120 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let label = labels[Int.random(in: 0..<labels.count, using: &random)]
        label[ViewKey<String>("text")] = String(repeating: "\(step % 10)", count: step % 30)
      case 2:
        let dialog = dialogs[Int.random(in: 0..<3, using: &random)]
        dialog[.hidden].toggle()
      case 3:
        let label = dialogs[Int.random(in: 0..<3, using: &random)].subviews[0]
        label[ViewKey<String>("text")] = String(repeating: "*", count: step % 26)
      case 4: try shown.press("Tab")
      case 5: dialogs[Int.random(in: 0..<3, using: &random)][.modal].toggle()
      case 6:
        if picker.isOpen { try shown.press("Down") } else { picker.open() }
      default: shown.click(Int.random(in: 0..<24, using: &random), step % 10)
      }
      let text = try shown.text
      shown.scene.setNeedsFullRedraw()
      #expect(try shown.text == text, "seed \(seed), step \(step)")
    }
  }

  @Test func `a float leaves the scene with the view it stands in`() throws {
    let dialog = ViewClass.dialog.make()
    try dialog.add(LabelView("inside"))
    let part = try ViewClass.column.make([LabelView("part"), dialog])
    let root = try ViewClass.column.make([part])
    let shown = try ShownView(root, 20, 5)
    #expect(try shown.text.contains("inside"))
    part.remove()
    #expect(try shown.text == "")
    try root.add(part)
    #expect(try shown.text.contains("inside"))
    dialog.removeSubviews()
    #expect(try !shown.text.contains("inside"))
  }

  @Test func `a snapshot of a dialog by itself is the dialog`() throws {
    let dialog = ViewClass.dialog.make()
    dialog[ViewKey<String>("title")] = "Hi"
    try dialog.add(LabelView("text"))
    #expect(
      dialog.snapshot(size: Size(width: 12, height: 3))
        == "┌─ Hi ─[×]─┐\n│ text     │\n└──────────┘")
    #expect(dialog.superview == nil)
  }

  @Test func `the caret does not show through a float`() throws {
    let field = FieldView("")
    let dialog = ViewClass.dialog.make()
    dialog[.hidden] = true
    dialog[.width] = 20
    dialog[.height] = 3
    try dialog.add(LabelView("over"))
    let root = try ViewClass.column.make([field, dialog])
    let shown = try ShownView(root, 20, 3)
    try shown.press("Tab")
    _ = try shown.text
    #expect(shown.scene.frame.caret != nil)
    dialog[.hidden] = false
    _ = try shown.text
    #expect(shown.scene.frame.caret == nil)
  }
}
