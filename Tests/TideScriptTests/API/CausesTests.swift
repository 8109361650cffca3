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
