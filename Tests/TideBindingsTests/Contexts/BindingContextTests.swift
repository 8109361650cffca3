import Testing
import TideBindings
import TideGraph

/// Objects that join a graph when they are bound.
@Suite struct `A binding's ends` {
  private final class Meter: DataObject {
    @Property var level = 0
    @Property var shown = 0
  }

  @Test func `join the context's graph, whose values stay`() {
    let source = Meter(), target = Meter(), context = BindingContext()
    source.level = 3
    target.level = 4
    #expect(source.isUnjoined && target.isUnjoined)
    context.bind(source.$level, to: target.$shown)
    #expect(!source.isUnjoined && !target.isUnjoined)
    #expect(source.level == 3 && target.level == 4 && target.shown == 3)
  }

  /// The graph outlives the objects in it.
  @inline(never)
  private func bindOther(_ context: BindingContext, to target: Meter, in other: Graph) -> Binding {
    let foreign = Meter()
    foreign.join(other)
    return context.bind(foreign.$level, to: target.$level)
  }

  @Test func `belong to nobody still where the binding cannot be made`() throws {
    let own = Meter(), target = Meter(), context = BindingContext()
    context.bind(own.$level, to: own.$shown)
    let other = try Graph()
    let binding = withExtendedLifetime(other) { bindOther(context, to: target, in: other) }
    #expect(!binding.isAlive)
    #expect(BindingTable.current.errors.last?.code == .graph)
    #expect(target.isUnjoined)
  }
}

@Suite struct `Being told before a write` {
  private final class Person: DataObject {
    @Property var name = "Ada"
    @Property(validate: { $0 > 10 ? .replace(10) : .accept }) var age = 1
    @Computed({ (p: Person) in p.name + "!" }) var greeting: String
  }

  @Test func `reaches what Swift writes to a declared property`() throws {
    let context = BindingContext()
    let person = Person()
    var seen: [String] = []
    try context.observePrior(person, "name") { new, old in
      if case .string(let new) = new, case .string(let old) = old {
        seen.append("\(old)>\(new) while \(person.name)")
      }
    }
    person.name = "Eve"
    person.name = "Eve"
    #expect(seen == ["Ada>Eve while Ada"])
    #expect(person.name == "Eve")
    context.removeAll()
    person.name = "Bo"
    #expect(seen.count == 1)
  }

  @Test func `tells what a validator lets through`() throws {
    let context = BindingContext()
    let person = Person()
    var seen: [Value] = []
    try context.observePrior(person, "age") { new, _ in seen.append(new) }
    person.age = 50
    #expect(seen == [.integer(10)])
    #expect(person.age == 10)
  }

  @Test func `reaches what typed bindings carry`() throws {
    let context = BindingContext()
    let person = Person(), other = Person()
    context.bind(person.$name, to: other.$name) { $0 + "?" }
    var seen: [Value] = []
    try context.observePrior(other, "name") { new, _ in seen.append(new) }
    person.name = "Eve"
    #expect(seen == [.string("Eve?")])
    #expect(other.name == "Eve?")
  }

  @Test func `is refused for a computed property`() {
    let context = BindingContext()
    #expect(throws: TideError.self) {
      try context.observePrior(Person(), "greeting") { _, _ in }
    }
  }

  @Test func `fails until it goes well, with the latest error`() throws {
    struct Failure: Error {}
    let context = BindingContext()
    let person = Person()
    let table = BindingTable.of(.current)
    var fails = true
    try context.observePrior(person, "name") { _, _ in if fails { throw Failure() } }
    let others = table.errors.count
    person.name = "Eve"
    person.name = "Bo"
    #expect(table.errors.count == others + 1)
    fails = false
    person.name = "Bo"
    #expect(table.errors.count == others + 1)
    person.name = "Cy"
    #expect(table.errors.count == others)
  }

  @Test func `outlives its object without harm`() throws {
    let context = BindingContext()
    var person: Person? = Person()
    try context.observePrior(try #require(person), "name") { _, _ in }
    person = nil
    let next = (0..<10).map { _ in Person() }
    for person in next { person.name = "new" }
    context.removeAll()
    #expect(next.allSatisfy { $0.name == "new" })
  }
}
