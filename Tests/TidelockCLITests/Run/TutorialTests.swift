import Foundation
import TestFolders
import Testing

/// The steps of the tutorial, as its article says to run them.
struct TutorialTests: AppSuite {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let steps = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples/tutorial")

  /// Copies a step's files.
  private func take(step: Int) throws {
    let source = Self.steps.appending(path: "step\(step)").path
    for name in try FileManager.default.subpathsOfDirectory(atPath: source) {
      let target = folder.path + "/" + name
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: source + "/" + name, isDirectory: &isFolder)
      if isFolder.boolValue {
        folder.makeFolder(name)
      } else {
        try FileManager.default.copyItem(atPath: source + "/" + name, toPath: target)
      }
    }
  }

  @Test(arguments: [
    (1, "", "mail"), (2, "", "92%"), (3, "read=.", "92%"), (4, "read=.", "serving"),
    (5, "read=.,run=sh", "F5 Restart"), (6, "read=.,run=sh", "serving"),
  ])
  func `a step runs and shows what it is about`(
    step: Int, allowed: String, shown: String
  ) throws {
    try take(step: step)
    let flags = allowed.isEmpty ? [] : ["--allow", allowed]
    let outcome = try Program.run(
      ["run", "app.lua", "--snapshot", "--for", "1", "--size", "70x14"] + flags, in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains(shown), "\(outcome.output)")
    #expect(try Program.run(["check", "app.lua"], in: folder).status == .exited(0))
  }

  @Test func `a name that is changed in the first step shows when it is saved`() throws {
    try take(step: 1)
    let terminal = try Terminal()
    let path = folder.path + "/app.lua"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let program = try Program(
      ["run", "app.lua"], in: folder, output: .terminal(terminal.name))
    terminal.wait(for: "mail")
    terminal.clear()
    folder.write(text.replacing("\"mail\"", with: "\"post\""), to: "app.lua")
    terminal.wait(for: "reloaded")
    terminal.wait(for: "post")
    terminal.type("\u{3}")
    #expect(program.finish(seconds: 10, meanwhile: terminal.read).status == .exited(130))
  }

  @Test func `the specs of the last step pass`() throws {
    try take(step: 6)
    let outcome = try Program.run(["test"], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.output)")
    #expect(outcome.output.contains("4 successes"))
  }
}
