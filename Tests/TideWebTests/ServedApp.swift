import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem
import TideViews
import WebClients

@testable import TideWeb

/// An app that is served, turned by hand.
final class ServedApp {
  let runtime: Runtime
  let service: WebService
  private let loop: AppLoop
  let address: WebAddress
  var port: Int { address.port }
  var token: String { address.token }

  convenience init(_ script: String, viewers: Int = 32) throws {
    try self.init(script, WebOptions(viewers: viewers))
  }

  /// - Parameters:
  ///   - workers: how workers are run; nil where there are none.
  ///   - clock: that of the server's loop; nil for the system's.
  ///   - prepare: called with the service before it begins to answer.
  init(
    _ script: String, _ options: WebOptions, workers: WorkerOptions? = nil,
    clock: VirtualClock? = nil, prepare: (WebService) -> Void = { _ in }
  ) throws {
    var configuration = Runtime.Configuration()
    configuration.clock = clock
    runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(script, as: Value.self)
    service = try WebService(options, workers: workers)
    prepare(service)
    loop = AppLoop(runtime, service.renderer)
    try service.start(for: runtime)
    address = WebAddress(service.url)
    try loop.show()
  }

  deinit {
    service.stop()
    loop.close()
  }

  /// Lets the app go on until a condition holds; false if it does not within a minute.
  @discardableResult
  func run(until condition: () -> Bool) throws -> Bool {
    let end = EventLoop.monotonicTime() + 60
    let waker = runtime.loop.after(0.01, repeating: true) {}
    defer { waker.cancel() }
    try loop.run(while: { !condition() && EventLoop.monotonicTime() < end })
    return condition()
  }

  func request(_ uri: String, cookie: Bool = true, _ more: [String] = []) -> String {
    address.get(uri, cookie: cookie, more)
  }

  /// - Parameter page: the address of the script of the page that connects; nil for who is none.
  func upgrade(
    cookie: Bool = true, origin: String? = nil, session: String = "", page: String? = nil
  ) -> String {
    address.upgrade(cookie: cookie, origin: origin, session: session, page: page)
  }

  /// The address of the page's script, as the page names it.
  ///
  /// - Parameter more: further lines of the head, as a proxy adds them.
  func script(_ more: [String] = []) throws -> String {
    let client = try RawClient(port: port)
    client.send(request("/", ["Connection: close"] + more))
    let page = client.rest()
    let name = try #require(page.firstMatch(of: /\/client-\w+\.js/))
    return "http://127.0.0.1:\(port)\(name.output)"
  }

  /// A viewer whose connection is open, with what it was sent first.
  ///
  /// - Parameters:
  ///   - browser: another one than the app's first.
  ///   - more: further lines of the head, as a proxy adds them.
  func viewer(
    session: String = "", in browser: WebAddress? = nil, _ more: [String] = []
  ) throws -> (client: RawClient, mirror: PageMirror) {
    let client = try RawClient(port: port)
    client.send((browser ?? address).upgrade(session: session, more))
    _ = client.head()
    let mirror = PageMirror()
    try mirror.apply(try #require(try receive(client)))
    return (client, mirror)
  }

  /// The next message of the app, which goes on meanwhile.
  func receive(_ client: RawClient) throws -> String? {
    // A ping may be all that has come, after which nothing comes before the app goes on.
    for _ in 0..<3 {
      try run { client.hasInput }
      if let message = client.message() { return message }
      if client.closing != nil { break }
    }
    return nil
  }
}

extension ServedApp {
  /// An app with a field, a button that counts, and two buttons that nobody can press.
  static func fruit(viewers: Int = 32) throws -> ServedApp {
    try fruit(WebOptions(viewers: viewers))
  }

  static func fruit(_ options: WebOptions) throws -> ServedApp {
    try ServedApp(
      """
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
      """, options)
  }

  /// How often the fruit app's button was pressed; a hundred more for one that nobody can press.
  func pressed() throws -> Int { try runtime.evaluate("pressed", as: Int.self) }
}
