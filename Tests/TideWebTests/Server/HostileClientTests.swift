import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem
import TideViews
import WebClients

@testable import TideWeb

/// Clients that send broken things, send too much, or read nothing.
@Suite(.serialized) struct HostileClientTests {
  @Test func `a page shows the app and acts on it`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    client.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    client.say("[2,\"edit\",\(try mirror.node("field")),0,5,\"pear\"]")
    try app.run { (try? app.runtime.evaluate("fruit.name", as: String.self)) == "pear" }
    #expect(try app.pressed() == 1)
    while mirror.acknowledged < 2, let message = try app.receive(client) {
      try mirror.apply(message)
    }
    #expect(mirror.acknowledged == 2)
  }

  @Test(arguments: [
    [UInt8](repeating: 0xFF, count: 14), RawClient.frame([1, 2, 3], opcode: 2),
    RawClient.frame(Array("x".utf8)), RawClient.frame(Array("[1,\"set\",1]".utf8)),
    RawClient.frame([], opcode: 11), RawClient.frame(Array("x".utf8), isMasked: false),
    RawClient.frame([], length: 1 << 40), RawClient.frame([], length: (1 << 20) + 1),
    RawClient.frame([0xC0, 0x80]), RawClient.frame(Array("[1".utf8), opcode: 0),
  ])
  func `a broken frame ends its connection, and no other`(bytes: [UInt8]) throws {
    let app = try ServedApp.fruit()
    let (other, mirror) = try app.viewer()
    let (client, _) = try app.viewer()
    client.send(bytes)
    try app.run { app.service.renderer.viewerCount == 1 }
    #expect(app.service.renderer.viewerCount == 1)
    other.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? app.pressed()) == 1 }
    #expect(try app.pressed() == 1)
  }

  @Test(arguments: [
    (RawClient.frame([UInt8](repeating: UInt8(ascii: "x"), count: 1_572_864)), 1009),
    (RawClient.frame([], length: 1 << 40), 1009), (RawClient.frame(Array("x".utf8)), 1008),
    (RawClient.frame([1, 2, 3], opcode: 2), 1003),
    (RawClient.frame([], opcode: 9, isFinal: false), 1002),
    (RawClient.frame(Array("[2,\"focus\",0]".utf8), isMasked: false), 1002),
    (RawClient.frame(Array("[2,\"focus\",0]".utf8), opcode: 0x41), 1002),
    (RawClient.frame([], opcode: 0x29), 1002),
    (RawClient.frame(Array("[2,\"focus\",0]".utf8), opcode: 0), 1002),
  ])
  func `who is sent away hears why`(bytes: [UInt8], code: Int) throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    // What came before is still done.
    client.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    client.send(bytes)
    #expect(try app.run { app.service.renderer.viewerCount == 0 })
    #expect(try app.pressed() == 1)
    while client.message() != nil {}
    #expect(client.closing?.code == code)
    #expect(client.closing?.reason.hasPrefix("The app has closed the connection: ") == true)
  }

  @Test(arguments: [
    "\"rows\",VIEW,0,501", "\"scroll\",VIEW,null,0",
    "\"menu\",VIEW,[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "\"key\",VIEW,\"Hyper-x\"",
  ])
  func `what is beyond a limit is refused with words, and the page goes on`(event: String) throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    client.say("[1,\(event.replacing("VIEW", with: "\(ok)"))]")
    client.say("[2,\"press\",\(ok)]")
    #expect(try app.run { (try? app.pressed()) == 1 })
    var refused: [JSON] = []
    while mirror.acknowledged < 2, let message = try app.receive(client) {
      refused += try JSON(message).items.filter { $0[0].text == "refused" }
      try mirror.apply(message)
    }
    #expect(mirror.acknowledged == 2)
    #expect(refused.map { $0[1].integer } == [ok])
    #expect(refused.first?[2].text.hasPrefix("The app ") == true)
  }

  @Test func `who has very much refused is sent away`() throws {
    let app = try ServedApp.fruit()
    let (client, _) = try app.viewer()
    for number in 1...200 { client.say("[\(number),\"key\",0,\"Hyper-x\"]") }
    #expect(try app.run { app.service.renderer.viewerCount == 0 })
  }

  @Test func `a page is told what it may send, and what it says in the app's language`() throws {
    let app = try ServedApp(
      """
      app.locale = "de"
      strings { de = { ["Hide"] = "Verbergen", ["The app does not know that key."] = "Keine Taste." } }
      show(view.label { text = "x" })
      """)
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    _ = client.head()
    let hello = try JSON(try #require(try app.receive(client))).items[0][1]
    #expect(hello["message"]?.integer == PageLimits.message)
    #expect(hello["rows"]?.integer == PageLimits.rows)
    #expect(hello["hide"]?.text == "Verbergen")
    #expect(hello["lost"]?.text == "Connecting again…")
    #expect(hello["refused"]?.text.contains("1.048.576") == true)
    client.say("[1,\"key\",0,\"Hyper-x\"]")
    var refused = ""
    while refused.isEmpty, let message = try app.receive(client) {
      refused = try JSON(message).items.first { $0[0].text == "refused" }?[2].text ?? ""
    }
    #expect(refused == "Keine Taste.")
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
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(text)
    #expect(!client.head().hasPrefix("HTTP/1.1 200"))
  }

  @Test(arguments: ["HEAD", "GET HTTP/1.0"])
  func `only a GET of HTTP 1.1 opens a connection`(start: String) throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    let words = start.split(separator: " ")
    client.send(
      app.upgrade().replacing(
        "GET /ws HTTP/1.1", with: "\(words[0]) /ws \(words.count > 1 ? words[1] : "HTTP/1.1")"))
    #expect(client.head().contains(" 426 "))
  }

  @Test func `who asks again and again and reads no answer is left`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    let request = app.request("/" + (try app.script().split(separator: "/").last ?? ""))
    var count = 0
    while count < 100_000, client.send(request) { count += 1 }
    #expect(count < 100_000)
  }

  @Test func `who is sent on and reads nothing gets one answer`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    let request = app.request(
      "/", cookie: false, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"])
    client.send(String(repeating: request, count: 50))
    let answers = client.rest().split(separator: "HTTP/1.1 ")
    #expect(answers.count == 1)
  }

  @Test func `who sends pings and reads no answer is left`() throws {
    let app = try ServedApp.fruit()
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

  @Test func `who sends what no page sends is not heard any more, even if it reads nothing`() throws
  {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let (other, _) = try app.viewer()
    let ok = try mirror.node("button", "OK")
    let long = String(repeating: "x", count: 100_000)
    let field = try mirror.node("field")
    for number in 1...40 {
      client.say("[\(number),\"edit\",\(field),0,\(number == 1 ? 5 : 100_000),\"\(long)\"]")
    }
    client.say("nonsense")
    for number in 50...60 { client.say("[\(number),\"press\",\(ok)]") }
    #expect(try app.run { app.service.renderer.viewerCount == 1 })
    #expect(try app.pressed() == 0)
    withExtendedLifetime(other) {}
  }

  @Test func `a message that is cut in pieces is one, and one that breaks off is none`() throws {
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let name = { try? app.runtime.evaluate("fruit.name", as: String.self) }
    let text = Array("[1,\"edit\",\(try mirror.node("field")),0,5,\"a pear of a tree\"]".utf8)
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

  @Test func `connections on which nothing comes are bounded, and others go on`() throws {
    let app = try ServedApp.fruit(viewers: 1)
    let (viewer, mirror) = try app.viewer()
    let silent = try (0..<100).map { _ in try RawClient(port: app.port) }
    // Who came first makes room, so that there is some for who comes now.
    #expect(try app.run { silent[0].hasInput && silent[0].isClosed })
    #expect(!silent[99].hasInput)
    let client = try RawClient(port: app.port)
    client.send(app.request("/"))
    #expect(client.head().hasPrefix("HTTP/1.1 200"))
    viewer.say("[1,\"press\",\(try mirror.node("button", "OK"))]")
    try app.run { (try? app.pressed()) == 1 }
    #expect(try app.pressed() == 1)
  }

  @Test func `the end of the app is told before the connection closes`() throws {
    let app = try ServedApp.fruit()
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
    let app = try ServedApp.fruit()
    let (client, mirror) = try app.viewer()
    let field = try mirror.node("field")
    for number in 1...3000 {
      let former = number == 1 ? 5 : "\(number - 1)".count
      client.say("[\(number),\"edit\",\(field),0,\(former),\"\(number)\"]")
    }
    try app.run { (try? app.runtime.evaluate("fruit.name", as: String.self)) == "3000" }
    #expect(try app.runtime.evaluate("fruit.name", as: String.self) == "3000")
  }

  @Test func `a viewer that comes again goes on where it was`() throws {
    let app = try ServedApp.fruit()
    var (client, mirror) = try app.viewer()
    let session = try #require(mirror.session)
    let ok = try mirror.node("button", "OK")
    client.say("[1,\"press\",\(ok)]")
    try app.run { (try? app.pressed()) == 1 }
    (client, mirror) = try app.viewer(session: session)
    #expect(mirror.session == session)
    #expect(mirror.acknowledged == 1)
    #expect(try mirror.node("button", "OK") == ok)
    client.say("[1,\"press\",\(ok)]")
    client.say("[2,\"press\",\(ok)]")
    try app.run { (try? app.pressed()) == 2 }
    #expect(try app.pressed() == 2)
  }
}
