import EditorClients
import TestFolders
import TideLanguageServer
import TideSystem
import Testing

/// Requests that the tests add to those of editors.
private struct Probe: Feature {
  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("test/roots") { _, context in
      .array(context.server.roots.map { .string($0) })
    }
    handlers.onRequest("test/home") { _, context in .string(context.server.documents.home) }
    handlers.onRequest("test/text") { params, context in
      .string(try context.document(in: params).text.text)
    }
    handlers.onRequest("test/echo") { params, _ in params }
    // Runs until it is cancelled.
    handlers.onRequest("test/wait") { _, context in
      context.server.notify("test/running", nil)
      for _ in 0..<1000 {
        try context.cancellation.check()
        usleep(10_000)
      }
      return "never cancelled"
    }
    handlers.onRequest("test/fail") { _, _ in throw SystemError("it broke") }
    handlers.onRequest("test/large") { _, _ in
      .string(String(repeating: "x", count: 10_000))
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct `The language server` {
  let scene: ServerScene
  var client: EditorClient { scene.client }

  init() throws { scene = try ServerScene { [Probe()] } }

  private func code(_ response: JSONValue) -> Int? { response["error"]["code"].int }

  // MARK: Life

  @Test func `it announces its capabilities`() {
    let result = client.initialize(root: scene.folder.path)
    #expect(result["serverInfo"]["name"].string == "tidelock")
    #expect(result["capabilities"]["positionEncoding"].string == "utf-16")
    #expect(result["capabilities"]["textDocumentSync"]["change"].int == 2)
  }

  @Test func `positions count bytes if the client offers that`() {
    let offer: JSONValue = ["general": ["positionEncodings": ["utf-16", "utf-8"]]]
    let result = client.initialize(root: scene.folder.path, capabilities: offer)
    #expect(result["capabilities"]["positionEncoding"].string == "utf-8")
  }

  @Test func `before initialize requests are refused and notifications ignored`() {
    #expect(code(client.ask("test/echo", [:])) == -32002)
    #expect(code(client.ask("shutdown")) == -32002)
    client.open("app.lua", "x = = 1")
    scene.start()
    #expect(
      code(client.ask("test/text", ["textDocument": ["uri": client.uri("app.lua")]])) == -32602)
  }

  @Test func `initialize may come only once`() {
    scene.start()
    #expect(code(client.ask("initialize", [:])) == -32600)
    #expect(client.ask("test/echo", [1])["result"] == [1])
  }

  @Test func `after shutdown requests are refused, and exit ends with 0`() {
    scene.start()
    let answer = client.ask("shutdown")
    #expect(answer["error"].isNull && answer["result"].isNull && answer["id"].int != nil)
    #expect(code(client.ask("test/echo", [:])) == -32600)
    client.notify("exit")
    #expect(scene.finish() == LanguageServer.Ending(code: 0, reason: nil))
  }

  @Test func `exit without shutdown ends with 1`() {
    scene.start()
    client.notify("exit")
    #expect(scene.finish() == LanguageServer.Ending(code: 1, reason: nil))
  }

  @Test func `exit before initialize ends with 1`() {
    client.notify("exit")
    #expect(scene.finish()?.code == 1)
  }

  @Test func `the end of the input ends with 1, after shutdown with 0`() throws {
    scene.start()
    #expect(scene.cut() == LanguageServer.Ending(code: 1, reason: nil))
    let other = try ServerScene()
    other.start()
    _ = other.client.ask("shutdown")
    #expect(other.cut() == LanguageServer.Ending(code: 0, reason: nil))
  }

  @Test func `requests before the end of the input are answered`() {
    scene.start()
    let id = client.request("test/echo", [7])
    client.endOutput()
    #expect(client.response(to: id)["result"] == [7])
    #expect(scene.finish()?.code == 1)
  }

  @Test func `an input that ends within a message is an error`() {
    scene.start()
    client.send(bytes: Array("Content-Length: 10\r\n\r\n{".utf8))
    #expect(
      scene.cut() == LanguageServer.Ending(code: 1, reason: "the input ends within a message"))
  }

