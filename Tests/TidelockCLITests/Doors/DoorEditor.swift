import AttackFiles
import EditorClients
import TestFolders
import TideSystem

/// Somebody who types attacks into an editor that shows the app beside its text.
struct DoorEditor {
  private let assault: Assault
  private let folder: ScratchFolder

  init(_ assault: Assault, _ folder: ScratchFolder) {
    self.assault = assault
    self.folder = folder
  }

  /// How the language server ends, as if the app itself had; what it shows of the last text is the
  /// output.
  func outcome() throws -> Program.Outcome {
    let server = try ServerProgram([Program.path, "lsp"], in: folder.path)
    let client = server.client
    client.initialize(root: folder.path)
    client.open("app.lua", assault.app)
    var errors = ""
    for index in assault.attacks.indices {
      client.change(
        "app.lua", [["text": .string(assault.preview(index))]], version: index + 2)
      let answer = preview(client)
      if answer["svg"].string == nil, answer["message"].string == nil {
        errors += "no answer to attack \(index + 1)\n"
      }
    }
    client.change(
      "app.lua", [["text": .string(assault.preview(nil))]], version: assault.attacks.count + 2)
    let last = preview(client)["svg"].string ?? ""
    let isShown = last.contains(Assault.token) && errors.isEmpty
    client.shutDown()
    let code = server.wait()
    return Program.Outcome(
      status: code == 0 ? .exited(Assault.code) : .exited(code ?? 70),
      output: isShown ? Assault.token : last, errors: errors)
  }

  private func preview(_ client: EditorClient) -> JSONValue {
    client.ask("tidelock/preview", ["textDocument": ["uri": client.uri("app.lua")]])["result"]
  }
}
