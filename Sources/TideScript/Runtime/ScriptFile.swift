import Glibc
import TideBindings

/// Reads a script's text and says clearly what is wrong with a file that is none.
enum ScriptFile {
  static let sizeLimit = 16 << 20

  static func read(_ path: String) throws -> String {
    try text(of: bytes(of: path, limit: sizeLimit, "a script file"), path)
  }

  /// The contents of a plain file, read without waiting for anybody.
  static func bytes(of path: String, limit: Int, _ wanted: String) throws -> [UInt8] {
    // Opened first and looked at then, so that nothing can take its place in between, and without
    // waiting, which a pipe would ask for.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw cannotOpen(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw cannotOpen(path) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw TideError(.scriptFile, "\(path) is a folder; name \(wanted)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TideError(.scriptFile, "\(path) is no file with text; name \(wanted)")
    }
    guard status.st_size <= limit else {
      throw TideError(
        .scriptSize,
        "\(path) has \(status.st_size >> 20) MiB; \(wanted) may have \(limit >> 20)")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { room.deallocate() }
    // It may grow meanwhile.
    while bytes.count <= limit {
      let count = Glibc.read(file, room.baseAddress, room.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw cannotOpen(path) }
      if count == 0 { break }
      bytes.append(contentsOf: room[0..<count])
    }
    return bytes
  }

  private static func cannotOpen(_ path: String) -> TideError {
    TideError(.scriptFile, "cannot open \(path): \(String(cString: strerror(errno)))")
  }

  private static func text(of bytes: [UInt8], _ path: String) throws -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // Where the first wrong byte stands.
    var low = 0
    var line = 1
    var start = 0
    while low < bytes.count {
      if bytes[low] == UInt8(ascii: "\n") {
        if String(validating: bytes[start..<low], as: UTF8.self) == nil { break }
        line += 1
        start = low + 1
      }
      low += 1
    }
    throw TideError(
      .scriptEncoding, "this line is not UTF-8; save the file as UTF-8",
      location: SourceLocation(file: path, line: line))
  }
}
