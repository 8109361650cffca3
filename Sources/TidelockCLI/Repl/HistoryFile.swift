import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What was typed in earlier sessions, one entry a chunk, in the user's folder for state.
struct HistoryFile {
  private let path: String?

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let base = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { $0 + "/.local/state" }
    path = base.map { $0 + "/tidelock/history" }
  }

  /// Line ends within an entry are written as `\\n`.
  var entries: [String] {
    guard let path, let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { Self.decoded($0) }
  }

  /// Adds an entry; where the file cannot be written the session goes on without it.
  func add(_ entry: String) {
    if entry.allSatisfy(\.isWhitespace) { return }
    guard let path else { return }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { return }
    _ = StandardStreams.write(Self.encoded(entry) + "\n", to: descriptor)
    close(descriptor)
  }

  private static func encoded(_ entry: String) -> String {
    entry.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func decoded(_ line: Substring) -> String {
    var text = ""
    var isEscaped = false
    for character in line {
      if isEscaped {
        text.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }
}
