import Fuzzing
import TestFolders
import TideLanguageServer
import TideSystem
import Testing

@Suite struct `Open documents` {
  let store = DocumentStore()
  let uri = "file:///app/app.lua"

  private func change(_ start: (Int, Int), _ end: (Int, Int), _ text: String) -> JSONValue {
    let range = TextRange(
      start: TextPosition(line: start.0, character: start.1),
      end: TextPosition(line: end.0, character: end.1))
    return ["range": range.json, "text": .string(text)]
  }

  private var text: String? { store[uri: uri]?.text.text }

  @Test func `changes apply one after the other, ranges and whole texts`() throws {
    store.open(uri, text: "one\ntwo", version: 1)
    let document = try store.change(
      uri, [change((0, 0), (0, 3), "1"), change((1, 3), (1, 3), "\n3"), ["text": "new"]], version: 2
    )
    #expect(document?.text.text == "new")
    _ = try store.change(uri, [change((0, 3), (0, 3), "!")], version: 3)
    #expect(text == "new!")
    #expect(store[uri: uri]?.version == 3)
  }

  @Test func `a document is known by any spelling of its URI, and keeps the first`() throws {
    store.open("file:///app/a%62.lua", text: "x", version: 1)
    #expect(store[uri: "file:///app/ab.lua"]?.text.text == "x")
    #expect(store.uri(of: "/app/ab.lua") == "file:///app/a%62.lua")
    #expect(store.uri(of: "/app/a c.lua") == "file:///app/a%20c.lua")
  }

  @Test func `opening twice takes the new text`() {
    #expect(store.open(uri, text: "a", version: 1))
    #expect(!store.open(uri, text: "b", version: 2))
    #expect(text == "b")
  }

  @Test func `what is not open is neither changed nor closed`() throws {
    #expect(try store.change(uri, [["text": "x"]], version: 1) == nil)
    #expect(store.close(uri) == nil)
    #expect(store.all.isEmpty)
  }

  @Test func `an invalid change throws, and those before it stay`() throws {
    store.open(uri, text: "a", version: 1)
    #expect(throws: ResponseError.self) {
      try store.change(uri, [["text": "b"], ["range": ["start": 1], "text": "c"]], version: 2)
    }
    #expect(text == "b")
    #expect(throws: ResponseError.self) { try store.change(uri, [["text": 3]], version: 3) }
    #expect(text == "b")
  }

  @Test func `documents that are not files lie in the first root`() {
    store.home = "/app"
    store.open("untitled:Untitled-1", text: "x", version: 1)
    #expect(store[path: "/app/Untitled-1"]?.isFile == false)
    #expect(store.uri(of: "/app/Untitled-1") == "untitled:Untitled-1")
  }

  @Test func `a document that is not a file never has a file's path`() throws {
    let folder = try ScratchFolder()
    folder.write("", to: "app.lua")
    store.home = folder.path
    store.open("git:/elsewhere/app.lua?old", text: "x", version: 1)
    store.open("git:/elsewhere/app.lua?older", text: "y", version: 1)
    let file = DocumentURI.of(path: folder.path + "/app.lua")
    store.open(file, text: "z", version: 1)
    #expect(store.all.count == 3)
    #expect(store[uri: "git:/elsewhere/app.lua?old"]?.text.bytes == Array("x".utf8))
    #expect(store[uri: "git:/elsewhere/app.lua?older"]?.text.bytes == Array("y".utf8))
    #expect(store[uri: file]?.text.bytes == Array("z".utf8))
    #expect(store.close("git:/elsewhere/app.lua?old")?.isChecked == false)
    #expect(store[uri: "git:/elsewhere/app.lua?old"] == nil)
  }

  @Test func `an untitled document that is saved leaves the file open when it closes`() {
    store.home = "/app"
    store.open("untitled:Untitled-1", text: "x", version: 1)
    let file = DocumentURI.of(path: "/app/Untitled-1")
    #expect(store.open(file, text: "y", version: 1))
    #expect(store[uri: "untitled:Untitled-1"]?.text.bytes == Array("x".utf8))
    #expect(store.close("untitled:Untitled-1")?.isFile == false)
    #expect(store[uri: file]?.text.bytes == Array("y".utf8))
    #expect(store.all.count == 1)
  }

  @Test func `random changes equal those of a plain model`() throws {
    var random = SeededGenerator("document changes")
    for _ in 0..<100 {
      let start = TextModel.randomText(20, using: &random)
      var model = TextModel(start, encoding: .utf16)
      store.open(uri, text: start, version: 1)
      for version in 2..<12 {
        var changes: [JSONValue] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let new = TextModel.randomText(4, using: &random)
          if Int.random(in: 0..<10, using: &random) == 0 {
            model = TextModel(new, encoding: .utf16)
            changes.append(["text": .string(new)])
            continue
          }
          let range = TextRange(
            start: model.randomPosition(using: &random), end: model.randomPosition(using: &random))
          model.replace(range, with: new)
          changes.append(["range": range.json, "text": .string(new)])
        }
        _ = try store.change(uri, changes, version: version)
        guard store[uri: uri]?.text.bytes == Array(model.text.utf8) else {
          Issue.record("after \(JSONValue.array(changes).text)")
          return
        }
      }
    }
  }
}
