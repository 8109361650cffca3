import Glibc
import TideBindings

/// Reads a script's text and says clearly what is wrong with a file that is none.
enum ScriptFile {
  static let sizeLimit = 16 << 20

  static func read(_ path: String) throws -> String {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw TideError(.scriptFile, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw TideError(.scriptFile, "\(path) is a folder; name a script file")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TideError(.scriptFile, "\(path) is no file with text; name a script file")
    }
    guard status.st_size <= sizeLimit else {
      throw TideError(
        .scriptSize,
        "\(path) has \(status.st_size >> 20) MiB; a script may have \(sizeLimit >> 20)")
    }
    guard let file = fopen(path, "rb") else {
      throw TideError(.scriptFile, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { room.deallocate() }
    while bytes.count <= sizeLimit {
      let count = fread(room.baseAddress, 1, room.count, file)
      if count <= 0 { break }
      bytes.append(contentsOf: room[0..<count])
    }
    return try text(of: bytes, path)
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
