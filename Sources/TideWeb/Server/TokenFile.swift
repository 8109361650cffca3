package import TideBindings
import TideScript
import TideSystem

/// A file with the token that admits browsers. It keeps an address valid over restarts.
///
/// ```swift
/// let token = try TokenFile("/var/lib/ledger/token").token()
/// ```
///
/// The file is made once, for its user alone. The token admits anyone who has it, so a file that
/// others may read or write is refused.
package struct TokenFile {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// The token in the file. The file is made if it does not exist.
  ///
  /// - Parameter makesFolder: whether to make missing folders above it.
  /// - Throws: `serving` if the file cannot be read or made, is accessible to others, or holds no
  ///   token.
  package func token(makesFolder: Bool = false) throws(TideError) -> String {
    if let token = try content() { return token }
    if makesFolder { makeFolders() }
    try make(Secret.make())
    // If another server has made the file meanwhile, both use its token.
    guard let token = try content() else { throw fault("cannot be made", ENOENT) }
    return token
  }

  /// The content of the file; nil if there is no file.
  private func content() throws(TideError) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw fault("cannot be read", errno)
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw TideError(
        .serving,
        "the token file \(path) is accessible to others (mode \(mode)), and its token lets anyone "
          + "in: chmod 600 \(path)")
    }
    let bytes: [UInt8]
    do { bytes = try ScriptFile.bytes(of: path, limit: 1 << 20, "a file with a token") } catch {
      let reason = (error as? TideError)?.message ?? "\(error)"
      throw TideError(.serving, "the token file cannot be read: \(reason)")
    }
    let end = (bytes.lastIndex { !Self.blanks.contains($0) } ?? -1) + 1
    let token = bytes[..<end]
    guard Self.sizes.contains(token.count), token.allSatisfy(Self.isOfToken) else {
      throw TideError(
        .serving,
        "the token file \(path) holds no token. A token is one line of \(Self.sizes.lowerBound) to "
          + "\(Self.sizes.upperBound) letters, digits and -._~; remove the file to have one made")
    }
    return String(decoding: token, as: UTF8.self)
  }

  private static let blanks = Array(" \r\n\t".utf8)
  private static let sizes = 16...256

  /// Whether a byte needs no escape in an address.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  /// Makes the file atomically: a reader sees either no file or a complete one. An existing file
  /// stays.
  private func make(_ token: String) throws(TideError) {
    let draft = "\(path).\(getpid()).new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw fault("cannot be made", errno) }
    defer { unlink(draft) }
    let text = Array((token + "\n").utf8)
    let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten else { throw fault("cannot be written", reason) }
    guard link(draft, path) == 0 || errno == EEXIST else { throw fault("cannot be made", errno) }
    _ = SystemPath.bringToDisk(SystemPath.folder(of: path))
  }

  /// An error here shows again when the file is made.
  private func makeFolders() {
    var made = ""
    for part in SystemPath.folder(of: path).split(separator: "/", omittingEmptySubsequences: false)
    {
      made += part + "/"
      if !part.isEmpty { mkdir(made, 0o700) }
    }
  }

  private func fault(_ what: String, _ number: Int32) -> TideError {
    TideError(
      .serving,
      "the token file \(path) \(what): \(String(cString: strerror(number))); name one in a folder "
        + "that this user may write")
  }
}
