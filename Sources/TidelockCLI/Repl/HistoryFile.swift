import FoundationEssentials
import TideSystem

/// The history of earlier sessions, one entry per chunk, in the user's state folder.
///
/// The file stays open, so that entries can be added after the process is confined.
final class HistoryFile {
  /// Line ends within an entry are written as `\\n`.
  let entries: [String]
  private let descriptor: Int32
  /// The number of bytes that may still be added.
  private var room = mostBytes

  /// Longer entries are not saved, nor are entries that would exceed the file's limit. If a file
  /// has reached the limit, the next session keeps its later half.
  static let longestEntry = 64 << 10
  static let mostBytes = 4 << 20

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
    let bytes = Self.latest(of: path)
    entries = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      String(validating: line, as: UTF8.self).map { Self.decoded($0[...]) }
    }
    // Non-blocking, as for reading: the path may be a named pipe.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    descriptor = open(path, flags, 0o600)
    room = Self.mostBytes - bytes.count
  }

  /// The end of the file, up to the limit. A longer file is truncated to its later half.
  private static func latest(of path: String) -> ArraySlice<UInt8> {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if file < 0 { return [] }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    let isLong = size > mostBytes
    let start = isLong ? size - mostBytes / 2 : 0
    if size <= start { return [] }
    var bytes = [UInt8](unsafeUninitializedCapacity: size - start) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(start)))
    }[...]
    guard isLong else { return bytes }
    // The first line is incomplete.
    if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { bytes = bytes[(end + 1)...] }
    try? Data(bytes).write(to: URL(filePath: path), options: .atomic)
    chmod(path, 0o600)
    return bytes
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds an entry; ignores errors.
  func add(_ entry: String) {
    if entry.allSatisfy(\.isWhitespace) || descriptor < 0 { return }
    let line = Self.encoded(entry) + "\n"
    if line.utf8.count > Self.longestEntry || line.utf8.count > room { return }
    room -= line.utf8.count
    _ = StandardStreams.write(line, to: descriptor)
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
