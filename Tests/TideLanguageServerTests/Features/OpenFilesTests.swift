import EditorClients
import TestFolders
import TideLanguageServer
import TideSystem
import Testing

/// Documents that are not what the disk has under the same path.
@Suite(.timeLimit(.minutes(60))) struct `Documents of an editor` {
  let scene: ServerScene
  var client: EditorClient { scene.client }

  init() throws { scene = try ServerScene() }

  private static let mistake = "print(frut)\n"

  @Test(arguments: ["/app%2Elua", "/%61pp.lua", "/./app.lua", "LOCALHOST"])
  func `leave no findings under another spelling of their URI`(spelling: String) {
    scene.start(["app.lua": Self.mistake])
    let uri =
      spelling == "LOCALHOST"
      ? "file://localhost\(client.root)/app.lua" : "file://\(client.root)\(spelling)"
    #expect(client.diagnostics(of: "app.lua")?.items.count == 1)
    client.open(uri, Self.mistake)
    #expect(client.diagnostics(of: "app.lua")?.items.isEmpty == true)
    #expect(client.diagnostics(of: uri)?.items.count == 1)
    client.close(uri)
    #expect(client.diagnostics(of: uri)?.items.isEmpty == true)
    #expect(client.diagnostics(of: "app.lua")?.items.count == 1)
  }

  @Test func `that are new modules are found before they are saved`() {
    scene.start(["app.lua": ""])
    client.open("app.lua", "local fresh = require \"fresh\"\nprint(fresh.half)\n")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.items.count == 1)
    client.open("fresh.lua", "return { half = 1 }\n")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.items.isEmpty == true)
    let found = client.ask(
      "textDocument/definition",
      [
        "textDocument": ["uri": client.uri("app.lua")],
        "position": ["line": 0, "character": 24],
      ])["result"]
    #expect(found[0]["uri"] == client.uri("fresh.lua"))
    client.close("fresh.lua")
    #expect(client.diagnostics(of: "app.lua", version: 1)?.items.count == 1)
  }

  @Test func `that were opened through a link are renamed where they are shown`() {
    scene.start([
      "m.lua": "local M = {}\nM.half = 1\nreturn M\n",
      "app.lua": "local m = require \"m\"\nprint(m.half)\n",
    ])
    scene.folder.link("z.lua", to: "m.lua")
    client.open("app.lua", "local m = require \"m\"\nprint(m.half)\n")
    client.open("z.lua", "-- one\n-- two\nlocal M = {}\nM.half = 1\nreturn M\n")
    let edits = client.ask(
      "textDocument/rename",
      [
        "textDocument": ["uri": client.uri("app.lua")],
        "position": ["line": 1, "character": 9], "newName": "third",
      ])["result"]["changes"]
    #expect(
      edits.fields?.map(\.name).sorted() == [
        client.uri("app.lua").string ?? "", client.uri("z.lua").string ?? "",
      ])
    #expect(edits[client.uri("z.lua").string ?? ""][0]["range"]["start"]["line"].int == 3)
  }

  @Test func `that are as on the disk make nothing be checked again`() throws {
    let folder = try ScratchFolder()
    for index in 0..<20 { folder.write("return { a\(index) = 1 }\n", to: "m\(index).lua") }
    // Files that have just been written may change again within one tick of the clock.
    for index in 0..<20 { age(folder.path + "/m\(index).lua") }
    let analysis = AppAnalysis(specs: nil)
    analysis.roots = [folder.path]
    let first = folder.path + "/m0.lua"
    _ = try analysis.problems(of: first)
    let snapshot = try #require(try analysis.snapshot(for: first))
    for index in 0..<20 {
      analysis.update("\(folder.path)/m\(index).lua", Array("return { a\(index) = 1 }\n".utf8))
    }
    #expect(try analysis.snapshot(for: first) === snapshot)
    for index in 1..<20 { analysis.close("\(folder.path)/m\(index).lua") }
    #expect(try analysis.snapshot(for: first) === snapshot)
    analysis.update(first, Array("return { b = frut }\n".utf8))
    #expect(try analysis.problems(of: first)?.count == 1)
    analysis.close(first)
    #expect(try analysis.problems(of: first)?.isEmpty == true)
  }

  @Test func `show what was typed though the file is saved by another program meanwhile`() throws {
    let folder = try ScratchFolder()
    let file = folder.write("return 1\n", to: "m.lua")
    age(file)
    let analysis = AppAnalysis(specs: nil)
    analysis.roots = [folder.path]
    _ = try analysis.problems(of: file)
    analysis.update(file, Array("return 1\n".utf8))
    folder.write("return frut\n", to: "m.lua")
    analysis.noteChange(of: file)
    #expect(try analysis.problems(of: file)?.isEmpty == true)
    analysis.close(file)
    #expect(try analysis.problems(of: file)?.count == 1)
  }

  private func age(_ path: String) {
    var times = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, path, &times, 0)
  }
}
