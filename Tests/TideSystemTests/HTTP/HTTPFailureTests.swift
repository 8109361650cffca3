import Testing

@testable import TideSystem

/// What servers, networks and requests do wrong.
struct HTTPFailureTests {
  let scene: HTTPScene

  init() throws { scene = try HTTPScene() }

  private typealias Kind = HTTPFailure.Kind

  @Test(arguments: [
    ("/garbage", HTTPFailure.Kind.notHTTP, "is not HTTP"),
    ("/not-gzip", .notHTTP, "not encoded as its head says"),
    ("/wrong-gzip", .notHTTP, "not encoded as its head says"),
    ("/bad-chunk", .notHTTP, "not in proper chunks"),
    ("/nothing", .cut, "without an answer"),
    ("/half-head", .cut, "closed the connection"),
    ("/cut", .cut, "before the end of the body"),
    ("/half-chunk", .cut, "before the end of the body"),
    ("/huge", .tooLarge, "has 10737418240 bytes, and 16777216 are the most"),
    ("/endless", .tooLarge, "goes on, and 16777216 are the most"),
    ("/endless-line", .tooLarge, "the head"),
    ("/endless-head", .tooLarge, "the head"),
    ("/endless-interim", .tooLarge, "the head"),
    ("/endless-trailers", .tooLarge, "the head"),
  ])
  func `an answer that is wrong is an error that says how`(
    path: String, kind: HTTPFailure.Kind, message: String
  ) throws {
    let failure = try scene.failure(path)
    #expect(failure.kind == kind, "\(failure)")
    #expect(failure.message.contains(message), "\(failure)")
    #expect(failure.message.contains("127.0.0.1:\(scene.server.port)"))
    // The client is as good as before.
    #expect(try scene.text("/plain") == "fig")
  }

  @Test func `what counts of a compressed body is what it becomes`() throws {
    var request = scene.request("/bomb")
    request.mostBytes = 100_000
    #expect(try scene.ask(request).get().body.count == 100_000)
    request.mostBytes = 99_999
    #expect(try scene.failure(request).kind == .tooLarge)
  }

  @Test(arguments: ["/hang", "/hang-body"]) func `a server that hangs is given up`(
    path: String
  ) throws {
    var request = scene.request(path)
    request.timeout = 0.2
    let start = EventLoop.monotonicTime()
    let failure = try scene.failure(request)
    #expect(failure.kind == .timedOut)
    #expect(
      failure.message.contains(path == "/hang" ? "did not answer in time" : "did not end in time"))
    #expect(EventLoop.monotonicTime() - start < 5)
  }

  @Test func `the time limit is for all redirects together`() throws {
    let server = HostileServer { connection in
      while connection.readHead() != nil {
        usleep(50_000)
        connection.answer("302 Found", headers: "Location: /\r\n")
      }
    }
    var request = scene.request(server.url("/"))
    request.timeout = 0.3
    request.mostRedirects = 1000
    #expect(try scene.failure(request).kind == .timedOut)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300, -.infinity] as [Double])
  func `odd time limits do no harm`(seconds: Double) throws {
    var request = scene.request("/plain")
    request.timeout = seconds
    request.connectTimeout = seconds
    if seconds > 0 {
      #expect(try scene.ask(request).get().status == 200)
    } else {
      // What is over at once may yet be answered.
      switch try scene.ask(request) {
      case .success(let response): #expect(response.status == 200)
      case .failure(let failure): #expect(failure.kind == .timedOut)
      }
    }
  }

  @Test func `a connection that is refused says so`() throws {
    let failure = try scene.failure("http://127.0.0.1:\(HostileServer.deadPort)/")
    #expect(failure.kind == .refused)
    #expect(failure.message.contains("Connection refused; check that the server runs"))
  }

  @Test func `a name without an address says so`() throws {
    let failure = try scene.failure("http://nowhere.invalid/")
    #expect(failure.kind == .unresolved)
    #expect(
      failure.message
        == "no address is known for nowhere.invalid; check the name and the connection")
  }

  @Test(arguments: [
    ("", HTTPFailure.Kind.badURL), ("fruit", .badURL), ("example.com/fig", .badURL),
    ("http://", .badURL), ("http://a b/", .badURL),
    ("http://example.com/a\r\nX: y", .badURL), ("http://example.com/\u{0}", .badURL),
    ("http://example.com:99999/", .badURL), ("http://example.com:0/", .badURL),
    ("http://bücher.example/", .badURL), ("http://a_b*c/", .badURL), ("http://[::zz]/", .badURL),
    ("http://a%2eb%00/", .badURL), ("http://ａ.example/", .badURL),
    ("ftp://example.com/", .unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
    ("gopher://example.com/", .unsupportedScheme), ("javascript:alert(1)", .unsupportedScheme),
    ("http://" + String(repeating: "a", count: 70_000), .badURL),
  ])
  func `an address that is wrong is refused`(url: String, kind: HTTPFailure.Kind) throws {
    var request = scene.request(url.contains("://") ? url : "/")
    request.url = url
    request.admit = { host, _ in "\(host) was asked for" }
    let failure = try scene.failure(request)
    // javascript: has no slashes, so it is no address at all for some versions.
    #expect(
      failure.kind == kind || url.hasPrefix("javascript") && failure.kind == .badURL, "\(failure)")
  }

  @Test(arguments: [
    "http://user:pass@127.0.0.1:1/", "http://127.0.0.1.:1/", "http://[::ffff:127.0.0.1]:1/",
    "http://127.0.0.1:1#@example.com/", "http://127.0.0.1:1?@example.com/",
  ])
  func `whose address it is is what libcurl understands`(url: String) throws {
    var request = scene.request(url)
    let asked = Record<String>()
    request.admit = { host, port in
      asked.add("\(host):\(port)")
      return "no"
    }
    _ = try scene.failure(request)
    #expect(asked.all == ["127.0.0.1:1"])
  }

  @Test(arguments: [
    ("file:///etc/passwd", HTTPFailure.Kind.unsupportedScheme), ("ftp://a/", .unsupportedScheme),
    ("http://a:b:c/", .badURL), ("http://bad host/", .badURL),
  ])
  func `a redirect that leads nowhere is refused`(target: String, kind: HTTPFailure.Kind) throws {
    #expect(
      try scene.failure(scene.server.url("/redirect?302&" + target.replacing(" ", with: "%20")))
        .kind == kind)
  }

  @Test(arguments: ["", "GET /", "G\r\nT", "GËT", "CONNECT", "G:T", "a\u{0}b"])
  func `a method is a word`(method: String) throws {
    #expect(try scene.failure(scene.request(method, "/plain")).kind == .badRequest)
    #expect(scene.server.connections == 0)
  }

  @Test(arguments: [
    ("X-A", "b\r\nX-Evil: 1"), ("X-A\r\nX-Evil: 1", "b"), ("X A", "b"), ("", "b"), ("X:", "b"),
    ("X-A", "b\u{0}c"), ("Host", "example.com"), ("content-LENGTH", "5"), ("X-A", "b\n"),
    ("Transfer-Encoding", "chunked"), ("Connection", "close"), ("X\u{e9}", "b"),
  ])
  func `headers smuggle nothing in`(name: String, value: String) throws {
    var request = scene.request("/plain")
    request.headers = [(name, value)]
    #expect(try scene.failure(request).kind == .badRequest)
    #expect(scene.server.connections == 0)
  }

  @Test func `HEAD with a body is refused`() throws {
    var request = scene.request("HEAD", "/plain")
    request.body = [1]
    #expect(try scene.failure(request).kind == .badRequest)
  }
}
