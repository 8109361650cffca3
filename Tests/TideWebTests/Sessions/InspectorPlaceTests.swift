import Testing
import TideBindings
import TideRun
import TideScript
import WebClients

@testable import TideWeb

/// `/inspect` beside an app, which runs Lua in it for whoever may come in there.
@Suite(.serialized) struct InspectorPlaceTests {
  private func app() throws -> ServedApp {
    try ServedApp("show(view.label { text = 'the app' })", WebOptions()) { service in
      service.serveInspector { _ in
        let runtime = try Runtime(file: "inspector.lua")
        try runtime.evaluate("show(view.label { text = 'the inspector' })", as: Value.self)
        return PrivateApp(runtime)
      }
    }
  }

  private func head(_ app: ServedApp, _ request: String) throws -> String {
    let client = try RawClient(port: app.port)
    client.send(request)
    return client.head()
  }

  @Test func `it has an address and a token of its own, which viewers do not have`() throws {
    let app = try app()
    let url = try #require(app.service.inspectorURL)
    #expect(url.hasPrefix("http://127.0.0.1:\(app.port)/inspect?token="))
    #expect(!url.contains(app.token))
    // A viewer with its cookie, with its token, and as its connection.
    #expect(try head(app, app.request("/inspect")).hasPrefix("HTTP/1.1 403"))
    let guess = app.request("/inspect?token=\(app.token)", cookie: false)
    #expect(try head(app, guess).hasPrefix("HTTP/1.1 403"))
    #expect(try head(app, app.address.upgrade("/inspect/ws")).hasPrefix("HTTP/1.1 403"))
  }

  @Test func `who has that token looks in, and is no viewer`() throws {
    let app = try app()
    let developer = WebAddress(try #require(app.service.inspectorURL))
    #expect(developer.cookie.hasPrefix("tidelock-inspect-\(app.port)="))
    #expect(try head(app, developer.get("/inspect")).hasPrefix("HTTP/1.1 200"))
    #expect(try head(app, developer.get("/")).hasPrefix("HTTP/1.1 403"))
    #expect(try head(app, developer.upgrade("/ws")).hasPrefix("HTTP/1.1 403"))
    let client = try RawClient(port: app.port)
    client.send(developer.upgrade("/inspect/ws"))
    #expect(client.head().hasPrefix("HTTP/1.1 101"))
    #expect(try app.receive(client)?.contains("the inspector") == true)
  }

  @Test func `where it is not served, there is no address and no page`() throws {
    let app = try ServedApp("show(view.label { text = 'the app' })", WebOptions()) { service in
      service.servesInspector = false
      service.serveInspector { _ in PrivateApp(try Runtime(file: "inspector.lua")) }
    }
    #expect(app.service.inspectorURL == nil)
    #expect(try head(app, app.request("/inspect")).hasPrefix("HTTP/1.1 404"))
    #expect(try head(app, app.address.upgrade("/inspect/ws")).hasPrefix("HTTP/1.1 404"))
  }
}
