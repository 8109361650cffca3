import Testing
import TideBindings
import TideScript
import TideSystem
import TideViews

@testable import TideREPL

@Suite struct InspectionTests {
  private final class Looker {
    let runtime: Runtime
    private var looking: Inspection?
    private(set) var told: [Message] = []

    init(_ script: String) throws {
      runtime = try Runtime(file: "app.lua")
      try runtime.evaluate(script, as: Value.self)
      looking = try Inspection(runtime) { [unowned self] in told.append($0) }
    }

    var inspection: Inspection {
      get throws { try #require(looking) }
    }

    func ask(_ fields: KeyValuePairs<String, Message.Field>) throws -> [[String: String]] {
      let answer = try inspection.answer(Message("inspect", fields))
      if let error = answer.text("error") { throw TideError(.badArgument, error) }
      return try (answer.texts("items") ?? []).map { text in
        let line = #"{"kind":"item","# + text.dropFirst()
        let message = try MessageReader.read(Array(line.utf8)[...])
        var fields: [String: String] = [:]
        for (name, value) in message.fields {
          switch value {
          case .text(let text): fields[name] = text
          case .number(let number): fields[name] = "\(number)"
          case .flag(let flag): fields[name] = "\(flag)"
          case .texts: break
          }
        }
        return fields
      }
    }

    func node(_ label: String, below node: String) throws -> String {
      let items = try ask(["ask": "children", "node": .text(node)])
      return try #require(items.first { $0["label"] == label }?["node"])
    }

    func end() { looking = nil }
  }

  private static let script = """
    fruit = model "fruit" { name = "fig", count = 1, tags = list { "ripe" } }
    show(view.column {
      view.label { id = "title", bindTo = { text = "fruit.name | uppercase" } },
      view.field { id = "secret", secure = true, text = "hunter2" },
    })
    """

  @Test func `the tree has models, views, lists and contexts`() throws {
    let looker = try Looker(Self.script)
    let groups = try looker.ask(["ask": "children", "node": ""])
    #expect(groups.map { $0["label"] } == ["Models", "Views", "Controllers", "Lists", "Contexts"])
    let fruit = try looker.node("fruit", below: "models")
    #expect(
      try looker.ask(["ask": "children", "node": .text(fruit)]).map { $0["label"] } == ["tags"])
    let window = try looker.node("window", below: "views")
    let column = try looker.node("column", below: window)
    let labels = try looker.ask(["ask": "children", "node": .text(column)])
    #expect(labels.map { $0["label"] } == ["label #title", "field #secret"])
    #expect(labels[0]["detail"] == "\"FIG\"")
    #expect(labels[1]["detail"] == "")
  }

  @Test func `a line of a script tells of the bindings that it has made, and what they cost`()
    throws
  {
    let looker = try Looker(Self.script)
    try looker.runtime.evaluate(
      "for n = 1, 3 do fruit.name = 'kiwi' .. n end", as: Value.self)
    let made = looker.runtime.bindings.bindings(of: nil, property: nil)
      .compactMap(\.location).first
    let location = try #require(made)
    let items = try looker.ask([
      "ask": "bindings", "file": .text(location.file), "line": .number(location.line),
    ])
    #expect(items.map { $0["label"] } == ["text: fruit.name | uppercase"])
    #expect(items.first?["runs"].flatMap { Int($0) } ?? 0 > 0)
    #expect(items.first?["nanoseconds"].flatMap { Int($0) } ?? 0 > 0)
    #expect(try looker.ask(["ask": "bindings", "file": "other.lua", "line": 3]).isEmpty)
  }

