import Testing

@testable import TideSystem

/// A client on a loop, and the server that it asks.
final class HTTPScene {
  let loop: EventLoop
  let client: HTTPClient
  let server = HostileServer.withRoutes()

  init() throws {
    loop = try EventLoop()
    client = HTTPClient(loop: loop)
    client.proxies = HTTPProxies()
  }

  func request(_ path: String) -> HTTPRequest { request("GET", path) }

  func request(_ method: String, _ path: String) -> HTTPRequest {
    HTTPRequest(method, url: path.contains("://") ? path : server.url(path), timeout: 20)
  }

  /// The answer to one request.
  func ask(_ request: HTTPRequest) throws -> Result<HTTPResponse, HTTPFailure> {
    var found: Result<HTTPResponse, HTTPFailure>?
    client.start(request) { found = $0 }
    try wait { found != nil }
    return try #require(found)
  }

  func get(_ path: String) throws -> HTTPResponse { try ask(request(path)).get() }
  func text(_ path: String) throws -> String { try String(decoding: get(path).body, as: UTF8.self) }

  func failure(_ request: HTTPRequest) throws -> HTTPFailure {
    switch try ask(request) {
    case .success(let response):
      throw HTTPFailure(.other, "an answer: \(response.status), \(response.body.count) bytes")
    case .failure(let failure): failure
    }
  }

  func failure(_ path: String) throws -> HTTPFailure { try failure(request(path)) }

  struct Patience: Error {}

  /// Turns the loop until something holds; throws after half a minute.
  func wait(until isDone: () -> Bool) throws {
    let end = EventLoop.monotonicTime() + 30
    while !isDone() {
      loop.turn(timeout: 0.1)
      if EventLoop.monotonicTime() > end { throw Patience() }
    }
  }
}
