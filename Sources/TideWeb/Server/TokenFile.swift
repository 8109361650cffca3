package import TideBindings
import TideSystem

/// A server's token and the key of its cookies, which stay the same across restarts.
package struct KeptToken: Sendable, Equatable {
  package let token: String
  /// The key of cookies. The token alone does not suffice to forge a cookie.
  package let key: String
}

/// A file with the token that admits browsers, and with the key of their cookies. It keeps an
/// address valid over restarts.
///
/// ```swift
/// let kept = try TokenFile("/var/lib/ledger/token").kept()
/// ```
///
/// The file is created once, accessible to its user only. It has a line with the token and one with
/// the key; a missing key is added. The token admits anyone who has it, so a file that others own,
/// or may read or write, is refused.
package struct TokenFile {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// The content of the file, which is created if it does not exist.
  ///
  /// - Parameter makesFolder: whether to create missing folders above it.
  /// - Throws: `serving` if the file cannot be read or created, is accessible to others, or holds
  ///   no token.
  package func kept(makesFolder: Bool = false) throws(TideError) -> KeptToken {
    if let kept = try complete() { return kept }
    if makesFolder { makeFolders() }
    try write(
      KeptToken(token: Secret.make(), key: Self.makeKey()), to: path, 0o600, replaces: false)
    // If another server has created the file meanwhile, both use its token.
    guard let kept = try complete() else { throw fault("cannot be made", ENOENT) }
    return kept
  }

  /// Refuses a file that scripts may reach.
  ///
  /// - Parameter folders: those that scripts may use.
  /// - Throws: `serving` if the file, or what it links to, lies in one of them.
  package func requireOutside(of folders: [String]) throws(TideError) {
    let home = SystemPath.folder(of: path)
    for folder in folders {
      guard let real = SystemPath.real(folder) else { continue }
      let isReached =
        [home, path].contains { SystemPath.isWithin($0, folder) || SystemPath.real($0) == real }
      guard isReached else { continue }
      throw TideError(
        .serving,
        "the token file \(path) lies in \(folder), which scripts may use, and its token lets anyone "
          + "in: name a file outside of it")
    }
  }

  // MARK: Reading

  private struct Content {
    let token: String
    let key: String?
    let mode: mode_t
  }

  /// The content of the file, to which a missing key is added; nil if there is no file.
  private func complete() throws(TideError) -> KeptToken? {
    guard let descriptor = try openFile() else { return nil }
    defer { close(descriptor) }
    var content = try content(of: descriptor)
    if let key = content.key { return KeptToken(token: content.token, key: key) }
    // If several servers start, one adds the key and the others read it.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    guard let present = try openFile() else { return nil }
    defer { close(present) }
    content = try self.content(of: present)
    let kept = KeptToken(token: content.token, key: content.key ?? Self.makeKey())
    if content.key != nil { return kept }
    // A link is kept; the file that it points to is replaced.
    try write(kept, to: SystemPath.real(path) ?? path, content.mode, replaces: true)
    return kept
  }

  /// Opens the file once, so that the file that is checked is the one that is read; nil if there is
  /// none. A link to the file is followed if this user or root has made it.
  private func openFile() throws(TideError) -> Int32? {
    var link = stat()
    if lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK {
      try requireOwner(link, "link")
    }
    // Without blocking, because the path may be that of a pipe without a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if descriptor >= 0 { return descriptor }
    if errno == ENOENT { return nil }
    throw fault("cannot be read", errno)
  }

  private func requireOwner(_ status: stat, _ kind: String) throws(TideError) {
    guard status.st_uid != geteuid(), status.st_uid != 0 else { return }
    throw TideError(
      .serving,
      "the token \(kind) \(path) belongs to another user, who knows its token or can replace it: "
        + "remove it, or name another one")
  }

  private func content(of descriptor: Int32) throws(TideError) -> Content {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fault("cannot be read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no plain file"
      throw TideError(.serving, "the token file cannot be read: \(path) is \(kind)")
    }
    try requireOwner(status, "file")
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw TideError(
        .serving,
        "the token file \(path) is accessible to others (mode \(mode)), and its token lets anyone "
          + "in: chmod 600 \(path)")
    }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: Self.largest)
    while bytes.count < Self.largest {
      let count = read(descriptor, &room, Self.largest - bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault("cannot be read", errno) }
      if count == 0 { break }
      bytes += room[..<count]
    }
    let end = (bytes.lastIndex { !Self.blanks.contains($0) } ?? -1) + 1
    let lines = bytes[..<end].split(
      separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let parts = lines.map { line in
      line.suffix(1) == [UInt8(ascii: "\r")] ? line.dropLast() : line
    }
    guard let token = parts.first, Self.sizes.contains(token.count),
      token.allSatisfy(Self.isOfToken), parts.count == 1 || Self.isKey(parts[1])
    else {
      throw TideError(
        .serving,
        "the token file \(path) holds no token. A token is one line of \(Self.sizes.lowerBound) to "
          + "\(Self.sizes.upperBound) letters, digits and -._~, followed by one of "
          + "\(Self.sizeOfKey) hexadecimal digits, or by none; remove the file to have one made")
    }
    return Content(
      token: String(decoding: token, as: UTF8.self),
      key: parts.count == 1 ? nil : String(decoding: parts[1], as: UTF8.self),
      mode: status.st_mode & 0o777)
  }

  private static let blanks = Array(" \r\n\t".utf8)
  private static let sizes = 16...256
  private static let sizeOfKey = 64
  private static let largest = 4096

  private static func makeKey() -> String { Secret.bytes(sizeOfKey / 2).hexadecimal }

  private static func isKey(_ line: ArraySlice<UInt8>) -> Bool {
    line.count == sizeOfKey
      && line.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
  }

  /// Whether a byte needs no escape in an address.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  // MARK: Writing

  /// Writes the file atomically: a reader sees either the former file, or none, or a complete one.
  ///
  /// - Parameter replaces: whether to replace an existing file, which otherwise stays.
  private func write(
    _ kept: KeptToken, to path: String, _ mode: mode_t, replaces: Bool
  ) throws(TideError) {
    let what = replaces ? "cannot be given a second line, with a key of cookies," : "cannot be made"
    let draft = "\(path).\(getpid()).new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw fault(what, errno) }
    defer { unlink(draft) }
    let text = Array("\(kept.token)\n\(kept.key)\n".utf8)
    let isWritten =
      Glibc.write(descriptor, text, text.count) == text.count && fchmod(descriptor, mode) == 0
      && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten else { throw fault(what, reason) }
    let isPlaced = replaces ? rename(draft, path) == 0 : link(draft, path) == 0 || errno == EEXIST
    guard isPlaced else { throw fault(what, errno) }
    _ = SystemPath.bringToDisk(SystemPath.folder(of: path))
  }

  /// Errors are ignored, because creating the file then fails as well.
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
