import Testing
import TideBindings
import TideGraph
import TideViews

@Test func `a handler hears its event until it is cancelled`() throws {
  let button = ButtonView("OK")
  var heard: [String] = []
  let handler = try button.on(.touchUpInside) { view, event in
    heard.append("\(view === button) \(event.name) \(event.sender === button)")
  }
  #expect(button.send(.touchUpInside))
  handler.isEnabled = false
  #expect(!button.send(.touchUpInside))
  handler.isEnabled = true
  handler.cancel()
  handler.cancel()
  #expect(!button.send(.touchUpInside))
  #expect(heard == ["true touchUpInside true"])
  #expect(!handler.isAlive)
}

@Test func `an event that a view does not handle goes up`() throws {
  let button = ButtonView("OK")
  let row = try ViewClass.row.make([button])
  let column = try ViewClass.column.make([row])
  var heard: [String] = []
  try column.on(.touchUpInside) { _, event in
    heard.append("column hears \(event.sender["title"])")
  }
  button.send(.touchUpInside)
  #expect(heard == ["column hears string(\"OK\")"])
  try button.on(.touchUpInside) { _, _ in heard.append("button") }
  button.send(.touchUpInside)
  #expect(heard.last == "button")
  #expect(heard.count == 2)
}

@Test func `the star hears every event and takes none`() throws {
  let button = ButtonView("OK")
  let column = try ViewClass.column.make([button])
  var heard: [String] = []
  try button.on(.any) { _, event in heard.append("* \(event.name)") }
  try column.on(.touchUpInside) { _, event in heard.append("above \(event.name)") }
  #expect(button.send(.touchUpInside))
  #expect(!button.send(.focus))
  #expect(heard == ["* touchUpInside", "above touchUpInside", "* focus"])
}

@Test func `a handler may say that an event goes on`() throws {
  let button = ButtonView("OK")
  let column = try ViewClass.column.make([button])
  var heard = 0
  try button.respond(to: .touchUpInside) { _, _ in false }
  try column.on(.touchUpInside) { _, _ in heard += 1 }
  button.send(.touchUpInside)
  #expect(heard == 1)
}

@Test func `an unknown event is an error with the nearest name`() {
  do {
    try ButtonView("OK").on("touchUpInsid") { _, _ in }
    Issue.record("there is no such event")
  } catch {
    #expect(error.code == .unknownEvent)
    #expect(error.message.contains("\"touchUpInside\""))
  }
}

@Test func `a leaf has its own events alone`() {
  #expect(throws: TideError.self) { try LabelView("x").on(.touchUpInside) { _, _ in } }
  #expect(throws: Never.self) { try LabelView("x").on(.focus) { _, _ in } }
}

@Test func `when a handler throws the others run and the error is told`() throws {
  let button = ButtonView("OK")
  let scene = try Scene(root: button)
  var errors: [TideError] = []
  scene.onError = { errors.append($0) }
  var ran = false
  try button.on(.touchUpInside) { _, _ in throw TideError(.refused, "no") }
  try button.on(.touchUpInside) { _, _ in ran = true }
  button.send(.touchUpInside)
  #expect(ran)
  #expect(errors.map(\.message) == ["no"])
}

@Test func `a handler may take its view out of the tree, or end itself and others`() throws {
  let button = ButtonView("OK")
  let column = try ViewClass.column.make([button])
  var heard: [String] = []
  var second: EventHandler?
  try button.on(.touchUpInside) { view, _ in
    heard.append("first")
    view.remove()
    second?.cancel()
  }
  second = try button.on(.touchUpInside) { _, _ in heard.append("second") }
  try column.on(.focus) { _, _ in heard.append("column") }
  button.send(.touchUpInside)
  #expect(heard == ["first"])
  #expect(button.superview == nil)
}

@Test func `what a handler reads is nobody's dependency`() throws {
  let label = LabelView("a")
  let button = ButtonView("OK")
  try button.on(.touchUpInside) { _, _ in _ = label.text }
  var runs = 0
  let effect = Graph.current.effect {
    runs += 1
    button.send(.touchUpInside)
  }
  label.text = "b"
  #expect(runs == 1)
  effect.cancel()
}

@Test func `a delegate hears events and keys as handlers do`() throws {
  final class Script: ViewDelegate {
    var heard: [String] = []
    func handles(_ name: EventName, of view: View) -> Bool { name == .touchUpInside }
    func handle(_ event: Event, at view: View) throws -> Bool? {
      heard.append(event.name.text)
      return nil
    }
  }
  let script = Script()
  let button = ButtonView("OK")
  button.delegate = script
  #expect(button.send(.touchUpInside))
  #expect(!button.send(.focus))
  #expect(script.heard == ["touchUpInside"])
}

@Test func `views appear and disappear with the frames that show them`() throws {
  let label = LabelView("a")
  let column = try ViewClass.column.make([label])
  var heard: [String] = []
  try label.on(.willAppear) { _, _ in heard.append("appear") }
  try label.on(.didDisappear) { _, _ in heard.append("disappear") }
  let shown = try ShownView(column, 5, 1)
  #expect(heard == ["appear"])
  label.remove()
  try column.add(label)
  _ = try shown.text
  // It has been there all the time.
  #expect(heard == ["appear"])
  label.remove()
  _ = try shown.text
  #expect(heard == ["appear", "disappear"])
  try column.add(label)
  label.remove()
  _ = try shown.text
  #expect(heard == ["appear", "disappear"])
}
