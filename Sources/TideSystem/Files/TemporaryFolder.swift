/// A private folder of this process within the folder for temporary files.
///
/// ```swift
/// guard let folder = TemporaryFolder("preview") else { throw … }
/// defer { folder.remove() }
/// ```
///
/// The folders of a killed process are removed by the next process that makes a folder of the same
/// kind. A lock on the folder shows that its process is running; process identifiers are not
/// enough, because containers may share the folder for temporary files. Other names are ignored,
/// such as those from programs without such locks.
package struct TemporaryFolder {
  package let path: String
  /// The descriptor that holds the lock; -1 if the file system does not support locks.
  private let lock: Int32

  /// Nil if the folder cannot be created.
  ///
  /// - Parameter above: the folder for temporary files; without it, that of `TMPDIR`.
  package init?(_ kind: String, in above: String? = nil) {
    let above = above ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Self.removeAbandoned(kind, in: above)
    // Locks the folder under a hidden name first, and then renames it to the name that other
    // processes look for.
    var template = Array("\(above)/.tidelock.\(kind)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let hidden = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = "\(above)/tidelock.\(kind)-\(getpid())-\(hidden.suffix(6))"
    let lock = Self.locked(hidden)
    // Without a visible lock, another process would treat the folder as abandoned.
    guard lock != nil || errno == EOPNOTSUPP || errno == ENOSYS, rename(hidden, path) == 0 else {
      if let lock { close(lock) }
      rmdir(hidden)
      return nil
    }
    (self.path, self.lock) = (path, lock ?? -1)
  }

  /// A descriptor that holds a folder's lock; nil if another process holds it, or if locks are not
  /// supported.
  private static func locked(_ path: String) -> Int32? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
    let reason = errno
    close(folder)
    errno = reason
    return nil
  }

  /// Writes a new file and creates its parent folders. Returns false on failure.
  ///
  /// - Parameter name: the path relative to the folder, without `..`.
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

  /// Removes the folder and its contents.
  package func remove() {
    Self.remove(path)
    if lock >= 0 { close(lock) }
  }

  private static func remove(_ path: String) {
    for name in ReadableFile.names(in: path) ?? [] where name != "." && name != ".." {
      let inner = path + "/" + name
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }

  /// Removes folders whose processes have ended. The system does not allow removing those of other
  /// users.
  private static func removeAbandoned(_ kind: String, in above: String) {
    let start = "tidelock.\(kind)-"
    for name in ReadableFile.names(in: above) ?? [] where name.hasPrefix(start) {
      let path = above + "/" + name
      var status = stat()
      // A symbolic link could lead elsewhere.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == getuid(), let lock = locked(path)
      else { continue }
      remove(path)
      close(lock)
    }
  }
}
