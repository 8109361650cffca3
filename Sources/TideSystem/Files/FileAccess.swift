/// Operations on a file in an open folder, by its name there. They may block.
///
/// ```swift
/// let bytes = try FileAccess.read("data.txt", in: folder, most: 1 << 20)
/// ```
///
/// Symbolic links are not followed. All operations throw ``SystemError``.
package enum FileAccess {
  /// The result of reading a whole file.
  package enum Reading: Sendable {
    case bytes([UInt8])
    /// Nothing was read: this number of bytes must be reserved first.
    case lacksMemory(Int)
  }

  /// The bytes of a regular file, for the program's own use, without a memory limit.
  package static func read(
    _ name: String, in folder: Int32, most: Int
  ) throws(SystemError) -> [UInt8] {
    let reservation = MemoryReservation(MemoryAccount(limit: 0))
    switch try read(name, in: folder, most: most, reservation) {
    case .bytes(let bytes): return bytes
    case .lacksMemory: throw SystemError("cannot read", number: ENOMEM)
    }
  }

  /// The bytes of a regular file. Reserves memory for them and for a copy before reading.
  package static func read(
    _ name: String, in folder: Int32, most: Int, _ reservation: MemoryReservation
  ) throws(SystemError) -> Reading {
    let file = try openToRead(name, in: folder)
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    // One extra byte detects the end; some system files do not report their size.
    var room = max(Int(status.st_size) + 1, 1 << 12)
    var bytes: [UInt8] = []
    while true {
      guard room - 1 <= most else { throw SystemError.tooLong(most) }
      // Twice: the reader makes a copy, and growing the buffer copies the bytes read so far.
      let missing = 2 * room - reservation.bytes
      if missing > 0, reservation.reserveAll(missing) != .granted { return .lacksMemory(2 * room) }
      bytes = try read(file, after: bytes, room: room)
      if bytes.count < room { return .bytes(bytes) }
      room = min(2 * room, max(room + 1, most + 1))
    }
  }

  /// Reads until the buffer is full or the file ends.
  private static func read(
    _ file: Int32, after bytes: [UInt8], room: Int
  ) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let all = [UInt8](unsafeUninitializedCapacity: room) { target, filled in
      filled = target.update(fromContentsOf: bytes)
      while filled < room {
        let count = Glibc.read(file, target.baseAddress.map { $0 + filled }, room - filled)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { failure = errno }
        if count <= 0 { return }
        filled += count
      }
    }
    if failure != 0 { throw SystemError("cannot read", number: failure) }
    return all
  }

  /// Opens a regular file; the caller closes it.
  package static func openToRead(_ name: String, in folder: Int32) throws(SystemError) -> Int32 {
    // Opening a device may have side effects, so the kind is checked before and after opening.
    var status = stat()
    if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      let reason = refusal(of: status)
      if let reason { throw SystemError("cannot read", number: EINVAL, reason: reason) }
    }
    let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("cannot read", number: errno) }
    status = stat()
    fstat(file, &status)
    guard let reason = refusal(of: status) else { return file }
    close(file)
    throw SystemError("cannot read", number: EINVAL, reason: reason)
  }

  /// Why a file cannot be read or written; nil for a regular file, and for a link, which is not
  /// followed.
  private static func refusal(of status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFLNK: nil
    case S_IFDIR: "it is a folder"
    default: "it is no plain file"
    }
  }

  /// Replaces the contents of a file atomically: a new file takes the place of the old one, so that
  /// readers never see partial contents and nothing is lost if the disk is full.
  ///
  /// The file keeps its mode and owner. A file with several hard links is written in place; until
  /// that is complete, a copy of the new contents exists beside it.
  package static func write(
    _ bytes: [UInt8], to name: String, in folder: Int32
  ) throws(SystemError) {
    var status = stat()
    let exists = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let reason = refusal(of: status) ?? "it is no plain file"
      throw SystemError("cannot write", number: EINVAL, reason: reason)
    }
    let mode = exists ? status.st_mode & 0o7777 : 0o666
    let temporary = ".\(name.utf8.count > 200 ? "file" : name).\(UInt32.random(in: 0 ... .max))"
    let file = openat(
      folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else {
      // A single file may be writable in a folder that is not.
      guard exists, errno == EACCES else { throw SystemError("cannot write", number: errno) }
      return try overwrite(name, in: folder, bytes)
    }
    var failure = writeAll(bytes, to: file)
    let keepsOwner = exists ? giveOwner(status, to: file) : true
    // A confined process may not call `fchmod`; the file then has the mode left by the umask.
    // Called after setting the owner, which clears some mode bits.
    if exists { _ = fchmod(file, mode) }
    let replaces = keepsOwner && status.st_nlink < 2
    if failure == 0, !replaces, fsync(file) != 0 { failure = errno }
    if close(file) != 0, failure == 0 { failure = errno }
    if failure == 0, !replaces {
      try overwrite(name, in: folder, bytes, beside: temporary)
      unlinkat(folder, temporary, 0)
      return
    }
    if failure == 0, renameat(folder, temporary, folder, name) != 0 { failure = errno }
    if failure != 0 {
      unlinkat(folder, temporary, 0)
      throw SystemError("cannot write", number: failure)
    }
  }

  /// Sets the owner and group of a new file to those of the old one. Returns false if that is not
  /// permitted.
  private static func giveOwner(_ former: stat, to file: Int32) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { return false }
    if status.st_uid == former.st_uid, status.st_gid == former.st_gid { return true }
    return fchown(file, former.st_uid, former.st_gid) == 0
  }

  /// Writes a file in place. A copy of the new contents already exists in another file.
  private static func overwrite(
    _ name: String, in folder: Int32, _ bytes: [UInt8], beside copy: String
  ) throws(SystemError) {
    // Without O_TRUNC: overwriting allocated blocks needs no further disk space.
    let file = openat(
      folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else {
      let number = errno
      unlinkat(folder, copy, 0)
      throw SystemError("cannot write", number: number)
    }
    var failure = writeAll(bytes, to: file)
    if failure == 0, ftruncate(file, off_t(bytes.count)) != 0 { failure = errno }
    if failure == 0, fsync(file) != 0 { failure = errno }
    if close(file) != 0, failure == 0 { failure = errno }
    guard failure != 0 else { return }
    throw SystemError(
      "cannot write all of it", number: failure,
      reason: "\(SystemText.of(failure)); its new contents are in \(copy)")
  }

  private static func overwrite(
    _ name: String, in folder: Int32, _ bytes: [UInt8]
  ) throws(SystemError) {
    let file = openat(
      folder, name, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("cannot write", number: errno) }
    defer { close(file) }
    let failure = writeAll(bytes, to: file)
    if failure != 0 { throw SystemError("cannot write", number: failure) }
  }

  /// Appends bytes to a file; creates the file if it is missing.
  package static func append(
    _ bytes: [UInt8], to name: String, in folder: Int32
  ) throws(SystemError) {
    var status = stat()
    if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, let reason = refusal(of: status) {
      throw SystemError("cannot write", number: EINVAL, reason: reason)
    }
    let file = openat(
      folder, name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
      0o666)
    guard file >= 0 else { throw SystemError("cannot write", number: errno) }
    defer { close(file) }
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError("cannot write", number: EINVAL, reason: "it is no plain file")
    }
    let failure = writeAll(bytes, to: file)
    if failure != 0 { throw SystemError("cannot write", number: failure) }
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(file, part.baseAddress, part.count)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }

  /// The names in a folder, sorted; `name` is the folder's name in its parent.
  package static func names(
    of name: String, in folder: Int32, most: Int, _ reservation: MemoryReservation
  ) throws(SystemError) -> [String] {
    let file = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("cannot list", number: errno) }
    guard let stream = fdopendir(file) else {
      close(file)
      throw SystemError("cannot list", number: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { text in
        text.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      guard names.count < most else {
        throw SystemError("cannot list", number: E2BIG, reason: "it has more than \(most) names")
      }
      let bytes = nameBytes + name.utf8.count
      guard reservation.reserveAll(bytes) == .granted else {
        throw SystemError(
          "cannot list", number: ENOMEM, reason: "there is not enough memory for its names")
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// The memory per name in addition to its bytes: array elements, the sorted copy, and allocation
  /// overhead.
  private static let nameBytes = 80

  /// Information about a file or folder; nil if it does not exist.
  package static func information(
    of name: String, in folder: Int32
  ) throws(SystemError) -> FileInformation? {
    var status = stat()
    if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileInformation(status) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw SystemError("cannot look at", number: errno)
  }

  /// Removes a file or an empty folder.
  package static func remove(_ name: String, in folder: Int32) throws(SystemError) {
    if unlinkat(folder, name, 0) == 0 { return }
    let reason = errno
    if reason == EISDIR || reason == EPERM, unlinkat(folder, name, AT_REMOVEDIR) == 0 { return }
    throw SystemError("cannot remove", number: reason == EISDIR ? errno : reason)
  }

  package static func rename(
    _ name: String, in folder: Int32, to newName: String, in newFolder: Int32
  ) throws(SystemError) {
    if renameat(folder, name, newFolder, newName) == 0 { return }
    throw SystemError("cannot rename", number: errno)
  }
}

/// The system's information about a file.
package struct FileInformation: Sendable, Equatable {
  package let size: Int
  /// In seconds since 1970.
  package let modified: Double
  /// `file`, `folder`, `link` or `other`.
  package let kind: String
  /// Distinguishes the file from another one that replaces it.
  package let identity: [UInt64]

  /// Information about a regular file outside of the file system.
  package init(size: Int, modified: Double) {
    self.size = size
    self.modified = modified
    kind = "file"
    identity = []
  }

  package init(_ status: stat) {
    size = Int(status.st_size)
    modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: "file"
      case S_IFDIR: "folder"
      case S_IFLNK: "link"
      default: "other"
      }
    identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}

extension SystemError {
  /// The error for a file that exceeds the limit.
  static func tooLong(_ most: Int) -> SystemError {
    SystemError(
      "cannot read", number: EFBIG, reason: "it has more than \(most) bytes, the limit \"value\"")
  }
}
