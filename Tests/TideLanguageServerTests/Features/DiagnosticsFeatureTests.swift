import EditorClients
import TestFolders
import TideLanguageServer
import TideSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Diagnostics in an editor` {
  let scene: ServerScene
  var client: EditorClient { scene.client }

  init() throws { scene = try ServerScene() }

  @Test func `opening, changing and fixing a document updates its diagnostics`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "print(x)\n")
    let opened = client.diagnostics(of: "app.lua", version: 1)
    #expect(opened?.version == 1)
    #expect(opened?.items.count == 1)
    let item = opened?.items.first ?? nil
    #expect(item["code"].string == "E0601")
    #expect(item["severity"].int == 1)
    #expect(item["source"].string == "tidelock")
    #expect(item["message"].string == "nothing declares or assigns \"x\"")
    #expect(opened?.ranges == ["0:6-0:7"])
    client.change("app.lua", line: 0, 6..<7, "yes, no", version: 2)
    #expect(client.diagnostics(of: "app.lua", version: 2)?.ranges == ["0:6-0:9", "0:11-0:13"])
    client.change("app.lua", line: 0, 6..<13, "1", version: 3)
    let fixed = client.diagnostics(of: "app.lua", version: 3)
    #expect(fixed?.items.isEmpty == true)
    #expect(fixed?.version == 3)
  }

  @Test func `ranges count UTF-16 units`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "local s = 'ä😀' print(s, x)\n")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.ranges == ["0:25-0:26"])
  }

  @Test func `ranges count bytes if that was agreed on`() {
    scene.start(["app.lua": ""], capabilities: ["general": ["positionEncodings": ["utf-8"]]])
    client.open("app.lua", "local s = 'ä😀' print(s, x)\n")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.ranges == ["0:28-0:29"])
  }

  @Test func `lines are counted as by the client, which takes a reversed line end for two`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "local a = 1\n\rprint(a)\rprint(x)\r\nprint(y)")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.ranges == ["3:6-3:7", "4:6-4:7"])
  }

  @Test func `unused declarations are tagged`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "model 'lonely' { b = 1 }")
    let item = client.diagnostics(of: "app.lua", version: 1)?.items.first ?? nil
    #expect(item["code"].string == "W0604")
    #expect(item["severity"].int == 2)
    #expect(item["tags"] == [1])
    #expect(item["range"]["start"]["character"].int == 7)
    #expect(item["range"]["end"]["character"].int == 13)
  }

  @Test func `a syntax error has its location`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "local x = = 1\nprint(x)\n")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.ranges == ["0:10-0:11"])
  }

  @Test func `a document that is not on the disk is checked as well`() {
    scene.start()
    client.open("new.lua", "print(x)")
    #expect(client.diagnostics(of: "new.lua")?.items.count == 1)
    client.open("untitled:Untitled-1", "print(1, y)")
    #expect(client.diagnostics(of: "untitled:Untitled-1")?.ranges == ["0:9-0:10"])
    client.close("untitled:Untitled-1")
    #expect(client.diagnostics(of: "untitled:Untitled-1")?.items.isEmpty == true)
  }

  @Test func `closing shows the problems of the file on the disk`() {
    scene.start(["app.lua": "print(disk)"])
    client.open("app.lua", "print(1)")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.items.isEmpty == true)
    client.close("app.lua")
    let closed = client.diagnostics(of: "app.lua")
    #expect(closed?.messages == ["nothing declares or assigns \"disk\""])
    #expect(closed?.version == nil)
  }

  @Test func `closing a document that is not on the disk clears its diagnostics`() {
    scene.start(["app.lua": "print(1)"])
    client.open("app.lua", "print(x)")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.items.count == 1)
    scene.folder.remove("app.lua")
    client.close("app.lua")
    #expect(client.diagnostics(of: "app.lua")?.items.isEmpty == true)
  }

  @Test func `files that nobody has open are checked when there is time`() {
    scene.folder.makeFolder("lib")
    scene.folder.makeFolder(".hidden")
    scene.start(["lib/other.lua": "print(x)", ".hidden/h.lua": "print(x)", "fine.lua": "print(1)"])
    #expect(client.diagnostics(of: "lib/other.lua")?.ranges == ["0:6-0:7"])
    #expect(client.diagnostics(of: ".hidden/h.lua", seconds: 0.3) == nil)
    #expect(client.diagnostics(of: "fine.lua", seconds: 0.05) == nil)
  }

  @Test func `declarations of one document count in the others at once`() {
    scene.start([
      "app.lua": "local lib = require 'lib'\nprint(lib.one)", "lib.lua": "return { two = 2 }",
    ])
    client.open("app.lua", "local lib = require 'lib'\nprint(lib.one)")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.ranges == ["1:10-1:13"])
    client.open("lib.lua", "return { one = 1 }")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.items.isEmpty == true)
  }

  @Test func `a file that is written by another program is checked again`() {
    scene.start(["other.lua": "print(x)"])
    #expect(becomes("other.lua", ["nothing declares or assigns \"x\""]))
    scene.folder.write("print(1)", to: "other.lua")
    report("other.lua", type: 2)
    #expect(becomes("other.lua", []))
    scene.folder.write("print(y)", to: "other.lua")
    report("other.lua", type: 2)
    #expect(becomes("other.lua", ["nothing declares or assigns \"y\""]))
    scene.folder.remove("other.lua")
    report("other.lua", type: 3)
    #expect(becomes("other.lua", []))
  }

  private func report(_ name: String, type: Int) {
    let change: JSONValue = ["uri": client.uri(name), "type": .int(type)]
    client.notify("workspace/didChangeWatchedFiles", ["changes": [change]])
  }

  /// Whether a file gets these problems in the end. It may be read while it is being written, and
  /// then has others for a moment.
  private func becomes(_ name: String, _ messages: [String]) -> Bool {
    while let found = client.diagnostics(of: name) {
      if found.messages == messages { return true }
    }
    return false
  }

  @Test func `a file outside the root is checked alone`() throws {
    let other = try ServerScene()
    other.folder.write("print(1)", to: "app.lua")
    scene.start()
    client.open("file://\(other.folder.path)/app.lua", "print(x)")
    #expect(client.diagnostics(of: "file://\(other.folder.path)/app.lua")?.items.count == 1)
  }

  @Test func `a file that is not UTF-8 is reported at the line`() {
    let path = scene.folder.write("", to: "bad.lua")
    if let file = fopen(path, "w") {
      _ = [UInt8]([0x0a, 0x78, 0xff, 0x0a]).withUnsafeBytes { fwrite($0.baseAddress, 1, 4, file) }
      fclose(file)
    }
    scene.start()
    #expect(client.diagnostics(of: "bad.lua")?.ranges == ["1:1-1:2"])
  }

  @Test func `messages name files relative to the root`() {
    scene.start(["app.lua": "require 'nothing'"])
    let messages = client.diagnostics(of: "app.lua")?.messages ?? []
    #expect(messages.count == 1)
    #expect(!messages.joined().contains(scene.folder.path))
  }

  @Test func `a client can pull diagnostics`() {
    scene.start(["app.lua": "print(x)"])
    client.open("app.lua", "print(1, y)")
    let answer = client.ask(
      "textDocument/diagnostic", ["textDocument": ["uri": client.uri("app.lua")]])
    #expect(answer["result"]["kind"].string == "full")
    #expect(answer["result"]["items"][0]["range"]["start"]["character"].int == 9)
    let missing = client.ask(
      "textDocument/diagnostic", ["textDocument": ["uri": client.uri("none.lua")]])
    #expect(missing["result"]["items"] == [])
    #expect(client.ask("textDocument/diagnostic", [:])["error"]["code"].int == -32602)
  }

  @Test func `a client that only pulls is sent none`() {
    scene.folder.write("print(x)", to: "app.lua")
    let result = client.initialize(
      root: scene.folder.path, capabilities: ["textDocument": ["diagnostic": [:]]])
    #expect(result["capabilities"]["diagnosticProvider"]["interFileDependencies"].bool == true)
    client.open("app.lua", "print(x)")
    #expect(client.diagnostics(of: "app.lua", seconds: 0.3) == nil)
  }

  @Test func `edits that come faster than they are read leave the newest diagnostics`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "print(x)")
    for version in 2...500 {
      client.change("app.lua", [["text": "print(x\(version))"]], version: version)
    }
    let last = client.diagnostics(of: "app.lua", version: 500)
    #expect(last?.messages == ["nothing declares or assigns \"x500\""])
  }
}