  @Test func `a property tells its value, its binding, how often it has changed, and why`() throws {
    let looker = try Looker(Self.script)
    let fruit = try looker.node("fruit", below: "models")
    try looker.runtime.evaluate("for n = 1, 3 do fruit.name = 'kiwi' .. n end", as: Value.self)
    let name = try #require(
      try looker.ask(["ask": "properties", "node": .text(fruit)]).first { $0["name"] == "name" })
    #expect(name["value"] == "\"kiwi3\"")
    #expect(name["changes"] == "3")
    #expect(name["bound"]?.contains("fruit.name") == true)
    let causes = try looker.ask(["ask": "why", "node": .text(fruit), "name": "name"])
    #expect(causes.first?["text"]?.contains("by a write") == true)
  }

  @Test func `neighbours in the graph lead on`() throws {
    let looker = try Looker(Self.script)
    let fruit = try looker.node("fruit", below: "models")
    let items = try looker.ask(["ask": "dependencies", "node": .text(fruit), "name": "name"])
    let label = try #require(items.first { $0["direction"] == "to" })
    #expect(label["name"] == "text")
    #expect(label["node"]?.isEmpty == false)
  }

  @Test func `a value is set, and a mistake is told`() throws {
    let looker = try Looker(Self.script)
    let fruit = try looker.node("fruit", below: "models")
    _ = try looker.ask(["ask": "set", "node": .text(fruit), "name": "count", "text": "1 + 4"])
    #expect(try looker.runtime.evaluate("fruit.count", as: Int.self) == 5)
    #expect(throws: TideError.self) {
      _ = try looker.ask(["ask": "set", "node": .text(fruit), "name": "count", "text": "'many'"])
    }
    #expect(throws: TideError.self) {
      _ = try looker.ask(["ask": "set", "node": "o999", "name": "count", "text": "1"])
    }
    #expect(try looker.runtime.evaluate("fruit.count", as: Int.self) == 5)
  }

  @Test func `what is typed in a secure field is not told`() throws {
    let looker = try Looker(Self.script)
    let window = try looker.node("window", below: "views")
    let column = try looker.node("column", below: window)
    let field = try looker.node("field #secret", below: column)
    let properties = try looker.ask(["ask": "properties", "node": .text(field)])
    #expect(!properties.contains { $0.values.contains { $0.contains("hunter2") } })
  }

  @Test func `only files of the app are shown`() throws {
    let looker = try Looker(Self.script)
    #expect(throws: TideError.self) {
      _ = try looker.ask(["ask": "source", "file": "/etc/passwd"])
    }
  }

  @Test func `a click picks a view and does nothing else`() throws {
    let looker = try Looker(
      """
      pressed = 0
      show(view.button { title = "OK", on = { touchUpInside = function() pressed = pressed + 1 end } })
      """)
    let scene = try #require(looker.runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 20, height: 3)))
    _ = try looker.ask(["ask": "pick"])
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      scene.send(.mouse(MouseEvent(kind, at: Point(x: 1, y: 0))))
    }
    #expect(looker.told.last?.kind == "picked")
    #expect(looker.told.last?.text("node") != nil)
    #expect(try looker.runtime.evaluate("pressed", as: Int.self) == 0)
  }

  @Test func `a marked view stands out until nobody looks any more`() throws {
    let looker = try Looker(Self.script)
    let scene = try #require(looker.runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 20, height: 3)))
    func isReversed() throws -> Bool {
      try scene.commit()
      return scene.frame[0, 0].style.attributes.contains(.reverse)
    }
    let window = try looker.node("window", below: "views")
    let column = try looker.node("column", below: window)
    let label = try looker.node("label #title", below: column)
    #expect(try !isReversed())
    _ = try looker.ask(["ask": "mark", "node": .text(label)])
    #expect(try isReversed())
    looker.end()
    #expect(try !isReversed())
  }

  @Test func `nothing is counted while nobody looks`() throws {
    let looker = try Looker(Self.script)
    let fruit = try #require(looker.runtime.models["fruit"])
    let slot = try #require(fruit.slot(named: "name"))
    #expect(looker.runtime.graph.measure(of: slot) != nil)
    looker.end()
    #expect(looker.runtime.graph.measure(of: slot) == nil)
    // And from the beginning, when somebody looks again.
    try looker.runtime.evaluate("fruit.name = 'a'", as: Value.self)
    let other = try Inspection(looker.runtime) { _ in }
    #expect(looker.runtime.graph.measure(of: slot)?.changes == 0)
    withExtendedLifetime(other) {}
  }

  @Test func `nonsense is answered by an error`() throws {
    let looker = try Looker(Self.script)
    for ask in ["", "everything", "properties", "mark"] {
      let answer = try looker.inspection.answer(
        Message("inspect", ["ask": .text(ask), "node": "o12"]))
      #expect(answer.text("error") != nil, "\(ask)")
    }
  }
}

