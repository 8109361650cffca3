import TestFolders
import Testing
import TideBindings
import TideLua
import TideScript
import TideStore
import TideSystem
import WebClients

@testable import TideWeb

/// What private sessions keep by `session.keep`, over restarts of the server.
@Suite(.serialized) struct KeptSessionsTests {
  /// What runs the app of a session.
  enum Host: CaseIterable {
    case thread, worker
  }

  private typealias Page = (client: RawClient, mirror: PageMirror)

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A server whose sessions keep their filter in one database.
  private func serve(_ host: Host, letsPeopleIn: Bool = true) throws -> ServedApp {
    var options = WebOptions()
    options.tokenFile = folder.path + "/token"
    if letsPeopleIn { options.admits = { $0.header("X-User").map { WebPerson($0) } } }
    let path = folder.path
    switch host {
    case .thread:
      options.sessions = .private { try Self.runtime(path) }
      return try ServedApp("", options)
    case .worker:
      let workers = WorkerOptions(turn: 5, shared: SharedModels()) { _, _, _ in }
      return try ServedApp("", options, workers: workers) {
        $0.startWorker = ThreadedWorker.starter { _, _ in PrivateApp(try Self.runtime(path)) }
      }
    }
  }

  private static func runtime(_ folder: String) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.lua.access.store = [folder]
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(
      """
      local db = store.open("\(folder)/desk.db")
      local shown = model "shown" { search = "" }
      local isKept = session.keep(shown)
      show(view.column {
        view.field { bindTo = { text = "<> shown.search" } },
        view.label { text = isKept and "kept" or "not kept" },
      })
      """, as: Value.self)
    return runtime
  }

  /// The text of the first view of a class; an empty one is not sent.
  private func text(_ page: Page, _ name: String = "field") throws -> String? {
    var rest = [try #require(page.mirror.root)]
    while let node = rest.popLast() {
      if node.className == name { return node.properties["text"]?.text ?? "" }
      rest += node.children
    }
    return nil
  }

  /// Types into the field, which is empty, and waits until that is done.
  private func type(_ text: String, in page: Page, of app: ServedApp) throws {
    page.client.say("[1,\"edit\",\(try page.mirror.node("field")),0,0,\"\(text)\"]")
    for _ in 0..<50 where page.mirror.acknowledged < 1 {
      guard let message = try app.receive(page.client) else { break }
      try page.mirror.apply(message)
    }
    #expect(page.mirror.acknowledged == 1)
  }

  @Test(arguments: Host.allCases)
  func `a person finds what they kept when the server has started again`(host: Host) throws {
    do {
      let app = try serve(host)
      let (ann, bo) = (try app.viewer(["X-User: ann"]), try app.viewer(["X-User: bo"]))
      try type("camera", in: ann, of: app)
      try type("laptop", in: bo, of: app)
      #expect(try text(ann, "label") == "kept")
    }
    let app = try serve(host)
    #expect(try text(app.viewer(["X-User: ann"])) == "camera")
    #expect(try text(app.viewer(["X-User: bo"])) == "laptop")
    #expect(try text(app.viewer(["X-User: cleo"])) == "")
  }

  @Test(arguments: Host.allCases)
  func `a browser finds what it kept by its cookie, of which the database has nothing`(
    host: Host
  ) throws {
    let cookie: String
    do {
      let app = try serve(host, letsPeopleIn: false)
      cookie = String(app.address.cookie.drop { $0 != "=" }.dropFirst())
      try type("camera", in: app.viewer(), of: app)
    }
    for suffix in ["", "-wal"] {
      let bytes = folder.readBytes("desk.db" + suffix)
      #expect(bytes.isEmpty || !bytes.contains(Array(cookie.prefix(16).utf8)))
    }
    let app = try serve(host, letsPeopleIn: false)
    let client = try RawClient(port: app.port)
    client.send(
      app.address.upgrade(cookie: false, ["Cookie: tidelock-\(app.port)=\(cookie)"]))
    _ = client.head()
    let mirror = PageMirror()
    try mirror.apply(try #require(try app.receive(client)))
    #expect(try text((client, mirror)) == "camera")
    // Another browser, by the cookie that this address has got.
    #expect(try text(app.viewer()) == "")
  }

  @Test func `the owner of a session is the person, else the browser, else nobody`() {
    let ann = PlaceHolder(person: "ann", browser: "3f", address: nil)
    #expect(ann.sessionOwner == .named("person:ann"))
    let browser = PlaceHolder(browser: "3f", address: "192.0.2.1")
    guard case .named(let name) = browser.sessionOwner else {
      Issue.record("a browser owns nothing")
      return
    }
    #expect(name.hasPrefix("browser:") && !name.contains(":3f"))
    #expect(PlaceHolder(browser: "40", address: nil).sessionOwner != browser.sessionOwner)
    let named = PlaceHolder(person: name, browser: nil, address: nil)
    #expect(named.sessionOwner != browser.sessionOwner)
    #expect(PlaceHolder(browser: nil, address: "192.0.2.1").sessionOwner == .page)
  }
}
