import Testing
import TideBindings
import TideCheck
import TideScript
import TideTest

@Suite struct `Hints for modules of specs` {
  @Test func `a script that requires busted is told what runs specs`() throws {
    var configuration = Runtime.Configuration()
    configuration.moduleHints = SpecVocabulary.moduleHints
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    let failure = try #require(throws: TideError.self) {
      try runtime.evaluate("require \"busted.runner\"", as: Value.self)
    }
    #expect(failure.message.hasSuffix("; tidelock test runs specs"))
  }
}