  @Test func `a bad header ends the server, with the reason`() {
    scene.start()
    client.send(bytes: Array("Content-Length: many\r\n\r\n{}".utf8))
    #expect(
      scene.finish() == LanguageServer.Ending(code: 1, reason: "invalid Content-Length: many"))
  }

  // MARK: Messages

  @Test func `an unknown request is refused, an unknown notification ignored`() {
    scene.start()
    client.notify("textDocument/unheardOf", [:])
    client.notify("$/whatever", [:])
    #expect(code(client.ask("textDocument/unheardOf", [:])) == -32601)
    #expect(code(client.ask("$/unheardOf", [:])) == -32601)
  }

  @Test(arguments: [
    ("{", -32700), ("", -32700), ("[]", -32600), ("[{\"jsonrpc\":\"2.0\",\"id\":1}]", -32600),
    ("3", -32600), ("{}", -32600), (#"{"id":null,"method":"test/echo"}"#, -32600),
    (#"{"id":1.5,"method":"test/echo"}"#, -32600),
    (#"{"method":"test/echo","params":3}"#, -32602), (#"{"method":7}"#, -32600),
  ])
  func `an invalid message is answered without an id`(text: String, expected: Int) {
    scene.start()
    client.send(text)
    let answer = client.next { !$0["error"].isNull }
    #expect(answer?["error"]["code"].int == expected)
    #expect(answer?["id"].isNull == true)
    #expect(client.ask("test/echo", [1])["result"] == [1])
  }

  @Test func `bytes that are not UTF-8 are a parse error`() {
    scene.start()
    client.send(bytes: MessageFramer.frame([0x22, 0xff, 0x22]))
    #expect(client.next { !$0["error"].isNull }?["error"]["code"].int == -32700)
    #expect(client.ask("test/echo", [1])["result"] == [1])
  }

  @Test func `a bad request with an id is answered with it`() {
    scene.start()
    client.send(#"{"jsonrpc":"2.0","id":"a","method":7}"#)
    #expect(code(client.response(to: "a")) == -32600)
    client.send(#"{"jsonrpc":"2.0","id":"b","method":"test/echo","params":"x"}"#)
    #expect(code(client.response(to: "b")) == -32602)
  }

  @Test func `ids may be strings, and differ from numbers with the same digits`() {
    scene.start()
    let text = client.request("test/echo", ["text"], id: "7")
    let number = client.request("test/echo", ["number"], id: 7)
    #expect(client.response(to: number)["result"] == ["number"])
    #expect(client.response(to: text)["result"] == ["text"])
  }

  @Test func `a handler that fails only fails its request`() {
    scene.start()
    let answer = client.ask("test/fail")
    #expect(code(answer) == -32803)
    #expect(answer["error"]["message"].string == "test/fail: it broke")
    #expect(client.ask("test/echo", [1])["result"] == [1])
  }

  @Test func `answers to requests that nobody made are ignored`() {
    scene.start()
    client.send(#"{"jsonrpc":"2.0","id":99,"result":{}}"#)
    client.send(#"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":""}}"#)
    #expect(client.ask("test/echo", [1])["result"] == [1])
  }

  // MARK: Cancelling

  @Test func `a running request is cancelled`() {
    scene.start()
    let id = client.request("test/wait")
    #expect(client.next("test/running") != nil)
    client.notify("$/cancelRequest", ["id": id])
    #expect(code(client.response(to: id)) == -32800)
  }

  @Test func `a request that waits is cancelled, and those beside it are not`() {
    scene.start()
    let running = client.request("test/wait")
    let waiting = client.request("test/echo", [1])
    let other = client.request("test/echo", [2])
    #expect(client.next("test/running") != nil)
    client.notify("$/cancelRequest", ["id": waiting])
    client.notify("$/cancelRequest", ["id": running])
    #expect(code(client.response(to: waiting)) == -32800)
    #expect(client.response(to: other)["result"] == [2])
  }

  @Test func `cancelling an answered or unknown request does nothing`() {
    scene.start()
    let id = client.request("test/echo", [1], id: 50)
    #expect(client.response(to: id)["result"] == [1])
    client.notify("$/cancelRequest", ["id": id])
    client.notify("$/cancelRequest", ["id": "nothing"])
    client.notify("$/cancelRequest", [:])
    client.notify("$/cancelRequest")
    #expect(client.response(to: client.request("test/echo", [2], id: 50))["result"] == [2])
  }

  @Test func `an id that is in use is refused`() {
    scene.start()
    let id = client.request("test/wait")
    #expect(client.next("test/running") != nil)
    _ = client.request("test/echo", [1], id: id)
    client.notify("$/cancelRequest", ["id": id])
    #expect(code(client.response(to: id)) == -32800)
    #expect(code(client.response(to: id)) == -32600)
  }

  // MARK: Roots

  @Test func `roots are folders, or one URI, or one path`() throws {
    let asked = [
      (
        #"{"workspaceFolders":[{"uri":"file:///a%20b","name":"x"},{"uri":"untitled:y"}]}"#,
        #"["/a b"]"#
      ),
      (#"{"workspaceFolders":null,"rootUri":"file:///c","rootPath":"/d"}"#, #"["/c"]"#),
      (#"{"workspaceFolders":[],"rootUri":null,"rootPath":"/d"}"#, #"["/d"]"#),
      (#"{"rootPath":"relative","rootUri":3,"workspaceFolders":4}"#, "[]"), ("{}", "[]"),
    ]
    for (params, roots) in asked {
      let scene = try ServerScene { [Probe()] }
      _ = scene.client.ask("initialize", try JSONValue(parsing: Array(params.utf8)))
      #expect(scene.client.ask("test/roots")["result"].text == roots)
    }
  }

  @Test func `folders come and go`() {
    scene.start()
    let removed: JSONValue = .string(DocumentURI.of(path: scene.folder.path))
    let event: JSONValue = [
      "added": [["uri": "file:///b"], ["uri": "file:///c"]], "removed": [["uri": removed]],
    ]
    client.notify("workspace/didChangeWorkspaceFolders", ["event": event])
    #expect(client.ask("test/roots")["result"] == ["/b", "/c"])
  }

  @Test func `it asks for changes of Lua files if the client can report them`() {
    scene.start(capabilities: [
      "workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]
    ])
    let request = client.next("client/registerCapability") ?? .null
    let registration = request["params"]["registrations"][0]
    #expect(registration["method"] == "workspace/didChangeWatchedFiles")
    #expect(registration["registerOptions"]["watchers"][0]["globPattern"] == "**/*.lua")
    let answer: JSONValue = ["jsonrpc": "2.0", "id": request["id"], "result": nil]
    client.send(answer.text)
    #expect(client.ask("test/echo", [1])["result"] == [1])
  }

  @Test func `it asks for nothing if the client cannot`() {
    scene.start()
    #expect(client.ask("test/echo", [1])["result"] == [1])
    #expect(client.next("client/registerCapability", seconds: 0.05) == nil)
  }

  // MARK: Trace

  @Test func `work is traced when the client wants it`() {
    scene.start()
    _ = client.ask("test/echo", [1])
    #expect(client.next("$/logTrace", seconds: 0.05) == nil)
    client.notify("$/setTrace", ["value": "messages"])
    _ = client.ask("test/echo", [2])
    let traced = client.next {
      $0["params"]["message"].string?.hasPrefix("test/echo took ") ?? false
    }
    #expect(traced?["method"].string == "$/logTrace")
    client.notify("$/setTrace", ["value": "off"])
    client.notify("$/setTrace", ["value": 3])
    // The answer comes after all traces that were sent before it.
    _ = client.ask("test/echo", [3])
    while client.next("$/logTrace", seconds: 0.05) != nil {}
    _ = client.ask("test/echo", [4])
    #expect(client.next("$/logTrace", seconds: 0.05) == nil)
  }

  // MARK: A client that does not read

  @Test func `a client that reads nothing is given up`() throws {
    let scene = try ServerScene(waiting: 1 << 20) { [Probe()] }
    scene.client.initialize(root: scene.folder.path)
    for id in 0..<1000 {
      let request = MessageFramer.frame(Array(#"{"id":\#(id),"method":"test/large"}"#.utf8))
      if !scene.client.send(bytes: request) { break }
    }
    #expect(
      scene.finish()
        == LanguageServer.Ending(code: 1, reason: "the client does not read what it is sent"))
  }

  @Test func `a client that has gone ends the server`() {
    scene.start()
    for _ in 0..<3 { client.send("{") }
    #expect(scene.cut()?.code == 1)
  }
}
