import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What was typed in earlier sessions, one entry a chunk, in the user's folder for state.
///
/// The file stays open, so that entries can still be added once the process is confined.
final class HistoryFile {
  /// Line ends within an entry are written as `\\n`.
  let entries: [String]
  private let descriptor: Int32

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let base = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { $0 + "/.local/state" }
    let folder = base.map { $0 + "/tidelock" } ?? ""
    guard !folder.isEmpty else {
      (entries, descriptor) = ([], -1)
      return
    }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder + "/history"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    entries = text.split(separator: "\n").map { Self.decoded($0) }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds an entry; where the file cannot be written the session goes on without it.
  func add(_ entry: String) {
    if entry.allSatisfy(\.isWhitespace) || descriptor < 0 { return }
    _ = StandardStreams.write(Self.encoded(entry) + "\n", to: descriptor)
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
