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
    let runtime = try Runtime(path: "app.lua")
    let person = Person()
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
}
