import OwnThread
import Testing
import TideBindings
import TideScript
import TideWeb
import WebClients

@MainActor @Suite struct ServingTests {
  @Test(.timeLimit(.minutes(10)))
  func `a host serves its app until the app ends, and gets its exit code`() async throws {
    let runtime = try Runtime(file: "app.lua")
    try await runtime.evaluate(
      """
      show(view.column { view.button { title = "End", on = { touchUpInside = function() exit(7) end } } })
      """, as: Value.self)
    let code = try await runtime.serve { url in
      spawnThread { Self.press(at: url) }
    }
    #expect(code == 7)
  }

  /// Presses the button of the app, again and again until nobody serves it any more: other tests
  /// may keep the app's thread busy for longer than a client waits.
  private nonisolated static func press(at url: String) {
    let address = WebAddress(url)
    while let client = try? RawClient(port: address.port) {
      client.send(address.upgrade())
      _ = client.head()
      let mirror = PageMirror()
      guard let message = client.message(), (try? mirror.apply(message)) != nil,
        let button = try? mirror.node("button", "End")
      else { continue }
      client.say("[1,\"press\",\(button)]")
      while client.message() != nil {}
    }
  }

  @Test func `a certificate that is not there is told to the host`() async throws {
    let runtime = try Runtime(file: "app.lua")
    var options = WebOptions()
    options.certificate = "/none.pem"
    options.key = "/none.pem"
    await #expect(throws: TideError.self) { try await runtime.serve(options) { _ in } }
  }
}
