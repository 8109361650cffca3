import EditorClients
import TideLanguageServer
import TideSystem
import Testing

/// Returns a document's text.
private struct TextProbe: Feature {
  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("test/text") { params, context in
      .string(try context.document(in: params).text.text)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct `Keeping documents` {
  let scene: ServerScene
  var client: EditorClient { scene.client }

  init() throws {
    scene = try ServerScene { [TextProbe()] }
    scene.start()
  }

  private func text(_ name: String) -> String? {
    client.ask("test/text", ["textDocument": ["uri": client.uri(name)]])["result"].string
  }

  private func logged() -> String? { client.next("window/logMessage")?["params"]["message"].string }

  @Test func `edits arrive in their order`() {
    client.open("app.lua", "local x = 1\r\nprint(x)\n")
    client.change("app.lua", line: 0, 6..<7, "😀", version: 2)
    client.change("app.lua", line: 0, 8..<8, "!", version: 3)
    client.change("app.lua", line: 1, 6..<7, "y", version: 4)
    #expect(text("app.lua") == "local 😀! = 1\r\nprint(y)\n")
  }

  @Test func `a version that does not grow is still applied`() {
    client.open("app.lua", "a", version: 5)
    client.change("app.lua", [["text": "b"]], version: 3)
    #expect(text("app.lua") == "b")
  }

  @Test func `opening twice takes the new text, and is logged`() {
    client.open("app.lua", "a")
    client.open("app.lua", "b", version: 2)
    #expect(logged()?.contains("was open") == true)
    #expect(text("app.lua") == "b")
  }

  @Test func `changing or closing what is not open is only logged`() {
    client.change("none.lua", [["text": "b"]], version: 2)
    #expect(logged()?.hasSuffix("none.lua is not open") == true)
    client.close("none.lua")
    #expect(logged()?.hasSuffix("none.lua is not open") == true)
    #expect(text("none.lua") == nil)
  }

  @Test func `a notification that lacks parameters is logged`() {
    for method in ["didOpen", "didChange", "didSave", "didClose"] {
      client.notify("textDocument/\(method)", [:])
      #expect(logged() == "textDocument/\(method): textDocument.uri is missing")
    }
    client.notify("textDocument/didOpen", ["textDocument": ["uri": "file:///a.lua"]])
    #expect(logged() == "textDocument/didOpen: textDocument.text is missing")
  }

  @Test func `an invalid change is logged, and those before it count`() {
    client.open("app.lua", "a")
    client.change("app.lua", [["text": "b"], ["range": [:], "text": "c"]], version: 2)
    #expect(
      logged() == "textDocument/didChange: a position needs the numbers line and character")
    #expect(text("app.lua") == "b")
  }
}
