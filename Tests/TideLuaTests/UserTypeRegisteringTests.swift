import Testing
import TideLua

@Suite struct `Registered classes` {
  class Animal: TideConvertible {
    var name = "Rex", legs = 4
    func sound() -> String { "…" }
  }
  class Dog: Animal { var tricks = 0 }
  final class Puppy: Dog {}

  private let state: LuaState

  init() throws { state = try LuaState() }

  private func animals() -> LuaUserType<Animal> {
    let type = LuaUserType<Animal>("Animal")
    type.property("name", \.name)
    type.property("legs", \.legs)
    type.method("sound") { (animal: Animal) in animal.sound() }
    type.method("kind") { (_: Animal) in "animal" }
    type.operator(.length) { (animal: Animal) in animal.legs }
    type.function("new") { Animal() }
    return type
  }

  private func dogs() -> LuaUserType<Dog> {
    let type = LuaUserType<Dog>("Dog")
    type.property("tricks", \.tricks)
    type.property("legs") { (_: Dog) in 40 }
    type.method("kind") { (_: Dog) in "dog" }
    type.operator(.description) { (dog: Dog) in "dog \(dog.name)" }
    type.function("new") { Dog() }
    type.function("puppy") { () -> Dog in Puppy() }
    return type
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  private func expectInheritance() throws {
    for maker in ["Dog.new()", "Dog.puppy()"] {
      let results = try state.run(
        """
        local d = \(maker)
        d.name = "Bo"  d.tricks = 2
        return d.name, d.tricks, d.legs, d:sound(), d:kind(), #d, tostring(d)
        """, name: "=t")
      #expect(results == ["Bo", 2, 40, "…", "dog", 4, "dog Bo"])
    }
    let base = try state.run("local a = Animal.new() return a.legs, a:kind(), #a", name: "=t")
    #expect(base == [4, "animal", 4])
  }

  @Test func `keep what their superclass has`() throws {
    try state.register(animals())
    try state.register(dogs())
    try expectInheritance()
  }

  @Test func `get what a superclass has that is registered later`() throws {
    try state.register(dogs())
    let early = try state.run("early = Dog.new() return early:kind()", name: "=t")
    #expect(early == ["dog"])
    #expect(message("return early.name").contains("Dog has no property or method 'name'"))
    try state.register(animals())
    #expect(try state.run("return early.name, #early", name: "=t") == ["Rex", 4])
    try expectInheritance()
  }

  @Test func `follow a superclass that is registered anew`() throws {
    try state.register(animals())
    try state.register(dogs())
    try state.run("early = Dog.new()", name: "=t")
    let animals = LuaUserType<Animal>("Animal")
    animals.property("age") { (_: Animal) in 3 }
    try state.register(animals)
    #expect(try state.run("return early.age, early.legs", name: "=t") == [3, 40])
    #expect(message("return early.name").contains("Dog has no property or method 'name'"))
    #expect(message("return #early") != "no error")
  }

  @Test func `hide all that they inherit under a name of their own`() throws {
    try state.register(animals())
    try state.register(dogs())
    #expect(message("Dog.new().legs = 3").contains("Dog.legs is read only"))
    #expect(message("Animal.new().legs = 3") == "no error")
  }

  @Test func `do not inherit functions of the class`() throws {
    try state.register(animals())
    let dogs = LuaUserType<Dog>("Dog")
    try state.register(dogs)
    #expect(try state.evaluate("Dog.new", as: LuaValue.self) == .nil)
  }

  @Test func `are no receivers for members of their subclasses`() throws {
    try state.register(animals())
    try state.register(dogs())
    #expect(
      message("Dog.new().kind(Animal.new())").contains(
        "bad argument #1 to 'kind' (Dog expected, got userdata)"))
  }

  @Test func `have constants that scripts cannot change`() throws {
    let type = animals()
    let rex = Animal()
    type.constant("limit", 7)
    type.constant("first", rex)
    type.constant("names", ["Rex", "Bo"])
    try state.register(type)
    let results = try state.run(
      """
      local names = Animal.names
      names[1] = "changed"
      return Animal.limit, Animal.first.name, Animal.names[1], rawequal(Animal.first, Animal.first)
      """, name: "=t")
    #expect(results == [7, "Rex", "Rex", true])
    #expect(message("Animal.limit = 8").contains("a.lua:1:"))
    #expect(message("Animal.names = 8").contains("Animal.names is read only"))
    #expect(try state.evaluate("Animal.first", as: Animal.self) === rex)
  }

  @Test func `have properties of their own`() throws {
    final class Box { var digits = 2 }
    let box = Box()
    let type = animals()
    type.constant("limit", 7)
    type.staticProperty("count") { 5 }
    type.staticProperty("digits") {
      box.digits
    } set: { (digits: Int) in
      guard digits > 0 else { throw LuaError(.runtime, "too few digits") }
      box.digits = digits
    }
    try state.register(type)
    #expect(try state.evaluate("Animal.count + Animal.digits + #Animal.new()", as: Int.self) == 11)
    try state.run("Animal.digits = 6", name: "=t")
    #expect(box.digits == 6)
    #expect(message("Animal.digits = 0").contains("a.lua:1: too few digits"))
    #expect(
      message("Animal.digits = 'x'").contains(
        "a.lua:1: bad value for Animal.digits (number expected, got string)"))
    #expect(message("Animal.count = 1").contains("a.lua:1: Animal.count is read only"))
    #expect(message("Animal.limit = 1").contains("a.lua:1: Animal.limit is read only"))
    #expect(message("Animal.size = 1").contains("a.lua:1: Animal has no property 'size'"))
    #expect(message("rawset(Animal, 'new', 1)") != "no error")
    #expect(try state.evaluate("Animal.size", as: LuaValue.self) == .nil)
    let names = try state.run(
      """
      local names = {}
      for name in pairs(Animal) do names[#names + 1] = name end
      table.sort(names)
      return table.concat(names, " ")
      """, name: "=t")
    #expect(names == ["count digits limit new"])
  }

  @Test func `stay as they were where a constant has no value in Lua`() throws {
    try state.register(animals())
    let type = LuaUserType<Animal>("Animal")
    type.constant("huge", UInt64.max)
    let error = #expect(throws: LuaError.self) { try state.register(type) }
    #expect(error?.message.contains("Animal.huge") == true)
    #expect(try state.evaluate("Animal.new().legs", as: Int.self) == 4)
  }
}
