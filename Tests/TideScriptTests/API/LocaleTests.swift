import TideBindings
import TideScript
import Testing

@Suite struct `The locale of an app` {
  private func locale(_ configuration: Runtime.Configuration) throws -> String {
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    return try runtime.evaluate("app.locale", as: String.self)
  }

  @Test(arguments: [("de", "de"), ("de_AT.UTF-8", "de-AT"), ("xx", "xx")])
  func `is the one that the host gives`(_ given: String, _ found: String) throws {
    var configuration = Runtime.Configuration()
    configuration.locale = given
    #expect(try locale(configuration) == found)
  }

  @Test func `is English with a clock of the host's`() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    #expect(try locale(configuration) == "en")
  }

  @Test func `is the host's again after a reset`() throws {
    var configuration = Runtime.Configuration()
    configuration.locale = "de"
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate("app.locale = 'fr'", as: Value.self)
    // There is no such file, but what the app kept is dropped before that is found.
    #expect(throws: TideError.self) { try runtime.reset() }
    #expect(try runtime.evaluate("app.locale", as: String.self) == "de")
  }
}
