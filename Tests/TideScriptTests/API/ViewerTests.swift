import TideBindings
import TideScript
import Testing

@Suite struct `The viewer of an app` {
  private func makeRuntime(locale: String? = nil) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.locale = locale
    return try Runtime(file: "app.lua", configuration: configuration)
  }

  private func perform(_ script: String, in runtime: Runtime) {
    #expect(throws: Never.self) { try runtime.evaluate(script, as: Value.self) }
  }

  private let ann = Viewer(name: "ann", address: "192.0.2.7", locale: "de-CH")
  private let bob = Viewer(name: "bob", address: "192.0.2.8", locale: "fr")

  @Test func `has neither name nor address where nobody says so, and the language of the app`()
    throws
  {
    let runtime = try makeRuntime(locale: "de_AT")
    let text = "return viewer.name .. '|' .. viewer.address .. '|' .. viewer.locale"
    #expect(try runtime.evaluate(text, as: String.self) == "||de-AT")
    runtime.viewer = ann
    #expect(try runtime.evaluate(text, as: String.self) == "ann|192.0.2.7|de-CH")
    runtime.viewer = .unknown
    #expect(try runtime.evaluate(text, as: String.self) == "||de-AT")
  }

  @Test func `is bound to, and cannot be written`() throws {
    let runtime = try makeRuntime()
    try runtime.evaluate(
      """
      label = view.label { bindTo = { text = "viewer.name" } }
      model "room" { guest = "" }
      bind "viewer.name -> room.guest"
      """, as: Value.self)
    runtime.viewer = ann
    runtime.settle()
    #expect(try runtime.evaluate("return models.room.guest", as: String.self) == "ann")
    #expect(try runtime.evaluate("return label.text", as: String.self) == "ann")
    let error = #expect(throws: (any Error).self) {
      try runtime.evaluate("viewer.name = 'eve'", as: Value.self)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("is read only"))
  }

  @Test func `is that of who has begun a task, whenever it goes on`() throws {
    let runtime = try makeRuntime()
    try runtime.evaluate("seen = {}", as: Value.self)
    runtime.run(as: Performer(ann)) {
      perform(
        """
        spawn(function()
          seen[1] = viewer.name
          sleep(1)
          seen[2] = viewer.name
          after(1, function() seen[3] = viewer.name end)
        end)
        """, in: runtime)
    }
    runtime.noteActing(bob)
    runtime.loop.advance(by: 3)
    #expect(
      try runtime.evaluate("return table.concat(seen, ' ')", as: String.self) == "ann ann ann")
    #expect(try runtime.evaluate("return viewer.name", as: String.self) == "bob")
    #expect(runtime.viewer == bob)
  }

  @Test(arguments: [
    "after(1, note)", "every(1, note)", "spawn(function() sleep(1) note() end)",
    """
    bind("from -> to", box, box, { delay = 1 })
    box.from = 2
    """,
    "after(0.5, function() after(0.5, note) end)",
  ])
  func `is nobody in what the program has set going`(script: String) throws {
    let runtime = try makeRuntime()
    try runtime.evaluate(
      """
      seen = {}
      function note() seen[#seen + 1] = "'" .. viewer.name .. "'" end
      box = object { from = 1, to = 0 }
      observe(box, "to", note)
      """, as: Value.self)
    try runtime.evaluate(script, as: Value.self)
    runtime.noteActing(bob)
    runtime.loop.advance(by: 1.1)
    #expect(try runtime.evaluate("return seen[#seen]", as: String.self) == "''")
    #expect(runtime.viewer == bob)
  }

  @Test func `is not switched for effects and resources that have nothing to do with a timer`()
    throws
  {
    let runtime = try makeRuntime()
    try runtime.evaluate(
      """
      names, fetches = {}, 0
      box = object { count = 0 }
      effect(function() names[#names + 1] = viewer.name end)
      page = resource(function() fetches = fetches + 1 return viewer.name end)
      isBob = object { value = computed(function() return viewer.name == "bob" end) }
      tick, seen = every(1, function() seen = isBob.value end), nil
      """, as: Value.self)
    runtime.noteActing(bob)
    #expect(try runtime.evaluate("return isBob.value", as: Bool.self))
    runtime.loop.advance(by: 3.1)
    #expect(try runtime.evaluate("return seen", as: Bool.self) == false)
    #expect(try runtime.evaluate("return isBob.value", as: Bool.self))
    #expect(try runtime.evaluate("return table.concat(names, ' ')", as: String.self) == " bob")
    #expect(try runtime.evaluate("return fetches .. page.value", as: String.self) == "2bob")
    // Their dependencies are as before.
    runtime.noteActing(ann)
    #expect(try runtime.evaluate("return table.concat(names, ' ')", as: String.self) == " bob ann")
    #expect(try runtime.evaluate("return fetches .. page.value", as: String.self) == "3ann")
  }

  @Test func `is the last to act again in an effect that a timer has had run`() throws {
    let runtime = try makeRuntime()
    try runtime.evaluate(
      """
      names, box = {}, object { count = 0 }
      effect(function() names[#names + 1] = box.count .. viewer.name end)
      after(1, function() box.count = 1 end)
      """, as: Value.self)
    runtime.noteActing(bob)
    runtime.loop.advance(by: 1.1)
    #expect(
      try runtime.evaluate("return table.concat(names, ' ')", as: String.self) == "0 0bob 1 1bob")
  }

  @Test func `is that of who has set a timer though another has acted since`() throws {
    let runtime = try makeRuntime()
    try runtime.evaluate("seen = {}", as: Value.self)
    runtime.run(as: Performer(ann)) {
      perform(
        """
        local function note() seen[#seen + 1] = viewer.name end
        after(1, note)
        every(1, note)
        after(0.5, function() after(0.5, note) end)
        local box = object { from = 1, to = 0 }
        observe(box, "to", note)
        bind("from -> to", box, box, { delay = 1 })
        box.from = 2
        """, in: runtime)
    }
    runtime.noteActing(bob)
    runtime.loop.advance(by: 1.2)
    #expect(
      try runtime.evaluate("return table.concat(seen, ' ')", as: String.self)
        == "ann ann ann ann ann")
    #expect(runtime.viewer == bob)
  }

  @Test func `a model of that name comes first, as with every name`() throws {
    let runtime = try makeRuntime()
    runtime.viewer = ann
    try runtime.evaluate(
      """
      model "viewer" { name = "own" }
      model "room" { guest = "" }
      bind "viewer.name -> room.guest"
      """, as: Value.self)
    #expect(try runtime.evaluate("return models.room.guest", as: String.self) == "own")
  }
}
