import TideBindings
import TideSystem

/// Reads the text of scripts, with clear errors for files that are not scripts.
///
/// A leading byte order mark is dropped. A first line that begins with `#` is meant for the shell
/// and becomes a comment.
package enum ScriptFile {
  static let sizeLimit = 16 << 20

  package static func read(_ path: String) throws -> String {
    let bytes = try bytes(of: path, limit: sizeLimit, "a script file")
    ReadSources.note(path)
    return try text(of: bytes, path)
  }

  /// Whether a file's text contains the declaration of a class, such as `class "Person"`. The file
  /// may not have been run yet.
  static func declares(_ name: String, at path: String) -> Bool {
    guard let text = try? read(path) else { return false }
    return declares(name, in: text)
  }

  static func declares(_ name: String, in text: String) -> Bool {
    calls("class", with: name, in: text)
  }

  /// Whether a text may require a module: by a call such as `require "shop"`, or by its name as any
  /// string if the text requires modules whose names it computes.
  static func requires(_ name: String, in text: String) -> Bool {
    if calls("require", with: name, in: text) { return true }
    guard quotations(of: name).contains(where: { text.contains($0) }) else { return false }
    return text.split(separator: "require", omittingEmptySubsequences: false).dropFirst()
      .contains { rest in
        let argument = rest.first { !$0.isWhitespace && $0 != "(" }
        return argument != "\"" && argument != "'"
      }
  }

  /// Whether a text contains a call with a name as its first argument.
  private static func calls(_ function: String, with name: String, in text: String) -> Bool {
    quotations(of: name).contains { quoted in
      var parts = text.split(separator: quoted, omittingEmptySubsequences: false)
      parts.removeLast()
      return parts.contains { before in
        let end = before.lastIndex { !$0.isWhitespace && $0 != "(" }
        return end.map { before[...$0].hasSuffix(function) } ?? false
      }
    }
  }

  private static func quotations(of name: String) -> [String] { ["\"\(name)\"", "'\(name)'"] }

  /// Checks a text that did not come from a file, as if it did. `path` names it in errors.
  static func text(given text: String, _ path: String) throws -> String {
    guard text.utf8.count <= sizeLimit else {
      throw TideError(
        .scriptSize,
        "\(path) has \(text.utf8.count >> 20) MiB; a module's text may have \(sizeLimit >> 20)")
    }
    return try self.text(of: Array(text.utf8), path)
  }

  /// Reads a plain file without blocking.
  package static func bytes(of path: String, limit: Int, _ wanted: String) throws -> [UInt8] {
    // The file is opened first and then checked, so that nothing can replace it in between. Opening
    // does not block, even if the path is a pipe.
    let file = ReadableFile.open(path, O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw cannotOpen(path) }
    return try bytes(from: file, path, limit: limit, wanted)
  }

  /// Reads an open file and closes it; `path` names it in errors.
  static func bytes(
    from file: Int32, _ path: String, limit: Int, _ wanted: String
  ) throws -> [UInt8] {
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw cannotOpen(path) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw TideError(.scriptFile, "\(path) is a folder; name \(wanted)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TideError(.scriptFile, "\(path) is not a text file; name \(wanted)")
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
    // The file may grow meanwhile.
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

  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private static func text(of bytes: [UInt8], _ path: String) throws -> String {
    let hasMark = bytes.starts(with: byteOrderMark)
    let content = bytes.dropFirst(hasMark ? byteOrderMark.count : 0)
    if let text = String(validating: content, as: UTF8.self) {
      return content.first == UInt8(ascii: "#") ? "--" + text : text
    }
    // Find the first invalid byte.
    var end = 0
    var line = 1
    var start = 0
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: "\n") {
        if String(validating: bytes[start..<end], as: UTF8.self) == nil { break }
        line += 1
        start = end + 1
      }
      end += 1
    }
    throw TideError(
      .scriptEncoding, "this line is not UTF-8; save the file as UTF-8",
      location: SourceLocation(
        file: path, line: line, column: validLength(of: bytes[start..<end]) + 1))
  }

  /// The number of bytes before the first invalid one.
  private static func validLength(of line: ArraySlice<UInt8>) -> Int {
    var decoder = UTF8()
    var bytes = line.makeIterator()
    var length = 0
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      length += UTF8.width(scalar)
    }
    return length
  }
}
