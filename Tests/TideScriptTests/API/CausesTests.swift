import TideBindings
import TideGraph
import TideScript
import Testing

@Suite struct `Causes of a host's values` {
  final class Person: DataObject {
    @Property var name = "Ada"
    @Property var age = 36
  }

  @Test func `a key path asks and leaves what is known as it is`() throws {
    let runtime = try Runtime(file: "app.lua")
    let person = Person()
    // From now on it is known why its values are what they are.
    try runtime.register("person", person)
    person.name = "Eve"
    person.age = 30
    for _ in 0..<2 {
      let name = try #require(try runtime.why(person, \.name).first)
      #expect(name.old == "Ada" && name.new == "Eve" && name.kind == .write)
      let age = try #require(try runtime.why(person, \.age).first)
      #expect(age.old == 36 && age.new == 30)
    }
    #expect(try runtime.why(person, "name").first?.old == "Ada")
    withExtendedLifetime(runtime) {}
  }

  private static let people = """
    local Person = class "Person" { name = "" }
    local shop = model "shop" { query = "", rows = list {
      Person { name = "Ann" }, Person { name = "Bob" }, Person { name = "Cid" } } }
    people = controller.list { name = "people", content = shop.rows,
      filter = function(row) return row.name:find(shop.query, 1, true) ~= nil end }
    local shown = model "shown" { text = "" }
    bind("people.selection.name -> shown.text")
    """

  /// The causes of what is bound to the selection, after a script.
  private func causes(after script: String, of path: String = "text") throws -> [String] {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(Self.people, as: Value.self)
    try runtime.evaluate(script, as: Value.self)
    let model = try #require(runtime.models[path == "text" ? "shown" : "people"])
    return try runtime.why(model, path).map { "\($0)" }
  }

  @Test func `a selection is told by its controller's name, and no other row is named`() throws {
    for path in ["text", "selectionIndex"] {
      let found = try causes(after: "people.selectionIndex = 2", of: path)
      #expect(
        found.last?.hasPrefix("people.selectionIndex: ") == true
          && found.last?.hasSuffix("now 2 by a write at (evaluate):1") == true, "\(found)")
      #expect(!found.contains { $0.contains("controller.list") || $0.contains("Person") })
    }
  }

  @Test func `the writes of a turn are told with their lines, and nothing that follows from them`()
    throws
  {
    let runtime = try Runtime(file: "app.lua")
    runtime.graph.logChanges()
    try runtime.evaluate(
      """
      local fruit = model "fruit" { name = "fig", count = 0 }
      model "shown" { text = "", twice = computed(function() return models.fruit.count * 2 end) }
      bind("fruit.name -> shown.text")
      effect(function() models.shown.other = fruit.count end)
      """, as: Value.self)
    let start = runtime.graph.latestSequence
    try runtime.evaluate(
      """
      local fruit = models.fruit
      fruit.name = "kiwi"
      fruit.count = 1
      fruit.count = 2
      local made = object { size = 3 }
      """, as: Value.self)
    let end = runtime.graph.latestSequence
    try runtime.evaluate("models.fruit.count = 9", as: Value.self)
    let writes = runtime.bindings.rootWrites(
      after: start, upTo: end, knownUpTo: runtime.graph.latestSequence)
    #expect(
      writes.map { "\($0.cause)" } == [
        "fruit.name: \"fig\" before, now \"kiwi\" by a write at (evaluate):2",
        "fruit.count: 0 before, now 1 by a write at (evaluate):3",
        "fruit.count: 1 before, now 2 by a write at (evaluate):4",
      ])
    let hidden = runtime.bindings.rootWrites(
      after: start, upTo: end, knownUpTo: end, isInternal: { $0 == "(evaluate)" })
    #expect(hidden.allSatisfy { $0.cause.location == nil })
  }

  @Test func `what a filter reads is told before the rows that it looks at`() throws {
    let found = try causes(after: "models.shop.query = \"C\"")
    #expect(found.first?.hasPrefix("shown.text: \"Ann\" before, now \"Cid\"") == true, "\(found)")
    #expect(found.contains { $0.hasPrefix("people.arrangedObjects: ") }, "\(found)")
    #expect(
      found.last == "shop.query: \"\" before, now \"C\" by a write at (evaluate):1", "\(found)")
    #expect(!found.contains { $0.contains("controller.list") || $0.contains("Person") })
  }

  @Test func `what is read through a selection is another value by the selection`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(
      """
      local rows = list { object { name = "ann" }, object { name = "bob" } }
      people = controller.list { name = "people", content = rows }
      people.selectionIndex = 2
      """, as: Value.self)
    let people = try #require(runtime.models["people"])
    func causes() throws -> [String] { try runtime.why(people, "selection.name").map { "\($0)" } }
    let found = try causes()
    #expect(found.first == "people.selection.name: now \"bob\" by another selection", "\(found)")
    #expect(
      found.last?.hasPrefix("people.selectionIndex: ") == true
        && found.last?.hasSuffix("now 2 by a write at (evaluate):3") == true, "\(found)")
    try runtime.evaluate("people.selectedObject.name = 'cid'", as: Value.self)
    #expect(try causes().count == 1)
    #expect(try causes()[0].hasSuffix("\"bob\" before, now \"cid\" by a write at (evaluate):1"))
  }

  @Test func `a list is called by the property that it stands in`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(
      """
      local m = model "m" { items = list { 1 }, n = 1 }
      bind("items.@sum -> n", m, m)
      m.items:append(3)
      """, as: Value.self)
    let model = try #require(runtime.models["m"])
    let causes = try runtime.why(model, "n").map { "\($0)" }
    #expect(
      causes == [
        "m.n: 1 before, now 4 by a binding at (evaluate):2",
        "m.items: now list by an edit at (evaluate):3",
      ])
  }
}
