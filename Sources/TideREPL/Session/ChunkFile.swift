import Foundation
import TideBindings

/// Chunks on their way to files, and through an editor and back.
enum ChunkFile {
  /// Writes what was run; gives what there is to say of it.
  static func save(_ chunks: [String], to file: String) throws -> String {
    do {
      try (chunks.joined(separator: "\n") + "\n").write(
        toFile: file, atomically: true, encoding: .utf8)
    } catch {
      throw TideError(.metaCommand, "\(file) cannot be written: \(error.localizedDescription)")
    }
    return "\(chunks.count) \(chunks.count == 1 ? "chunk" : "chunks") saved to \(file)"
  }

  /// Lets the person change a text in their editor.
  static func edit(_ text: String) throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let editor = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let file = FileManager.default.temporaryDirectory.appending(
      path: "tidelock-\(UUID().uuidString).lua")
    defer { try? FileManager.default.removeItem(at: file) }
    try text.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(editor) \"$1\"", "sh", file.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TideError(
        .metaCommand, "\(editor) ended with \(process.terminationStatus); set EDITOR to another")
    }
    return try String(contentsOf: file, encoding: .utf8)
  }
}
