import TideBindings
import TideGraph
import TideScript
import Testing

@Suite struct `Names in an app that runs` {
  @Test func `are listed where nothing bears them, until something does`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate("model 'fruit' { name = 'fig' }", as: Value.self)
    runtime.finish()
    try runtime.evaluate(
      """
      t = object { s = '' }
      bind('friut.name -> t.s', { roots = { t = t } })
      label = view.label { bindTo = { text = 'friut.name' } }
      """, as: Value.self)
    runtime.turn(timeout: 0)
    runtime.turn(timeout: 0)
    #expect(runtime.errors.map(\.code) == [.unresolvedName, .unresolvedName])
    #expect(
      runtime.errors.first?.message
        == "there is no model or view named \"friut\"; did you mean \"fruit\"?")
    try runtime.evaluate("model 'friut' { name = 'kiwi' }", as: Value.self)
    #expect(try runtime.evaluate("t.s", as: Value.self) == "kiwi")
    #expect(try runtime.evaluate("label.text", as: Value.self) == "kiwi")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `are missed once, although both ends of a binding have them`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate("bind 'nobody.x -> nobody.y'", as: Value.self)
    runtime.finish()
    #expect(runtime.errors.map(\.code) == [.unresolvedName])
  }

  @Test func `that come with the same turn are waited for`() throws {
    let runtime = try Runtime(file: "app.lua")
    runtime.finish()
    try runtime.evaluate(
      """
      t = object { s = '' }
      bind('fruit.name -> t.s', { roots = { t = t } })
      model 'fruit' { name = 'fig' }
      """, as: Value.self)
    runtime.turn(timeout: 0)
    #expect(runtime.errors.isEmpty)
    #expect(try runtime.evaluate("t.s", as: Value.self) == "fig")
  }

  @Test func `are models before roots, in bindings of views as in others`() throws {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(
      """
      model 'fruit' { name = 'fig' }
      t = object { s = '' }
      local roots = { fruit = object { name = 'root' }, other = object { name = 'other' }, t = t }
      bind('fruit.name -> t.s', { roots = roots })
      label = view.label { bindTo = { text = { path = 'other.name', roots = roots } } }
      both = view.label { bindTo = {
        text = { path = { 'fruit.name', 'other.name' }, format = '%s %s', roots = roots },
      } }
      """, as: Value.self)
    runtime.finish()
    #expect(try runtime.evaluate("t.s", as: Value.self) == "fig")
    #expect(try runtime.evaluate("label.text", as: Value.self) == "other")
    #expect(try runtime.evaluate("both.text", as: Value.self) == "fig other")
    #expect(runtime.errors.isEmpty)
  }
}
