import EditorClients
import TestFolders
import TideLanguageServer
import TideSystem
import Testing

@Suite(.timeLimit(.minutes(60))) struct `Renaming files` {
  let scene: ServerScene
  var client: EditorClient { scene.client }

  init() throws {
    scene = try ServerScene()
    scene.start([
      "app.lua":
        "local dates = require \"lib.dates\"\nlocal words = require 'words'\nprint(dates, words)\n",
      "lib/dates.lua": "return { words = require(\"lib.words\") }\n",
      "lib/words.lua": "return {}\n", "words.lua": "return {}\n",
    ])
  }

  /// The new texts of each file, as `line:start-end text`.
  private func edits(_ old: String, _ new: String) -> [String: [String]] {
    let answer = client.ask(
      "workspace/willRenameFiles",
      ["files": [["oldUri": .string(uri(old)), "newUri": .string(uri(new))]]])
    var found: [String: [String]] = [:]
    for field in answer["result"]["changes"].fields ?? [] {
      let name = field.name.split(separator: "/").suffix(1).joined()
      found[name] = (field.value.array ?? []).map { edit in
        let range = edit["range"]
        let (line, start) = (
          range["start"]["line"].int ?? -1, range["start"]["character"].int ?? -1
        )
        return
          "\(line):\(start)-\(range["end"]["character"].int ?? -1) \(edit["newText"].string ?? "")"
      }
    }
    return found
  }

  private func uri(_ name: String) -> String { client.uri(name).string ?? "" }

  @Test func `a renamed file is required by its new name`() {
    #expect(edits("lib/dates.lua", "lib/days.lua") == ["app.lua": ["0:23-32 lib.days"]])
    #expect(edits("words.lua", "lib/texts.lua") == ["app.lua": ["1:23-28 lib.texts"]])
    #expect(edits("lib/words.lua", "lib/words/init.lua") == [:])
  }

  @Test func `a renamed folder renames its modules, in its own scripts as well`() {
    #expect(
      edits("lib", "parts")
        == ["app.lua": ["0:23-32 parts.dates"], "dates.lua": ["0:26-35 parts.words"]])
  }

  @Test func `a module that no name finds any more is told`() {
    #expect(edits("words.lua", "my.words.lua") == [:])
    let told = client.next("window/showMessage")?["params"]["message"].string
    #expect(told?.hasPrefix("no name finds words there") == true)
  }

  @Test func `the client is asked to report renames of scripts and folders`() throws {
    let other = try ServerScene()
    let answer = other.client.initialize(root: other.folder.path)
    let operations = answer["capabilities"]["workspace"]["fileOperations"]["willRename"]
    #expect(operations["filters"].array?.count == 2)
  }
}
