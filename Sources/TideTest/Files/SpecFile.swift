#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A spec file with its text.
struct SpecFile: Sendable {
  let name: String
  let source: String
  /// Whether it may share what it makes with files after it, and so runs in their runtime.
  var isExposing: Bool

  init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
    isExposing = source.contains("expose")
  }

  /// At least 1, as editors count; a line end at the end begins no line.
  var lineCount: Int {
    let ends = source.utf8.count { $0 == UInt8(ascii: "\n") }
    return max(1, source.utf8.last == UInt8(ascii: "\n") ? ends : ends + 1)
  }

  /// Why a file cannot be read.
  struct Unreadable: Error {
    let message: String
  }

  static func read(_ name: String) throws(Unreadable) -> SpecFile {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(name) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(name) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(message: "cannot read \(name): it is no plain file")
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
    return SpecFile(name, text(of: bytes[..<count]))
  }

  private static let largest = 16 << 20

  private static func unreadable(_ name: String) -> Unreadable {
    Unreadable(message: "cannot open \(name): \(String(cString: strerror(errno)))")
  }

  /// Without a byte order mark, and with a first line that begins with # as a comment.
  private static func text(of bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.first == UInt8(ascii: "#") ? "--" + text : text
  }
}
