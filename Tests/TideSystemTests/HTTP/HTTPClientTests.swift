import Testing

@testable import TideSystem

struct HTTPClientTests {
  let scene: HTTPScene

  init() throws { scene = try HTTPScene() }

  @Test func `an answer has its status, its headers in order, and its body`() throws {
    let response = try scene.get("/plain")
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["content-length", "x-fruit", "x-fruit"])
    #expect(response.headers.map(\.value) == ["3", "Fig", "plum"])
    #expect(response.header("x-fruit") == "Fig")
    #expect(response.body == Array("fig".utf8))
    #expect(response.url == scene.server.url("/plain"))
  }

  @Test func `bodies come in chunks, compressed, or not at all`() throws {
    #expect(try scene.text("/chunked") == "fig, plum")
    #expect(try scene.text("/gzip") == "fig, plum")
    #expect(try scene.get("/bytes?0").body == [])
    #expect(try scene.get("/bytes?1000000").body.count == 1_000_000)
  }

  @Test(arguments: [404, 500, 204, 304, 418]) func `each status is an answer`(status: Int) throws {
    let response = try scene.get("/status?\(status)")
    #expect(response.status == status)
    #expect(response.body.isEmpty == [204, 304].contains(status))
  }

  @Test func `interim heads are passed over, and folded lines are joined`() throws {
    let response = try scene.get("/interim")
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["content-length"])
    #expect(try scene.get("/folded").header("x-long") == "one two")
  }

  @Test func `a request has the method, headers and body that it was given`() throws {
    var request = scene.request("PUT", "/echo?a=b&c=%20ü")
    request.headers = [("X-Empty", " "), ("X-Fruit", " fig"), ("Content-Type", "text/plain")]
    request.body = Array("two plums".utf8)
    let sent = try String(decoding: scene.ask(request).get().body, as: UTF8.self)
    let lines = sent.split(separator: "\r\n").map(String.init)
    #expect(lines.first == "PUT /echo?a=b&c=%20%C3%BC HTTP/1.1")
    #expect(lines.contains("X-Empty:"))
    #expect(lines.contains("X-Fruit: fig"))
    #expect(lines.contains("User-Agent: tidelock"))
    #expect(lines.filter { $0.hasPrefix("Content-Type") } == ["Content-Type: text/plain"])
    #expect(!sent.contains("Expect") && !sent.contains("Cookie") && !sent.contains("Authorization"))
    #expect(sent.hasSuffix("\ntwo plums"))
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a method that has a body says so when it is empty`(method: String) throws {
    let sent = try String(
      decoding: scene.ask(scene.request(method, "/echo")).get().body, as: UTF8.self)
    #expect(sent.contains("Content-Length: 0"))
    #expect(!sent.contains("Content-Type"))
  }

  @Test func `a large body is sent at once`() throws {
    var request = scene.request("POST", "/echo")
    request.body = [UInt8](repeating: 65, count: 3_000_000)
    #expect(try scene.ask(request).get().body.count > 3_000_000)
  }

  @Test func `HEAD brings a head alone`() throws {
    let response = try scene.ask(HTTPRequest("HEAD", url: scene.server.url("/status?200"))).get()
    #expect(response.header("content-length") == "11")
    #expect(response.body == [])
  }

  @Test func `a connection is used again`() throws {
    for _ in 0..<20 { _ = try scene.get("/plain") }
    #expect(scene.server.connections == 1)
  }

  @Test func `a thousand requests at once are all answered, over few connections`() throws {
    var answers = 0
    for _ in 0..<1000 {
      scene.client.start(scene.request("/bytes?100")) { result in
        if case .success(let response) = result, response.body.count == 100 { answers += 1 }
      }
    }
    #expect(answers == 0)
    try scene.wait { scene.client.count == 0 }
    #expect(answers == 1000)
    #expect(scene.server.connections <= 32)
  }

  @Test func `the loop has work as long as a request is under way`() throws {
    #expect(!scene.loop.hasWork)
    var isDone = false
    scene.client.start(scene.request("/plain")) { _ in isDone = true }
    while scene.loop.hasWork { scene.loop.turn(timeout: 1) }
    #expect(isDone)
  }

  // MARK: Redirects

  @Test func `redirects are followed, relative ones too`() throws {
    let response = try scene.get("/redirect?302&/redirect?301&plain")
    #expect(response.status == 200)
    #expect(response.url == scene.server.url("/plain"))
    #expect(scene.server.connections == 1)
    #expect(try scene.get("/redirect-endless").status == 200)
  }

  @Test func `a redirect is an answer where none are followed`() throws {
    var request = scene.request("/redirect?302&/plain")
    request.mostRedirects = 0
    let response = try scene.ask(request).get()
    #expect(response.status == 302)
    #expect(response.header("location") == "/plain")
    #expect(response.body == Array("gone".utf8))
  }

  @Test func `redirects for ever end`() throws {
    let failure = try scene.failure("/loop")
    #expect(failure.kind == .tooManyRedirects)
    #expect(failure.message.hasSuffix("redirected more than 10 times"))
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
    (302, "PUT", "PUT"), (307, "POST", "POST"), (308, "PATCH", "PATCH"), (303, "DELETE", "GET"),
  ])
  func `a redirect keeps the method, or asks anew`(
    status: Int, method: String, next: String
  ) throws {
    var request = scene.request(method, "/redirect?\(status)&/echo")
    request.headers = [("Content-Type", "text/fruit"), ("X-Fruit", "fig")]
    request.body = method == "DELETE" ? nil : Array("plum".utf8)
    // The server does not read this path's body, so that it would begin the next request.
    let scene = try RedirectScene(status: status)
    request.url = scene.first.url("/")
    let sent = try String(decoding: scene.ask(request).body, as: UTF8.self)
    #expect(sent.hasPrefix(next + " /echo "))
    #expect(!sent.contains("X-Fruit"))
    #expect(sent.contains("text/fruit") == (next != "GET"))
    #expect(sent.hasSuffix("plum") == (next != "GET"))
  }

  /// One server that redirects to another.
  private struct RedirectScene {
    let scene: HTTPScene
    let first: HostileServer

    init(status: Int) throws {
      scene = try HTTPScene()
      let target = scene.server.url("/echo")
      first = HostileServer { connection in
        _ = connection.readHead()
        connection.answer("\(status) Elsewhere", headers: "Location: \(target)\r\n")
      }
    }

    func ask(_ request: HTTPRequest) throws -> HTTPResponse { try scene.ask(request).get() }
  }

  @Test func `secrets are not told another server`() throws {
    let other = try RedirectScene(status: 302)
    var request = other.scene.request(other.first.url("/"))
    request.headers = [
      ("authorization", "Bearer fig"), ("Cookie", "a=b"), ("X-Fruit-Key", "fig"),
      ("Accept", "text/fruit"), ("Accept-Language", "de"),
    ]
    let sent = try String(decoding: other.ask(request).body, as: UTF8.self)
    #expect(sent.contains("Accept: text/fruit") && sent.contains("Accept-Language: de"))
    #expect(!sent.contains("Bearer") && !sent.contains("a=b") && !sent.contains("X-Fruit-Key"))
    request.url = scene.server.url("/redirect?302&/echo")
    let same = try String(decoding: scene.ask(request).get().body, as: UTF8.self)
    #expect(same.contains("Bearer fig") && same.contains("a=b") && same.contains("X-Fruit-Key"))
  }

  // MARK: What is allowed

  @Test func `each host is asked for, before a request and before a redirect`() throws {
    let asked = Record<String>()
    let other = try RedirectScene(status: 302)
    var request = other.scene.request("http://LOCALHOST:\(other.first.port)/")
    request.admit = { host, port in
      asked.add("\(host):\(port)")
      return nil
    }
    _ = try other.ask(request)
    #expect(asked.all == ["localhost:\(other.first.port)", "127.0.0.1:\(other.scene.server.port)"])
    request.admit = { host, _ in host == "localhost" ? nil : "\(host) is not allowed" }
    let failure = try other.scene.failure(request)
    #expect(failure.kind == .notAllowed)
    #expect(failure.message == "127.0.0.1 is not allowed")
  }

  @Test func `each address is asked for before a connection is made to it`() throws {
    let asked = Record<String>()
    var request = scene.request("http://localhost:\(scene.server.port)/plain")
    request.admitAddress = { host, address, port in
      asked.add("\(host) \(address) \(port)")
      return "\(host) leads astray"
    }
    let failure = try scene.failure(request)
    #expect(failure.kind == .notAllowed)
    #expect(failure.message == "localhost leads astray")
    #expect(asked.all.contains("localhost 127.0.0.1 \(scene.server.port)"))
    #expect(scene.server.connections == 0)
  }

  @Test func `a proxy is asked instead, if it is allowed`() throws {
    let proxy = HostileServer { connection in
      if let head = connection.readHead() { connection.answer(text: head) }
    }
    let variables = ["http_proxy": "127.0.0.1:\(proxy.port)", "no_proxy": "localhost"]
    scene.client.proxies = HTTPProxies { variables[$0] }
    var request = scene.request("http://fruit.example/fig")
    let asked = Record<String>()
    request.admit = { host, port in
      asked.add("\(host):\(port)")
      return nil
    }
    let sent = try String(decoding: scene.ask(request).get().body, as: UTF8.self)
    #expect(sent.hasPrefix("GET http://fruit.example/fig HTTP/1.1"))
    #expect(asked.all == ["fruit.example:80", "127.0.0.1:\(proxy.port)"])
    request.admit = { host, _ in host == "127.0.0.1" ? "not this one" : nil }
    let failure = try scene.failure(request)
    #expect(failure.message == "the proxy that the environment names: not this one")
    #expect(try scene.get("http://localhost:\(scene.server.port)/plain").status == 200)
  }
}
