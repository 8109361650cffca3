import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem
import TideViews
import WebClients

@testable import TideWeb

@Suite(.serialized) struct HostileClientTests {
  private static let script = """
    fruit = model "fruit" { name = "apple" }
    pressed = 0
    show(view.column {
      view.field { id = "name", bindTo = { text = "<> fruit.name" } },
      view.button { id = "ok", title = "OK", on = { touchUpInside = function() pressed = pressed + 1 end } },
      view.button { title = "never", enabled = false,
        on = { touchUpInside = function() pressed = pressed + 100 end } },
      view.button { title = "gone", hidden = true,
        on = { touchUpInside = function() pressed = pressed + 100 end } },
    })
    """

  private func app(viewers: Int = 32) throws -> ServedApp {
    try ServedApp(Self.script, viewers: viewers)
  }

  private func pressed(_ app: ServedApp) throws -> Int {
    try app.runtime.evaluate("pressed", as: Int.self)
  }

  @Test func `a page shows the app and acts on it`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    client.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    client.say("[2,\"edit\",\(try mirror.node("field")),\"pear\",4,4]")
    try app.run { (try? app.runtime.evaluate("fruit.name", as: String.self)) == "pear" }
    #expect(try pressed(app) == 1)
    while mirror.acknowledged < 2, let message = try app.receive(client) {
      try mirror.apply(message)
    }
    #expect(mirror.acknowledged == 2)
  }

  @Test func `without the token nothing is given`() throws {
    let app = try app()
    for uri in [
      "/", "/ws", "/client.js", "/?token=", "/?token=\(String(repeating: "0", count: 32))",
    ] {
      let client = try RawClient(port: app.port)
      client.send(app.request(uri, cookie: false))
      #expect(client.head().hasPrefix("HTTP/1.1 403"), "\(uri)")
    }
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(cookie: false))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test(arguments: ["http://evil.example", "null", "https://127.0.0.1", ""])
  func `a page of somebody else cannot connect`(origin: String) throws {
    let app = try app()
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(origin: origin))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test func `the token is exchanged for a cookie that scripts cannot read`() throws {
    let app = try app()
    let client = try RawClient(port: app.port)
    client.send(app.request("/?token=\(app.token)", cookie: false))
    let head = client.head().lowercased()
    #expect(head.hasPrefix("http/1.1 303"))
    #expect(head.contains("httponly; samesite=strict"))
    #expect(head.contains("location: /\r\n"))
  }

  @Test func `what a view does not offer is not done`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    let ids = [
      try mirror.node("button", "never"), try mirror.node("button", "gone"), 0, 99999,
      try mirror.node("column"), try mirror.node("field"),
    ]
    for (index, id) in ids.enumerated() { client.say("[\(index + 1),\"press\",\(id)]") }
    client.say("[50,\"select\",\(try mirror.node("field")),3,\"\"]")
    client.say("[51,\"menu\",\(try mirror.node("button", "OK")),[0]]")
    client.say("[52,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? pressed(app)) != 0 }
    #expect(try pressed(app) == 1)
  }

  @Test func `an event that is sent again is done once`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    for _ in 0..<5 { client.say("[1,\"press\",\(ok)]") }
    client.say("[2,\"press\",\(ok)]")
    client.say("[1,\"press\",\(ok)]")
    client.say("[3,\"edit\",\(try mirror.node("field")),\"done\",4,4]")
    try app.run { (try? app.runtime.evaluate("fruit.name", as: String.self)) == "done" }
    #expect(try pressed(app) == 2)
  }

  @Test(arguments: [
    [UInt8](repeating: 0xFF, count: 14), RawClient.frame([1, 2, 3], opcode: 2),
    RawClient.frame(Array("x".utf8)), RawClient.frame(Array("[1,\"set\",1]".utf8)),
    RawClient.frame([], opcode: 11), RawClient.frame(Array("x".utf8), isMasked: false),
    RawClient.frame([], length: 1 << 40), RawClient.frame([], length: (1 << 20) + 1),
    RawClient.frame([0xC0, 0x80]), RawClient.frame(Array("[1".utf8), opcode: 0),
  ])
  func `a broken frame ends its connection, and no other`(bytes: [UInt8]) throws {
    let app = try app()
    let (other, mirror) = try app.viewer()
    let (client, _) = try app.viewer()
    client.send(bytes)
    try app.run { app.service.renderer.viewerCount == 1 }
    #expect(app.service.renderer.viewerCount == 1)
    other.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? pressed(app)) == 1 }
    #expect(try pressed(app) == 1)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n\r\n", "GARBAGE\r\n\r\n", "\u{16}\u{3}\u{1}",
    "GET /../../etc/passwd HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n",
    "GET / HTTP/1.1\r\n" + (0..<100).map { "X\($0): y\r\n" }.joined() + "\r\n",
  ])
  func `a broken request gets no page`(text: String) throws {
    let app = try app()
    let client = try RawClient(port: app.port)
    client.send(text)
    #expect(!client.head().hasPrefix("HTTP/1.1 200"))
  }

  @Test func `a page may run no script but the server's`() throws {
    let app = try ServedApp(Self.script)
    let client = try RawClient(port: app.port)
    client.send(app.request("/", ["Connection: close"]))
    let answer = client.rest().lowercased()
    let policy = try #require(answer.firstMatch(of: /content-security-policy: ([^\r]*)/)).output.1
    #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
    #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"))
    #expect(answer.contains("x-content-type-options: nosniff"))
  }

  @Test func `who asks again and again and reads no answer is left`() throws {
    let app = try ServedApp(Self.script)
    let client = try RawClient(port: app.port)
    let request = app.request("/" + (try app.script().split(separator: "/").last ?? ""))
    var count = 0
    while count < 100_000, client.send(request) { count += 1 }
    #expect(count < 100_000)
  }

  @Test func `views of the past, behind a dialog and in other tabs do nothing`() throws {
    let app = try ServedApp(
      """
      done = model "done" { count = 0, isGone = false, isAsking = false, row = 0 }
      local function act() done.count = done.count + 1 end
      local function acts(title) return view.button { title = title, on = { touchUpInside = act } } end
      show(view.column {
        function() return done.isGone and {} or { acts "past" } end,
        acts "behind",
        view.tabs { titles = { "a", "b" }, acts "chosen",
          view.column { acts "other", view.field { label = "other", on = { editingChanged = act } },
            view.scroll { id = "scroll", height = 2, width = 9, view.textArea { height = 9 } } } },
        view.dialog { modal = true, hidden = function() return not done.isAsking end, acts "ask" },
      })
      """)
    let (ann, page) = try app.viewer()
    let numbers = try ["past", "other", "behind", "chosen", "ask"].map {
      try page.node("button", $0)
    }
    let field = try page.node("field", "other")
    try app.runtime.evaluate("done.isGone = true", as: Value.self)
    try app.run { app.runtime.scene?.needsFrame == false }
    ann.say("[1,\"press\",\(numbers[0])]")
    ann.say("[2,\"press\",\(numbers[1])]")
    for (index, event) in ["\"edit\",\(field),\"x\",1,1", "\"key\",\(field),\"x\""].enumerated() {
      ann.say("[\(index + 3),\(event)]")
    }
    ann.say("[5,\"scroll\",\(try page.node("scroll")),0,3]")
    #expect(try app.run { app.service.renderer.viewers.values.contains { $0.lastDone == 5 } })
    try app.runtime.evaluate("done.isAsking = true", as: Value.self)
    try app.run { app.runtime.scene?.needsFrame == false }
    ann.say("[6,\"press\",\(numbers[2])]")
    ann.say("[7,\"press\",\(numbers[3])]")
    #expect(try app.run { app.service.renderer.viewers.values.contains { $0.lastDone == 7 } })
    #expect(try app.runtime.evaluate("done.count", as: Int.self) == 0)
    #expect(try app.runtime.evaluate("views.scroll.scrollY", as: Int.self) == 0)
    ann.say("[8,\"press\",\(numbers[4])]")
    #expect(try app.run { (try? app.runtime.evaluate("done.count", as: Int.self)) == 1 })
  }

  @Test func `who is sent on and reads nothing gets one answer`() throws {
    let app = try app()
    let client = try RawClient(port: app.port)
    let request = app.request(
      "/", cookie: false, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"])
    client.send(String(repeating: request, count: 50))
    let answers = client.rest().split(separator: "HTTP/1.1 ")
    #expect(answers.count == 1)
  }

  @Test func `who sends pings and reads no answer is left`() throws {
    let app = try app()
    let (client, _) = try app.viewer()
    let pings = Array(
      repeatElement(RawClient.frame([UInt8](repeating: 7, count: 120), opcode: 9), count: 1000)
        .joined())
    var sent = 0
    while sent < 1000, client.send(pings) { sent += 1 }
    #expect(sent < 1000)
    try app.run { app.service.renderer.viewerCount == 0 }
    #expect(app.service.renderer.viewerCount == 0)
  }

  @Test func `only so many viewers are let in`() throws {
    let app = try app(viewers: 2)
    let first = try app.viewer()
    let second = try app.viewer()
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    #expect(client.head().hasPrefix("HTTP/1.1 503"))
    withExtendedLifetime((first, second)) {}
  }

  /// How a page is answered that asks for a connection.
  private func refusal(
    _ app: ServedApp, cookie: Bool = true, page: String
  ) throws -> (code: Int, reason: String)? {
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(cookie: cookie, page: page))
    #expect(client.head().hasPrefix("HTTP/1.1 101"))
    #expect(client.message() == nil)
    #expect(client.isClosed)
    return client.closing
  }

  @Test func `a page hears why it may not come in, and nothing else`() throws {
    let app = try app(viewers: 1)
    let script = try app.script()
    let stranger = try refusal(app, cookie: false, page: script)
    #expect(stranger?.code == 4000)
    #expect(stranger?.reason.contains("open the address that it has printed") == true)
    let old = try refusal(app, page: "http://127.0.0.1:\(app.port)/client-0.js")
    #expect(old?.code == 4001)
    let viewer = try app.viewer()
    let late = try refusal(app, page: script)
    #expect(late?.reason.contains("comes in when another one leaves") == true)
    #expect(app.service.renderer.viewerCount == 1)
    withExtendedLifetime(viewer) {}
  }

  @Test func `a page comes in when another one leaves`() throws {
    let app = try app(viewers: 1)
    let script = try app.script()
    var first: RawClient? = try app.viewer().client
    #expect(try refusal(app, page: script)?.code == 4000)
    first?.send(RawClient.frame([], opcode: 8))
    first = nil
    #expect(try app.run { app.service.renderer.viewerCount == 0 })
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(page: script))
    #expect(client.head().hasPrefix("HTTP/1.1 101"))
    #expect(try app.receive(client)?.hasPrefix("[[\"hello\"") == true)
  }

  @Test func `a page that the host does not let in hears that`() throws {
    var options = WebOptions()
    options.admits = { $0.header("x-user") == "ann" }
    let app = try ServedApp(Self.script, options)
    #expect(try refusal(app, page: "/client-0.js")?.reason.contains("does not let you in") == true)
  }

  @Test func `to say that one is a page of the server's does not help a foreign one`() throws {
    let app = try app()
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(origin: "http://evil.example", page: try app.script()))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test func `what is no handshake at the place of connections is told so`() throws {
    let app = try app()
    for text in [
      app.request("/ws", ["Origin: http://127.0.0.1:\(app.port)"]),
      app.upgrade().replacing("Version: 13", with: "Version: 8"),
    ] {
      let client = try RawClient(port: app.port)
      client.send(text)
      #expect(client.head().hasPrefix("HTTP/1.1 4"))
    }
  }

  @Test func `who sends what no page sends is not heard any more, even if it reads nothing`() throws
  {
    let app = try app()
    let (client, mirror) = try app.viewer()
    let (other, _) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    let long = String(repeating: "x", count: 100_000)
    let field = try mirror.node("field")
    for number in 1...40 { client.say("[\(number),\"edit\",\(field),\"\(number)\(long)\",0,0]") }
    client.say("nonsense")
    for number in 50...60 { client.say("[\(number),\"press\",\(ok)]") }
    #expect(try app.run { app.service.renderer.viewerCount == 1 })
    #expect(try pressed(app) == 0)
    withExtendedLifetime(other) {}
  }

  @Test func `events of the past are done already, and those of the future are events`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    for number in [3, 1, 2, 3, 1_000_000, 4, 999_999, 9_007_199_254_740_991, 1_000_001] {
      client.say("[\(number),\"press\",\(ok)]")
    }
    try app.run { (try? pressed(app)) == 3 }
    #expect(try pressed(app) == 3)
    let (other, _) = try app.viewer()
    other.say("[1,\"press\",\(ok)]")
    try app.run { (try? pressed(app)) == 4 }
    #expect(try pressed(app) == 4)
  }

  @Test(arguments: ["0", "-1", "1.5", "1e300", "92233720368547758070", "\"1\"", "null", "[1]"])
  func `a number that no event has ends the connection`(number: String) throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    client.say("[\(number),\"press\",\(try mirror.node("button", "OK"))]")
    #expect(try app.run { app.service.renderer.viewerCount == 0 })
    #expect(try pressed(app) == 0)
  }

  @Test func `a message that is cut in pieces is one, and one that breaks off is none`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    let name = { try? app.runtime.evaluate("fruit.name", as: String.self) }
    let text = Array("[1,\"edit\",\(try mirror.node("field")),\"a pear of a tree\",0,0]".utf8)
    client.send(RawClient.frame(Array(text.prefix(20)), isFinal: false))
    client.send(RawClient.frame(Array(text.dropFirst(20)), opcode: 0))
    #expect(try app.run { name() == "a pear of a tree" })
    try app.runtime.evaluate("fruit.name = 'apple'", as: Value.self)
    var (broken, _): (RawClient?, PageMirror) = try app.viewer()
    broken?.send(Array(RawClient.frame(text).dropLast(3)))
    broken = nil
    #expect(try app.run { app.service.renderer.viewerCount == 1 })
    #expect(name() == "apple")
  }

  @Test func `more viewers than the system allows sockets are refused`() {
    let error = #expect(throws: TideError.self) { try WebService(WebOptions(viewers: 1 << 30)) }
    #expect(error?.code == .serving)
    #expect(error?.message.contains("ulimit -n") == true)
  }

  @Test func `connections on which nothing comes are bounded, and others go on`() throws {
    let app = try app(viewers: 1)
    let (viewer, mirror) = try app.viewer()
    let silent = try (0..<100).map { _ in try RawClient(port: app.port) }
    // Who came first makes room, so that there is some for who comes now.
    #expect(try app.run { silent[0].hasInput && silent[0].isClosed })
    #expect(!silent[99].hasInput)
    let client = try RawClient(port: app.port)
    client.send(app.request("/"))
    #expect(client.head().hasPrefix("HTTP/1.1 200"))
    viewer.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? pressed(app)) == 1 }
    #expect(try pressed(app) == 1)
  }

  @Test func `what a page asks of views that are none is forgotten`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    for number in 1...200 { client.say("[\(number),\"rows\",\(number * 1000),0,500]") }
    client.say("[300,\"size\",0,100000000,100000000]")
    client.say("[301,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? pressed(app)) == 1 }
    #expect(try pressed(app) == 1)
  }

  @Test func `nobody ends the app from a page`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    for (index, key) in ["Ctrl-C", "Escape", "q", "R", "r", "F10", "Ctrl-Z"].enumerated() {
      client.say("[\(index + 1),\"key\",0,\"\(key)\"]")
    }
    client.say("[50,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? pressed(app)) == 1 }
    #expect(app.runtime.exitCode == nil)
    #expect(try pressed(app) == 1)
  }

  @Test func `a context menu is chosen from, where its item can be`() throws {
    let app = try ServedApp(
      """
      pressed = 0
      show(view.label { text = "x", contextMenu = {
        { title = "one", command = function() pressed = pressed + 1 end },
        { title = "none", enabled = false, command = function() pressed = pressed + 100 end },
        { title = "more", items = { { title = "ten", command = function() pressed = pressed + 10 end } } },
      } })
      """)
    let (client, mirror) = try app.viewer()
    let label = try mirror.node("label")
    for (index, path) in ["[1]", "[5]", "[2]", "[]", "[2,0]", "[0]"].enumerated() {
      client.say("[\(index + 1),\"menu\",\(label),\(path)]")
    }
    try app.run { (try? pressed(app)) == 11 }
    #expect(try pressed(app) == 11)
  }

  @Test func `the end of the app is told before the connection closes`() throws {
    let app = try app()
    let (client, _) = try app.viewer()
    app.service.stop()
    var last = ""
    while let message = client.message() { last = message }
    #expect(last.hasPrefix("[[\"end\","))
    #expect(client.isClosed)
  }

  @Test func `who reads nothing gets the state of the time when it reads again`() throws {
    let app = try ServedApp(
      """
      page = model "page" { content = "" }
      show(view.label { bindTo = { text = "page.content" } })
      """)
    let (client, mirror) = try app.viewer()
    for index in 0..<400 {
      try app.runtime.evaluate(
        "page.content = string.rep('\(index % 10)', 100000) .. '\(index)'", as: Value.self)
      try app.run { app.runtime.scene?.needsFrame == false }
    }
    var last = ""
    while !last.hasSuffix("399"), let message = try app.receive(client) {
      try mirror.apply(message)
      last = mirror.root?.children.first?.children.first?.properties["text"]?.text ?? ""
    }
    #expect(last.hasSuffix("399"))
  }

  @Test func `a flood of events is read as fast as the app handles them`() throws {
    let app = try app()
    let (client, mirror) = try app.viewer()
    let field = try mirror.node("field")
    for number in 1...3000 { client.say("[\(number),\"edit\",\(field),\"\(number)\",0,0]") }
    try app.run { (try? app.runtime.evaluate("fruit.name", as: String.self)) == "3000" }
    #expect(try app.runtime.evaluate("fruit.name", as: String.self) == "3000")
  }

  @Test func `a viewer that comes again goes on where it was`() throws {
    let app = try app()
    var (client, mirror) = try app.viewer()
    let session = try #require(mirror.session)
    let ok = try mirror.node("button", "OK")
    client.say("[1,\"press\",\(ok)]")
    try app.run { (try? pressed(app)) == 1 }
    (client, mirror) = try app.viewer(session: session)
    #expect(mirror.session == session)
    #expect(mirror.acknowledged == 1)
    #expect(try mirror.node("button", "OK") == ok)
    client.say("[1,\"press\",\(ok)]")
    client.say("[2,\"press\",\(ok)]")
    try app.run { (try? pressed(app)) == 2 }
    #expect(try pressed(app) == 2)
  }
}
