import Testing
import TideBindings
import TideRun
import TideScript

/// The errors of tasks when the app ends before anybody could have awaited them.
@Suite struct `A task that fails as the app ends` {
  private func ended(_ script: String, expecting code: Int32) throws -> Runtime {
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = VirtualClock()
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(script, as: Value.self)
    #expect(try runtime.runUntilExit() == code)
    return runtime
  }

  @Test(arguments: [
    "after(1, function() spawn(error, 'lost') exit(3) end)",
    "after(1, function() exit(3) end) hot.dispose(function() spawn(error, 'lost') end)",
    "after(1, function() spawn(error, 'lost') end) after(1, function() exit(3) end)",
  ])
  func `has its error listed`(_ script: String) throws {
    #expect(try ended(script, expecting: 3).errors.map(\.message) == ["lost"])
  }

  @Test func `has no error listed if it was awaited`() throws {
    let runtime = try ended(
      "after(1, function() pcall(await, spawn(error, 'known')) exit(3) end)", expecting: 3)
    #expect(runtime.errors.isEmpty)
  }
}