/// The inspector and the app that it looks into, turned by hand.
private final class InspectedPair {
  let app: Runtime
  let inspector: InspectorApp
  private let inspection: Inspection
  private let mail: Mail

  /// What is on its way.
  private final class Mail {
    var requests: [Message] = []
    var news: [Message] = []
  }

  init(_ script: String) throws {
    let mail = Mail()
    self.mail = mail
    app = try Runtime(file: "app.lua")
    try app.evaluate(script, as: Value.self)
    inspection = try Inspection(app) { mail.news.append($0) }
    inspector = try InspectorApp { mail.requests.append($0) }
    inspector.take(Message("hello", ["name": "fruit"]))
    exchange()
  }

  /// Lets both say what they have to say.
  func exchange() {
    while !mail.requests.isEmpty || !mail.news.isEmpty {
      for message in mail.news { inspector.take(message) }
      mail.news = []
      let asked = mail.requests
      mail.requests = []
      for request in asked { inspector.take(inspection.answer(request)) }
    }
  }

  func run(_ text: String) throws {
    try inspector.runtime.evaluate(text, as: Value.self)
    inspector.runtime.settle()
    exchange()
  }
}

@Suite struct InspectorAppTests {
  private static let script = """
    fruit = model "fruit" { name = "fig" }
    show(view.label { id = "title", bindTo = { text = "fruit.name" } })
    """

  @Test func `it shows the app's parts and the properties of what is chosen`() throws {
    let pair = try InspectedPair(Self.script)
    #expect(try pair.inspector.runtime.evaluate("#views.tree.items", as: Int.self) == 5)
    try pair.run("views.tree:expand(1)")
    try pair.run("views.tree.selectedIndex = 2")
    try pair.run("require('inspector.panes').choose(views.tree.selectedObject)")
    let value = try pair.inspector.runtime.evaluate(
      "views.properties.items[1].name .. '=' .. views.properties.items[1].value", as: String.self)
    #expect(value == "name=\"fig\"")
    #expect(pair.inspector.runtime.errors.map(\.message) == [])
  }

  @Test func `a value that is set there changes in the app`() throws {
    let pair = try InspectedPair(Self.script)
    try pair.run("views.tree:expand(1)")
    try pair.run("views.tree.selectedIndex = 2")
    try pair.run("require('inspector.panes').choose(views.tree.selectedObject, 'name')")
    try pair.run("require('inspector.panes').set(\"'kiwi'\")")
    #expect(try pair.app.evaluate("fruit.name", as: String.self) == "kiwi")
    try pair.run("require('inspector.panes').set('1 +')")
    #expect(try pair.inspector.runtime.evaluate("models.link.problem", as: String.self) != "")
  }

  @Test func `a picked view is found in the tree`() throws {
    let pair = try InspectedPair(Self.script)
    let scene = try #require(pair.app.scene)
    try scene.mount(TextRenderer(size: Size(width: 20, height: 3)))
    try pair.run("views.pick:focus() models.chosen.tab = 1")
    try pair.run("require('inspector.link').ask({ ask = 'pick' })")
    scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 1, y: 0))))
    pair.exchange()
    let selected = try pair.inspector.runtime.evaluate(
      """
      local tree = require "inspector.tree"
      local node = views.tree.selectedObject
      return node.label .. " at " .. tree.indexOf(node)
      """, as: String.self)
    #expect(selected == "label #title at 4")
    #expect(
      try pair.inspector.runtime.evaluate("models.chosen.label", as: String.self) == "label #title")
  }
}
