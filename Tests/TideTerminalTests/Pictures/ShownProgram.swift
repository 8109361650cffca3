import Foundation
import Testing
import TideViews
import VirtualTerminals

@testable import TideTerminal

/// The built `tidelock` in a terminal of its own, whose screen can be looked at.
final class ShownProgram {
  private let terminal: PseudoTerminal
  private let process = Process()
  private let size: Size
  private var bytes: [UInt8] = []

  init(_ arguments: [String], in folder: URL, size: Size) throws {
    self.size = size
    terminal = try PseudoTerminal(columns: UInt16(size.width), rows: UInt16(size.height))
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "tidelock")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
      "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
    ]
    let device = FileHandle(fileDescriptor: terminal.slave, closeOnDealloc: false)
    process.standardInput = device
    process.standardOutput = device
    process.standardError = device
    try process.run()
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func type(_ text: String) { terminal.type(text) }

  /// The screen as soon as it shows a text.
  func screen(
    showing text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> VirtualTerminal {
    try screen(sourceLocation: sourceLocation) { screen in
      screen.lines.contains { $0.contains(text) }
    }
  }

  /// The screen as soon as it is as wanted.
  func screen(
    sourceLocation: SourceLocation = #_sourceLocation,
    where isWanted: (VirtualTerminal) -> Bool
  ) throws -> VirtualTerminal {
    for _ in 0..<1000 {
      bytes += terminal.output(wait: 20)
      let screen = screen
      if isWanted(screen) { return screen }
    }
    let text = screen.lines.joined(separator: "\n")
    Issue.record("it never comes:\n\(text)", sourceLocation: sourceLocation)
    throw Failure()
  }

  private var screen: VirtualTerminal {
    let screen = VirtualTerminal(size: size)
    // A program that does not take the whole screen begins with an empty one.
    screen.feed(Array("\u{1B}[2J\u{1B}[H".utf8) + bytes)
    return screen
  }

  struct Failure: Error {}
}
