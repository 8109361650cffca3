/// A folder of this process's own below the one for temporary files, which nobody else may read.
///
/// ```swift
/// guard let folder = TemporaryFolder("preview") else { throw … }
/// defer { folder.remove() }
/// ```
///
/// A process that is killed leaves its folders behind: the next one that makes a folder of that kind
/// removes them. A lock on the folder says that its process runs, since numbers of processes say
/// nothing where containers share the folder for temporary files. Names that begin otherwise, as those
/// of programs without such locks, are left alone.
package struct TemporaryFolder {
  package let path: String
  /// Holds the lock; -1 where the file system has none.
  private let lock: Int32

  /// Nil if it cannot be made.
  ///
  /// - Parameter above: the folder for temporary files; without it, that of `TMPDIR`.
  package init?(_ kind: String, in above: String? = nil) {
    let above = above ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Self.removeAbandoned(kind, in: above)
    // It gets the name under which others look for it when it is locked.
    var template = Array("\(above)/.tidelock.\(kind)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let hidden = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = "\(above)/tidelock.\(kind)-\(getpid())-\(hidden.suffix(6))"
    let lock = Self.locked(hidden)
    // Without a lock that others can see it would be taken for abandoned.
    guard lock != nil || errno == EOPNOTSUPP || errno == ENOSYS, rename(hidden, path) == 0 else {
      if let lock { close(lock) }
      rmdir(hidden)
      return nil
    }
    (self.path, self.lock) = (path, lock ?? -1)
  }

  /// A descriptor that holds the lock of a folder; nil where another one does, or there are no locks.
  private static func locked(_ path: String) -> Int32? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
    let reason = errno
    close(folder)
    errno = reason
    return nil
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

  /// Removes the folders whose processes are gone. What belongs to other people stays, as the system
  /// refuses to remove it.
  private static func removeAbandoned(_ kind: String, in above: String) {
    let start = "tidelock.\(kind)-"
    for name in ReadableFile.names(in: above) ?? [] where name.hasPrefix(start) {
      let path = above + "/" + name
      var status = stat()
      // A link would lead elsewhere.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == getuid(), let lock = locked(path)
      else { continue }
      remove(path)
      close(lock)
    }
  }
}
