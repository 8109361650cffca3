import FoundationEssentials
import TideBindings
import TideSystem

/// Saves chunks to files, and edits them in the user's editor.
package enum ChunkFile {
  /// Writes chunks to a file. Returns a message for the user.
  static func save(_ chunks: [String], to file: String) throws -> String {
    try write(chunks.joined(separator: "\n") + "\n", to: file)
    return "\(chunks.count) \(chunks.count == 1 ? "chunk" : "chunks") saved to \(file)"
  }

  private static func write(_ text: String, to file: String) throws {
    do {
      try text.write(to: URL(filePath: file), atomically: true, encoding: .utf8)
    } catch {
      let reason = errno
      let isConfined = reason == EACCES && Confinement.isApplied
      let hint = isConfined ? "; start the prompt in that folder, or with --allow write=DIR" : ""
      throw TideError(.metaCommand, "\(file) cannot be written: \(SystemText.of(reason))\(hint)")
    }
  }

  /// The user's editor, as a shell command to which a file's name is added.
  package static var editor: String {
    let environment = ProcessInfo.processInfo.environment
    return environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
  }

  /// Opens a text in the user's editor and returns the edited text.
  static func edit(_ text: String) throws -> String {
    if ProgramBroker.exists {
      do {
        let (status, text) = try ProgramBroker.edit(text)
        try check(status)
        return text
      } catch let error as ConfinementError {
        throw TideError(.metaCommand, error.message)
      }
    }
    let file = FileManager.default.temporaryDirectory.appending(
      path: "tidelock-\(UUID().uuidString).lua"
    ).path
    defer { unlink(file) }
    try write(text, to: file)
    try check(try run(["/bin/sh", "-c", "\(editor) \"$1\"", "sh", file]))
    return try String(contentsOf: URL(filePath: file), encoding: .utf8)
  }

  /// Throws unless the editor's `waitpid` status is success.
  private static func check(_ status: Int32) throws {
    if status == 0 { return }
    let number = status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
    throw TideError(.metaCommand, "\(editor) ended with \(number); set EDITOR to another")
  }

  /// Runs a program in this terminal until it ends. Returns its `waitpid` status.
  private static func run(_ arguments: [String]) throws -> Int32 {
    var strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, arguments[0], nil, nil, &strings, environ)
    if failure != 0 {
      throw TideError(.metaCommand, "\(arguments[0]) cannot be run: \(SystemText.of(failure))")
    }
    var status: Int32 = 0
    // A resized terminal interrupts the wait.
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
