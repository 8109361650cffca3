import EditorClients
import TestFolders
import TideSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A running app in an editor` {
  private static let app = """
    model "fruit" { name = "apple", count = 1 }
    model "other" { copy = 0 }
    after(0.1, function() models.fruit.count = 41 + 1 end)
    transformer "broken" (function() error("no way") end)
    bind "fruit.count -> other.copy | broken"
    every(60, function() end)
    return view.label { bindTo = { text = "fruit.name" } }
    """

  @Test func `shows values, causes and errors, and evaluates`() throws {
    let folder = try ScratchFolder()
    folder.write(Self.app, to: "app.lua")
    let environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
    let program = try Program(["run", "app.lua"], in: folder, environment: environment)
    defer { program.send(SIGKILL) }
    let server = try ServerProgram(
      ["XDG_RUNTIME_DIR=\(folder.path)", Program.path, "lsp"], in: folder.path)
    let client = server.client
    client.initialize(
      root: folder.path, capabilities: ["workspace": ["inlayHint": ["refreshSupport": true]]])
    client.open("app.lua", Self.app)
    let document: JSONValue = ["uri": client.uri("app.lua")]
    let whole: JSONValue = [
      "start": ["line": 0, "character": 0], "end": ["line": 100, "character": 0],
    ]
    var labels: [String] = []
    let end = ContinuousClock.now + .seconds(60)
    while !labels.contains("= 42"), ContinuousClock.now < end {
      _ = client.next("workspace/inlayHint/refresh", seconds: 1)
      let hints = client.ask("textDocument/inlayHint", ["textDocument": document, "range": whole])[
        "result"]
      labels = (hints.array ?? []).compactMap { $0["label"].string }
    }
    #expect(labels.contains("= 42") && labels.contains("= \"apple\""))
    let hover = client.ask(
      "textDocument/hover",
      ["textDocument": document, "position": ["line": 0, "character": 34]])["result"]
    let text = hover["contents"]["value"].string ?? ""
    #expect(text.contains("In the running app: `42`"))
    #expect(text.contains("now 42 by a write at app.lua:3"))
    let binding = client.ask(
      "textDocument/hover",
      ["textDocument": document, "position": ["line": 6, "character": 48]])["result"]
    #expect(binding["contents"]["value"].string?.contains("`text: fruit.name`") == true)
    _ = client.ask(
      "workspace/executeCommand",
      ["command": "tidelock.evaluate", "arguments": [["text": "models.fruit.count = 50"]]])
    let costly = client.ask(
      "textDocument/hover",
      ["textDocument": document, "position": ["line": 4, "character": 14]])["result"]
    let cost = costly["contents"]["value"].string ?? ""
    #expect(cost.contains(" each; error: `no way`"), "\(cost)")
    _ = client.ask(
      "workspace/executeCommand",
      ["command": "tidelock.evaluate", "arguments": [["text": "models.fruit.count = 42"]]])
    let value = client.ask(
      "workspace/executeCommand",
      ["command": "tidelock.evaluate", "arguments": [["text": "models.fruit.count + 1"]]])["result"]
    #expect(value.string == "43")
    let errors = client.next(
      where: { message in
        (message["params"]["diagnostics"].array ?? []).contains { $0["source"] == "tidelock run" }
      }, seconds: 20)
    let shown = errors?["params"]["diagnostics"].array?.first { $0["source"] == "tidelock run" }
    #expect(shown?["message"].string == "no way")
    #expect(shown?["range"]["start"]["line"].int == 3)
    client.shutDown()
    #expect(server.wait() == 0)
  }

  @Test func `opening a text runs nothing in the app`() throws {
    let folder = try ScratchFolder()
    folder.write(Self.app, to: "app.lua")
    let environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
    let program = try Program(["run", "app.lua"], in: folder, environment: environment)
    defer { program.send(SIGKILL) }
    let server = try ServerProgram(
      ["XDG_RUNTIME_DIR=\(folder.path)", Program.path, "lsp"], in: folder.path)
    let client = server.client
    client.initialize(root: folder.path)
    let hostile = #"""
      model 'a"] end), (function() models["fruit"]["name"] = "stolen" end)(), read(function() return ({})["' { y = 1 }

      """#
    client.open("app.lua", hostile + Self.app)
    func name() -> String? {
      client.ask(
        "workspace/executeCommand",
        ["command": "tidelock.evaluate", "arguments": [["text": "models.fruit.name"]]])["result"]
        .string
    }
    let end = ContinuousClock.now + .seconds(60)
    while name() == nil, ContinuousClock.now < end { usleep(100_000) }
    usleep(1_500_000)
    #expect(name() == "\"apple\"")
    client.shutDown()
    #expect(server.wait() == 0)
  }

  @Test func `without a running app nothing is evaluated`() throws {
    let folder = try ScratchFolder()
    folder.write(Self.app, to: "app.lua")
    let server = try ServerProgram(
      ["XDG_RUNTIME_DIR=\(folder.path)", Program.path, "lsp"], in: folder.path)
    server.client.initialize(root: folder.path)
    let id = server.client.request(
      "workspace/executeCommand", ["command": "tidelock.evaluate", "arguments": [["text": "1"]]])
    let answer = server.client.next(where: { $0["id"] == id })
    #expect(answer?["error"]["message"].string?.contains("tidelock run") == true)
    server.client.shutDown()
    #expect(server.wait() == 0)
  }
}
