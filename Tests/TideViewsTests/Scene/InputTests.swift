import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideViews

@Test func `a key goes up from the focused view until somebody takes it`() throws {
  let field = FieldView("")
  let row = try ViewClass.row.make([field])
  let column = try ViewClass.column.make([row])
  let shown = try ShownView(column, 20, 2)
  var heard: [String] = []
  row.onKey(try Key("Ctrl-S")) { _, event in
    heard.append("save \(event.sender["class"])")
    return nil
  }
  try column.respond(to: .key) { _, event in
    heard.append("column \(event.key?.description ?? "")")
    return event.key == Key(.function(2))
  }
  field.focus()
  #expect(shown.scene.send(.key(try Key("Ctrl-S"))))
  #expect(shown.scene.send(.key(try Key("x"))))
  #expect(!shown.scene.send(.key(try Key("F1"))))
  #expect(shown.scene.send(.key(try Key("F2"))))
  #expect(heard == ["save string(\"row\")", "column F1", "column F2"])
  #expect(field.text == "x")
}

@Test func `without a focus keys arrive at the view in the window`() throws {
  let column = try ViewClass.column.make([FieldView("")])
  let shown = try ShownView(column, 20, 2)
  var sorted = 0
  column.onKey(try Key("s")) { _, _ in
    sorted += 1
    return nil
  }
  try shown.press("s s x")
  #expect(sorted == 2)
}

@Test func `a key function may leave the key to others`() throws {
  let inner = try ViewClass.column.make([])
  let outer = try ViewClass.column.make([inner])
  let shown = try ShownView(outer, 20, 2)
  var heard = 0
  outer.onKey(try Key("x")) { _, _ in false }
  #expect(!shown.scene.send(.key(try Key("x"))))
  let handler = outer.onKey(try Key("x")) { _, _ in
    heard += 1
    return true
  }
  #expect(shown.scene.send(.key(try Key("x"))))
  handler.cancel()
  #expect(!shown.scene.send(.key(try Key("x"))))
  #expect(heard == 1)
}

@Test func `a click gives the focus and is a touch when released inside`() throws {
  let button = ButtonView("OK")
  let shown = try ShownView(try ViewClass.column.make([LabelView("x"), button]), 20, 3)
  var touches = 0
  try button.on(.touchUpInside) { _, _ in touches += 1 }
  shown.click(2, 1)
  #expect(touches == 1)
  #expect(shown.scene.focused === button)
  shown.scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 2, y: 1))))
  shown.scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: 2, y: 0))))
  #expect(touches == 1)
  shown.click(2, 2)
  shown.click(500, -3)
  #expect(touches == 1)
}

@Test func `a disabled view takes neither keys nor clicks`() throws {
  let button = ButtonView("OK")
  let shown = try ShownView(try ViewClass.column.make([button]), 20, 3)
  var touches = 0
  try button.on(.touchUpInside) { _, _ in touches += 1 }
  button.focus()
  button[.enabled] = false
  try shown.press("Enter")
  shown.click(2, 0)
  #expect(touches == 0)
}

@Test func `pasted text goes to the focused field in one piece`() throws {
  let field = FieldView("ab")
  let shown = try ShownView(field, 20, 1)
  var changes = 0
  try field.on(.editingChanged) { _, _ in changes += 1 }
  #expect(!shown.scene.send(.paste("x")) || field.text == "abx")
  field.text = "ab"
  field.focus()
  shown.scene.send(.paste("one\ntwo"))
  #expect(field.text == "abone two")
  #expect(shown.scene.send(.paste("")))
}

@Test func `resizing lays everything out again`() throws {
  let label = LabelView("hello world")
  let shown = try ShownView(try ViewClass.column.make([label]), 20, 1)
  shown.scene.send(.resize(Size(width: 6, height: 1)))
  #expect(try shown.text == "hello…")
  #expect(shown.renderer.lastChanges?.isWhole == true)
}

@Test func `random keys and clicks break nothing`() throws {
  let names = [
    "Tab", "Shift-Tab", "Enter", "Space", "Up", "Down", "Left", "Right", "Home", "End", "PageUp",
    "PageDown", "Backspace", "Delete", "Escape", "a", "漢", "é", "Ctrl-W", "Ctrl-Left", "F1",
  ]
  for seed in UInt64(1)...20 {
    var random = SeededGenerator(seed: seed)
    let list = ListView(viewClass: .list)
    list[.items] = .object(ValueList((0..<50).map { .string("row \($0)") }))
    let root = try ViewClass.column.make(
      [FieldView("text"), ButtonView("OK"), ToggleView("on"), list, try ViewClasses().make("box")])
    let shown = try ShownView(root, 20, 8)
    shown.scene.onError = { Issue.record("seed \(seed): \($0)") }
    for _ in 0..<200 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let point = Point(
          x: Int.random(in: -2...25, using: &random), y: Int.random(in: -2...10, using: &random))
        let kinds: [MouseEvent.Kind] = [
          .press(.left), .release(.left), .drag(.left), .scroll(1), .scroll(-3), .press(.right),
        ]
        guard let kind = kinds.randomElement(using: &random) else { continue }
        shown.scene.send(.mouse(MouseEvent(kind, at: point)))
      case 1:
        shown.scene.resize(
          Size(
            width: Int.random(in: 0...30, using: &random),
            height: Int.random(in: 0...12, using: &random)))
      default:
        guard let name = names.randomElement(using: &random) else { continue }
        try shown.press(name)
      }
      try shown.commit()
      let picture = shown.scene.frame.text
      shown.scene.setNeedsFullRedraw()
      try shown.scene.commit()
      #expect(picture == shown.scene.frame.text, "seed \(seed)")
    }
  }
}
