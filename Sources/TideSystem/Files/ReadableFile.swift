import CTideSystem

/// Opens files and folders for reading, with the broker's help where the wall refuses a path that
/// has been replaced (``Confinement/reopened``).
package enum ReadableFile {
  /// Like `open` with `O_RDONLY` and `O_CLOEXEC`: a descriptor that the caller closes, or -1 with
  /// `errno`.
  package static func open(_ path: String, _ flags: Int32 = 0) -> Int32 {
    tide_open_to_read(path, O_RDONLY | O_CLOEXEC | flags)
  }

  /// The names in a folder without "." and "..", in no particular order; nil where it cannot be
  /// read.
  package static func names(in folder: String) -> [String]? {
    let descriptor = open(folder, O_DIRECTORY)
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // In place: the record is no longer than its name, which a copy would go beyond.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}

/// Says of many files whether they are there, for which it reads each folder once.
///
/// ```swift
/// var listings = FolderListings()
/// listings.contains("/etc/passwd")   // true
/// ```
///
/// What comes and goes after a folder was read is not noticed.
package struct FolderListings {
  private var names: [Substring: Set<String>] = [:]

  package init() {}

  /// Whether there is a file of that path; where its folder cannot be read, whether it can itself.
  package mutating func contains(_ path: String) -> Bool {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { path[..<$0] } ?? "."
    let name = end.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    if names[folder] == nil {
      let read = ReadableFile.names(in: folder.isEmpty ? "/" : String(folder))
      names[folder] = Set(read ?? [])
    }
    return names[folder]?.contains(String(name)) ?? false || access(path, R_OK) == 0
  }
}

/// Files that have no name until they are complete.
package enum UnnamedFile {
  /// Makes one in a folder, open for writing; -1 with `errno`, also where the file system does not
  /// support it.
  package static func make(in folder: String) -> Int32 { tide_open_unnamed(folder, 0o666) }

  /// Gives it a name in its folder, which must not be taken. Gives 0 or an error number.
  package static func name(_ descriptor: Int32, _ path: String) -> Int32 {
    let unnamed = "/proc/self/fd/\(descriptor)"
    return linkat(AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
  }
}
