import EditorClients
import TestFolders
import TideLanguageServer
import TideSystem
import Testing

@Suite(.timeLimit(.minutes(60))) struct `The language server from the command line` {
  let folder: ScratchFolder
  let server: ServerProgram
  var client: EditorClient { server.client }

  init() throws {
    folder = try ScratchFolder()
    server = try ServerProgram([Program.path, "lsp", "--stdio"], in: folder.path)
  }

  @Test func `a session from the first message to the last`() {
    folder.write("print(1)", to: "app.lua")
    let result = client.initialize(root: folder.path)
    #expect(result["serverInfo"]["version"].string?.isEmpty == false)
    client.open("app.lua", "local s = '😀' print(s, x)\n")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.ranges == ["0:24-0:25"])
    client.change("app.lua", line: 0, 24..<25, "s", version: 2)
    #expect(client.diagnostics(of: "app.lua", version: 2)?.items.isEmpty == true)
    client.shutDown()
    #expect(server.wait() == 0)
    #expect(server.errors == "")
  }

  @Test func `it reports what check reports`() throws {
    folder.write("local m = model 'm' { a = 1 }\nprint(m.b, x)\nrequire 'none'\n", to: "app.lua")
    let check = try Program.run(["check", "app.lua", "--json"], in: folder)
    client.initialize(root: folder.path)
    let found = client.diagnostics(of: "app.lua")
    let told = try check.outputLines.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(!told.isEmpty)
    #expect(found?.messages == told.compactMap { $0["message"].string })
    #expect(found?.items.map { $0["code"] } == told.map { $0["code"] })
    #expect(
      found?.items.map { ($0["range"]["start"]["line"].int ?? -1) + 1 }
        == told.map { $0["line"].int ?? -1 })
  }

  @Test func `specs know the runner's words`() {
    folder.write("describe('x', function() it('y', function() end) end)", to: "a_spec.lua")
    folder.write("describe('x', functio)", to: "b_spec.lua")
    client.initialize(root: folder.path)
    #expect(client.diagnostics(of: "b_spec.lua")?.items.count == 1)
    #expect(client.diagnostics(of: "a_spec.lua", seconds: 0.2) == nil)
  }

  @Test func `without shutdown it ends with 1`() {
    client.initialize(root: folder.path)
    client.notify("exit")
    #expect(server.wait() == 1)
  }

  @Test func `the end of the input ends it`() {
    client.initialize(root: folder.path)
    client.endOutput()
    #expect(server.wait() == 1)
  }

  @Test func `a bad header ends it with a reason`() {
    client.send(bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(server.wait() == 1)
    #expect(
      server.errors
        == "tidelock lsp: a message's header has a line without a colon: GET / HTTP/1.1\n")
  }

  @Test func `a document of ten megabytes is edited`() {
    client.initialize(root: folder.path)
    let line = "-- a comment as long as a usual line of code is\n"
    client.open("large.lua", String(repeating: line, count: (10 << 20) / line.utf8.count))
    for version in 2...20 {
      client.change("large.lua", line: version, 0..<2, "--x", version: version)
    }
    let found = client.diagnostics(of: "large.lua", version: 20, seconds: 60)
    #expect(found?.items.map { $0["code"].string } == ["W0605"])
    client.shutDown()
    #expect(server.wait(seconds: 30) == 0)
  }

  @Test func `a client that never reads does not make its memory grow`() {
    client.initialize(root: folder.path)
    client.open("app.lua", "print(x)")
    _ = client.diagnostics(of: "app.lua")
    let before = server.memory
    // Each version has thousands of problems, which take a hundred kilobytes while they wait.
    let names = (0..<1000).map { "name\($0)" }.joined(separator: ",")
    for version in 2...200 {
      client.change("app.lua", [["text": .string("print(\(names),v\(version))")]], version: version)
      usleep(5000)
    }
    // The answer comes after everything that was sent before it.
    #expect(server.memory - before < (hasSanitizer ? 400 << 20 : 100 << 20))
    client.shutDown()
    #expect(server.wait(seconds: 30) == 0)
  }

  @Test func `help says what the command is for`() throws {
    let outcome = try Program.run(["lsp", "--help"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("Language Server Protocol"))
  }
}
