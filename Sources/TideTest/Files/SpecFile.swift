import TideSystem

/// A spec file with its text.
struct SpecFile: Sendable {
  let name: String
  /// The source passed to Lua; need not be UTF-8.
  let bytes: [UInt8]
  /// Whether it may share globals with later files, which then run in the same runtime.
  var isExposing: Bool

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    isExposing = String(decoding: bytes, as: UTF8.self).contains("expose")
  }

  /// The source for display, repaired if it is not UTF-8.
  var source: String { String(decoding: bytes, as: UTF8.self) }

  /// At least 1, as in editors; a final line end begins no new line.
  var lineCount: Int {
    let ends = bytes.count { $0 == UInt8(ascii: "\n") }
    return max(1, bytes.last == UInt8(ascii: "\n") ? ends : ends + 1)
  }

  /// A file that cannot be read, with the reason.
  struct Unreadable: Error {
    let message: String
  }

  static func read(_ name: String) throws(Unreadable) -> SpecFile {
    // Non-blocking, because opening a named pipe without a writer would block.
    let descriptor = ReadableFile.open(name, O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(name) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(name) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(message: "cannot read \(name): it is not a regular file")
    }
    guard status.st_size <= largest else {
      throw Unreadable(message: "cannot read \(name): it is larger than \(largest >> 20) MiB")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw unreadable(name) }
      if got == 0 { break }
      count += got
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Unreadable(message: "cannot read \(name): it is UTF-16; save it as UTF-8")
    }
    return SpecFile(name, text(of: bytes[..<count]))
  }

  private static let largest = 16 << 20

  private static func unreadable(_ name: String) -> Unreadable {
    Unreadable(message: "cannot open \(name): \(String(cString: strerror(errno)))")
  }

  /// Removes a byte order mark, and comments out a first line that begins with `#`.
  private static func text(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    return bytes.first == UInt8(ascii: "#") ? Array("--".utf8) + bytes : Array(bytes)
  }
}
