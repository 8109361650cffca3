import OwnThread
import Testing
import TideBindings
import TideLua
import TideScript

@testable import TideREPL

/// What is evaluated from outside reaches what the app's own scripts reach, and no more: at the
/// prompt, at one that attaches, and from an inspector.
@Suite struct `Code from outside runs in the sandbox of the app's scripts` {
  /// What each attempt gives, or the message of its error.
  private static let attempts: [(code: String, outcome: String)] = [
    ("os.execute('touch /tmp/escaped')", "not allowed"), ("io.popen('id')", "not allowed"),
    ("io.open('/etc/passwd')", "not allowed"), ("os.getenv('HOME')", "not allowed"),
    ("os.exit == nil", "true"), ("debug == nil", "true"), ("dofile == nil", "true"),
    ("loadfile == nil", "true"), ("package == nil", "true"),
    ("load(string.dump(function() end))", "dump"), ("require('../escaped')", "escaped"),
    ("setmetatable(string, {})", "cannot"), ("#getmetatable('').__index.x", "x"),
    ("type(getmetatable(_G))", "boolean"),
  ]

  private func expect(_ outcome: String, _ code: String, _ found: String) {
    #expect(found.contains(outcome), "\(code): \(found)")
  }

  private func runtime() throws -> Runtime {
    let runtime = try Runtime(file: "app.lua")
    try runtime.evaluate("looked = model 'looked' { text = '' }", as: Value.self)
    return runtime
  }

  @Test func `at a prompt`() throws {
    let session = try Session(try runtime())
    for (code, outcome) in Self.attempts {
      switch session.run(code) {
      case .values(let values): expect(outcome, code, values.joined())
      case .failed(let error): expect(outcome, code, error.message)
      default: Issue.record("\(code)")
      }
    }
  }

  @Test func `at a prompt that attaches`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      let client = try app.attach()
      for (code, outcome) in Self.attempts {
        let answer = client.answer(to: client.request("evaluate", ["text": .text(code)]))
        let found = answer?.texts("values")?.joined() ?? answer?.text("message") ?? ""
        expect(outcome, code, found)
      }
    }
  }

  @Test func `from an inspector`() throws {
    let runtime = try runtime()
    let inspection = try Inspection(runtime) { _ in }
    let children = inspection.answer(Message("inspect", ["ask": "children", "node": "models"]))
    let item = try #require(children.texts("items")?.first)
    let node = try #require(item.firstMatch(of: /"node":"(o\d+)"/)).output.1
    for (code, outcome) in Self.attempts {
      let answer = inspection.answer(
        Message(
          "inspect",
          [
            "ask": "set", "node": .text(String(node)), "name": "text",
            "text": .text("tostring((\(code)))"),
          ]))
      let written = try runtime.evaluate("looked.text", as: String.self)
      expect(outcome, code, answer.text("error") ?? written)
    }
    // What the app may do, the inspector may do too: it is the app's own sandbox.
    #expect(!runtime.configuration.lua.access.run)
  }

  @Test func `with what the host allows the scripts, and nothing beside`() throws {
    var configuration = Runtime.Configuration()
    configuration.lua.access.environment = ["HOME"]
    let session = try Session(try Runtime(file: "app.lua", configuration: configuration))
    guard case .values = session.run("os.getenv('HOME')"),
      case .failed(let error) = session.run("os.getenv('PATH')")
    else {
      Issue.record("the host's list is not the session's")
      return
    }
    #expect(error.message.contains("PATH"))
  }
}
