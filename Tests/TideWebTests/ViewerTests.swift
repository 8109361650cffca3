import Testing
import TideBindings
import TideScript
import WebClients

@testable import TideWeb

/// Whom scripts see in those who look at an app.
@Suite(.serialized) struct ViewerTests {
  private static let script = """
    log = {}
    show(view.column {
      view.label { bindTo = { text = "viewer.name" } },
      view.button { title = "note", on = { touchUpInside = function()
        log[#log + 1] = viewer.name .. " " .. viewer.locale .. " " .. viewer.address
      end } },
    })
    """

  private func options() -> WebOptions {
    var options = WebOptions()
    options.admits = { $0.header("X-User").map { WebPerson($0) } }
    return options
  }

  private func lines(_ name: String, _ locale: String) -> [String] {
    ["X-User: \(name)", "Accept-Language: \(locale), en;q=0.5"]
  }

  private func log(_ app: ServedApp) throws -> String {
    try app.runtime.evaluate("return table.concat(log, '|')", as: String.self)
  }

  private func label(_ page: PageMirror) throws -> String? {
    page.property("text", of: try page.node("label"))?.text
  }

  /// Takes messages until the label shows a name.
  private func expect(
    _ name: String, in page: (client: RawClient, mirror: PageMirror), of app: ServedApp
  ) throws {
    while try label(page.mirror) != name, let message = try app.receive(page.client) {
      try page.mirror.apply(message)
    }
    #expect(try label(page.mirror) == name)
  }

  @Test func `what a person does is done as them, on the screen that all see`() throws {
    let app = try ServedApp(Self.script, options())
    let ann = try app.viewer(lines("ann", "de-CH"))
    let bob = try app.viewer(lines("bob", "fr"))
    #expect(try label(bob.mirror) ?? "" == "")
    let note = try ann.mirror.node("button", "note")
    ann.client.say("[1,\"press\",\(note)]")
    #expect(try app.run { (try? log(app)) == "ann de-CH 127.0.0.1" })
    bob.client.say("[1,\"press\",\(note)]")
    #expect(try app.run { (try? log(app)) == "ann de-CH 127.0.0.1|bob fr 127.0.0.1" })
    ann.client.say("[2,\"press\",\(note)]")
    #expect(try app.run { (try? log(app))?.hasSuffix("|ann de-CH 127.0.0.1") == true })
    try expect("ann", in: bob, of: app)
    // Somebody uses a terminal beside the pages.
    app.service.renderer.leaveLead()
    #expect(try app.runtime.evaluate("return viewer.name", as: String.self) == "")
  }

  @Test(arguments: [false, true]) func `a private session is that of its owner from the start`(
    isWorker: Bool
  ) throws {
    let make: @Sendable () throws -> Runtime = {
      let runtime = try Runtime(file: "app.lua")
      try runtime.evaluate(Self.script, as: Value.self)
      return runtime
    }
    var options = options()
    var workers: WorkerOptions?
    if isWorker {
      workers = WorkerOptions(turn: 5, shared: SharedModels()) { _, _, _ in }
    } else {
      options.sessions = .private(make)
    }
    let app = try ServedApp("", options, workers: workers) {
      guard isWorker else { return }
      $0.startWorker = ThreadedWorker.starter { _, _ in PrivateApp(try make()) }
    }
    for name in ["ann", "bob"] {
      let page = try app.viewer(lines(name, "de"))
      try expect(name, in: page, of: app)
    }
  }
}
