import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem
import TideViews

@testable import TideWeb

/// An app that is served, turned by hand.
final class ServedApp {
  let runtime: Runtime
  let service: WebService
  private let loop: AppLoop
  let port: Int
  let token: String

  convenience init(_ script: String, viewers: Int = 32) throws {
    try self.init(script, WebOptions(viewers: viewers))
  }

  init(_ script: String, _ options: WebOptions) throws {
    runtime = try Runtime(file: "app.lua")
    try runtime.evaluate(script, as: Value.self)
    service = try WebService(options)
    loop = AppLoop(runtime, service.renderer)
    try service.start(for: runtime)
    let parts = service.url.split(separator: "=")
    token = parts.count > 1 ? String(parts[1]) : ""
    port = Int(service.url.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0
    try loop.show()
  }

  deinit {
    service.stop()
    loop.close()
  }

  /// Lets the app go on until a condition holds; false where it does not within some seconds.
  @discardableResult
  func run(until condition: () -> Bool) throws -> Bool {
    let end = EventLoop.monotonicTime() + 10
    let waker = runtime.loop.after(0.01, repeating: true) {}
    defer { waker.cancel() }
    try loop.run(while: { !condition() && EventLoop.monotonicTime() < end })
    return condition()
  }

  func request(_ uri: String, cookie: Bool = true, _ more: [String] = []) -> String {
    let lines =
      ["GET \(uri) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
      + (cookie ? ["Cookie: tidelock-\(port)=\(token)"] : []) + more
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// - Parameter page: the address of the script of the page that connects; nil for who is none.
  func upgrade(
    cookie: Bool = true, origin: String? = nil, session: String = "", page: String? = nil
  ) -> String {
    let query =
      (page.map { ["page=\($0)"] } ?? []) + (session.isEmpty ? [] : ["session=\(session)"])
    return request(
      "/ws" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")), cookie: cookie,
      [
        "Origin: \(origin ?? "http://127.0.0.1:\(port)")", "Connection: Upgrade",
        "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ])
  }

  /// The address of the page's script, as the page names it.
  func script() throws -> String {
    let client = try RawClient(port: port)
    client.send(request("/", ["Connection: close"]))
    let page = client.rest()
    let name = try #require(page.firstMatch(of: /\/client-\w+\.js/))
    return "http://127.0.0.1:\(port)\(name.output)"
  }

  /// A viewer whose connection is open, with what it was sent first.
  func viewer(session: String = "") throws -> (client: RawClient, mirror: PageMirror) {
    let client = try RawClient(port: port)
    client.send(upgrade(session: session))
    _ = client.head()
    let mirror = PageMirror()
    try mirror.apply(try #require(try receive(client)))
    return (client, mirror)
  }

  /// The next message of the app, which goes on meanwhile.
  func receive(_ client: RawClient) throws -> String? {
    try run { client.hasInput }
    return client.message()
  }
}
