/// A folder of this process's own below the one for temporary files, which nobody else may read.
///
/// ```swift
/// guard let folder = TemporaryFolder("preview") else { throw … }
/// defer { folder.remove() }
/// ```
///
/// A process that is killed leaves its folders behind: the next one that makes a folder of that kind
/// removes them.
package struct TemporaryFolder {
  package let path: String

  /// Nil if it cannot be made.
  ///
  /// - Parameter above: the folder for temporary files; without it, that of `TMPDIR`.
  package init?(_ kind: String, in above: String? = nil) {
    let above = above ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Self.removeAbandoned(kind, in: above)
    var template = Array("\(above)/tidelock-\(kind)-\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Writes a new file, and the folders above it; false where that fails.
  ///
  /// - Parameter name: below the folder, without `..`.
  package func write(_ bytes: [UInt8], to name: String) -> Bool {
    var folder = path
    let parts = name.split(separator: "/")
    for part in parts.dropLast() {
      if part == ".." { return false }
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    guard let last = parts.last else { return false }
    let file = open(folder + "/" + last, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Removes it, with all that it holds.
  package func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    for name in ReadableFile.names(in: path) ?? [] where name != "." && name != ".." {
      let inner = path + "/" + name
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }

  /// Removes the folders of processes that are gone. What belongs to other people stays, as the system
  /// refuses to remove it.
  private static func removeAbandoned(_ kind: String, in above: String) {
    let start = "tidelock-\(kind)-"
    for name in ReadableFile.names(in: above) ?? [] where name.hasPrefix(start) {
      let parts = name.dropFirst(start.utf8.count).split(separator: "-", maxSplits: 1)
      guard parts.count == 2, let process = pid_t(parts[0]), process != getpid(),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      // A link would lead elsewhere.
      var status = stat()
      let path = above + "/" + name
      if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == getuid()
      {
        remove(path)
      }
    }
  }
}
