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
    runtime.viewer = ann
    try runtime.evaluate(
      """
      seen = {}
      spawn(function()
        seen[1] = viewer.name
        sleep(1)
        seen[2] = viewer.name
        sleep(1)
        seen[3] = viewer.name
      end)
      """, as: Value.self)
    runtime.viewer = bob
    runtime.loop.advance(by: 3)
    #expect(
      try runtime.evaluate("return table.concat(seen, ' ')", as: String.self) == "ann ann ann")
    #expect(try runtime.evaluate("return viewer.name", as: String.self) == "bob")
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
