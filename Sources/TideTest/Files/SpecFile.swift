import TideSystem

/// A spec file with its text.
struct SpecFile: Sendable {
  let name: String
  /// What Lua is given, which need not be UTF-8.
  let bytes: [UInt8]
  /// Whether it may share what it makes with files after it, and so runs in their runtime.
  var isExposing: Bool

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    isExposing = String(decoding: bytes, as: UTF8.self).contains("expose")
  }

  /// For people: repaired where it is not UTF-8.
  var source: String { String(decoding: bytes, as: UTF8.self) }

  /// At least 1, as editors count; a line end at the end begins no line.
  var lineCount: Int {
    let ends = bytes.count { $0 == UInt8(ascii: "\n") }
    return max(1, bytes.last == UInt8(ascii: "\n") ? ends : ends + 1)
  }

  /// Why a file cannot be read.
  struct Unreadable: Error {
    let message: String
  }

  static func read(_ name: String) throws(Unreadable) -> SpecFile {
    // A named pipe that nobody writes to would otherwise be waited for.
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

  /// Without a byte order mark, and with a first line that begins with # as a comment.
  private static func text(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    return bytes.first == UInt8(ascii: "#") ? Array("--".utf8) + bytes : Array(bytes)
  }
}
