import Testing
import TideScript
import TideBindings
import TideGraph

@Suite struct `Data objects of scripts` {
  @Test func `a model has properties, computed values and methods`() throws {
    let runtime = try Runtime(file: "test.lua")
    _ = try runtime.evaluate(
      """
      person = model "person" { first = "Jim", last = "Beam", age = 12,
        full = computed(function(self) return self.first .. " " .. self.last end),
        grow = function(self, years) self.age = self.age + years return self.age end }
      """, as: Value.self)
    #expect(try runtime.evaluate("person.full", as: Value.self) == "Jim Beam")
    _ = try runtime.evaluate("person.first = 'Jack'", as: Value.self)
    #expect(try runtime.evaluate("person.full", as: Value.self) == "Jack Beam")
    #expect(try runtime.evaluate("person:grow(3)", as: Value.self) == 15)
    #expect(try runtime.evaluate("models.person == person", as: Value.self) == true)
    #expect(
      try runtime.evaluate("tostring(person)", as: Value.self)
        == "person { age = 15, first = \"Jack\", full = \"Jack Beam\", last = \"Beam\" }")
  }

  @Test func `a misspelt property names the nearest one`() throws {
    let runtime = try Runtime(file: "test.lua")
    _ = try runtime.evaluate("person = object { name = 'Jim' }", as: Value.self)
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("person.nmae", as: Value.self)
    }
    #expect(error?.code == .unknownProperty)
    #expect(error?.message.contains("did you mean \"name\"") == true)
    let written = #expect(throws: TideError.self) {
      try runtime.evaluate("person.nam = 1", as: Value.self)
    }
    #expect(written?.message.contains("did you mean \"name\"") == true)
  }

  @Test func `bindings from Lua convert and follow`() throws {
    let runtime = try Runtime(file: "test.lua")
    _ = try runtime.evaluate(
      """
      transformer("shout", function(s) return s:upper() .. "!" end)
      a = object { name = "fig", n = 33 }
      b = object { text = "", count = "" }
      bind("name -> text | shout", a, b)
      bind("n -> count", a, b)
      """, as: Value.self)
    #expect(try runtime.evaluate("b.text", as: Value.self) == "FIG!")
    #expect(try runtime.evaluate("b.count", as: Value.self) == "33")
    _ = try runtime.evaluate("a.name = 'pear' a.n = 0.1", as: Value.self)
    #expect(try runtime.evaluate("b.text .. b.count", as: Value.self) == "PEAR!0.1")
  }
}
