import Testing
import TideBindings
import TideScript

@testable import TideReload

@Suite struct `Reports of a runtime` {
  @Test func `tell of reloads and errors, in order, and end with it`() async throws {
    var reports: AsyncStream<RuntimeReport>?
    do {
      let app = try ReloadedApp(["app.lua": "effect(function() end)"])
      reports = app.runtime.reports
      app.save(["app.lua": "print 'good'"])
      app.save(["app.lua": "print("])
      try app.run("effect(function() error 'listed' end)")
    }
    var lines: [String] = []
    for await report in try #require(reports) {
      switch report {
      case .reload(let reload): lines.append(reload.error == nil ? "good" : "bad")
      case .error(let error): lines.append(error.message)
      }
    }
    #expect(lines.count == 3)
    #expect(lines.prefix(2) == ["good", "bad"])
    #expect(lines.last?.contains("listed") == true)
  }
}
