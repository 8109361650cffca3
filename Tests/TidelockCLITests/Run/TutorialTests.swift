import Foundation
import TestFolders
import Testing

/// The steps of the tutorial, as its article says to run them, and what it says to try.
@Suite(.serialized) struct TutorialTests: AppSuite {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder(folders: "run") }

  private static let steps = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples/tutorial")

  /// Copies a step's files.
  private func take(step: Int, below part: String = "") throws {
    let source = Self.steps.appending(path: "step\(step)").path
    if !part.isEmpty { folder.makeFolder(part) }
    for name in try FileManager.default.subpathsOfDirectory(atPath: source).sorted() {
      let target = folder.path + "/" + (part.isEmpty ? name : part + "/" + name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: source + "/" + name, isDirectory: &isFolder)
      if isFolder.boolValue {
        folder.makeFolder(part.isEmpty ? name : part + "/" + name)
      } else {
        try FileManager.default.copyItem(atPath: source + "/" + name, toPath: target)
      }
    }
  }

  @Test(arguments: [
    (1, "", "mail"), (2, "", "92%"), (3, "read=.", "92%"), (4, "read=.", "serving"),
    (5, "read=.,write=.,run=sh", "F5 Restart"),
    (6, "read=.,write=.,run=sh", "serving"),
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

  // MARK: Try

  enum Surface: CaseIterable, Sendable {
    case terminal, page
  }

  /// A step that runs in a terminal or in a page.
  private final class Screen {
    let program: Program
    private let terminal: Terminal?
    private let page: PageReader?

    init(
      _ surface: Surface, _ file: String, _ allowed: String, in folder: ScratchFolder
    ) throws {
      let flags = allowed.isEmpty ? [] : ["--allow", allowed]
      let environment = ["XDG_RUNTIME_DIR": folder.path + "/run"]
      switch surface {
      case .terminal:
        let terminal = try Terminal()
        program = try Program(
          ["run", file] + flags, in: folder, output: .terminal(terminal.name),
          environment: environment)
        self.terminal = terminal
        page = nil
      case .page:
        let program = try Program(["serve", file] + flags, in: folder, environment: environment)
        self.program = program
        program.wait { $0.output.contains("?token=") }
        page = try PageReader(program.output.split(separator: "\n").first.map(String.init) ?? "")
        terminal = nil
      }
    }

    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) {
      terminal?.wait(for: text, sourceLocation: sourceLocation)
      page?.wait(for: text, sourceLocation: sourceLocation)
    }

    func clear() {
      terminal?.clear()
      page?.clear()
    }

    /// Presses F5, and in the dialog Enter or its first button.
    func restart() {
      terminal?.type("\u{1b}[15~", until: "Restart web?")
      terminal?.type("\r")
      guard let page else { return }
      page.press("F5", in: "column")
      // The page has had the hidden dialog; now its first button gets the focus.
      page.wait(for: "[\"focus\",")
      page.click("button")
    }

    func end() {
      guard let terminal else { return program.send(SIGTERM) }
      terminal.type("\u{3}")
    }

    func finish() -> Program.Ending {
      end()
      guard let terminal else { return program.finish(seconds: 10).status }
      return program.finish(seconds: 10, meanwhile: terminal.read).status
    }
  }

  private static func expected(_ surface: Surface) -> Program.Ending {
    surface == .terminal ? .exited(130) : .signalled(SIGTERM)
  }

  /// Replaces a text in a file of the folder, and saves it.
  private func save(_ file: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
    try #require(text.contains(old))
    folder.write(text.replacing(old, with: new), to: file)
  }

  @Test(arguments: Surface.allCases)
  func `step 1: a changed name shows when it is saved, and a prompt appends a service`(
    surface: Surface
  ) throws {
    try take(step: 1, below: "step1")
    let screen = try Screen(surface, "step1/app.lua", "", in: folder)
    screen.wait(for: "mail")
    screen.clear()
    try save("step1/app.lua", "\"mail\"", "\"post\"")
    screen.wait(for: "reloaded")
    screen.wait(for: "post")
    screen.clear()
    let outcome = try Program.run(
      ["repl", "--attach", "step1", "-e", "models.fleet.services:append { name = \"cache\" }"],
      in: folder, environment: ["XDG_RUNTIME_DIR": folder.path + "/run"])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    screen.wait(for: "cache")
    #expect(screen.finish() == Self.expected(surface))
  }

  @Test(arguments: Surface.allCases)
  func `step 2: a misspelt transformer is told with the nearest, and the old version goes on`(
    surface: Surface
  ) throws {
    try take(step: 2)
    let screen = try Screen(surface, "app.lua", "", in: folder)
    screen.wait(for: "92%")
    screen.clear()
    try save("app.lua", "| tone\"", "| tome\"")
    screen.wait(for: "there is no transformer")
    // The rest of the question may stand in the line before.
    screen.wait(for: "you mean")
    screen.wait(for: "old version keeps running")
    screen.clear()
    try save("app.lua", "| tome\"", "| tone\"")
    screen.wait(for: "reloaded 1 of 1")
    #expect(screen.finish() == Self.expected(surface))
  }

  @Test(arguments: Surface.allCases)
  func `step 3: a changed file shows, and a broken one says what is wrong`(
    surface: Surface
  ) throws {
    try take(step: 3)
    let screen = try Screen(surface, "app.lua", "read=.", in: folder)
    screen.wait(for: "mail")
    screen.clear()
    try save("services.json", "\"mail\"", "\"post\"")
    screen.wait(for: "post")
    screen.clear()
    folder.write("[ { ", to: "services.json")
    screen.wait(for: "invalid JSON")
    #expect(screen.finish() == Self.expected(surface))
  }

  @Test(arguments: Surface.allCases)
  func `step 4: a line that another terminal appends to the log shows`(surface: Surface) throws {
    try take(step: 4)
    let screen = try Screen(surface, "app.lua", "read=.", in: folder)
    screen.wait(for: "serving")
    screen.clear()
    let shell = try Program(
      executable: ["/bin/sh", "-c", "echo \"out of memory\" >> web.log"], in: folder,
      below: ".", output: .closed)
    #expect(shell.finish().status == .exited(0))
    screen.wait(for: "out of memory")
    #expect(screen.finish() == Self.expected(surface))
  }

  @Test(arguments: Surface.allCases)
  func `step 5: F5 asks, and the answer runs the program`(surface: Surface) throws {
    try take(step: 5)
    let screen = try Screen(surface, "app.lua", "read=.,write=.,run=sh", in: folder)
    screen.wait(for: "serving")
    screen.clear()
    screen.restart()
    screen.wait(for: "restarted")
    #expect(folder.read("web.log").hasSuffix("restarted\n"))
    #expect(screen.finish() == Self.expected(surface))
  }

  @Test func `the specs of the last step pass`() throws {
    try take(step: 6)
    let outcome = try Program.run(["test"], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.output)")
    #expect(outcome.output.contains("4 successes"))
  }
}
