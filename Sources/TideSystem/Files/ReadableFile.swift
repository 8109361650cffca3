import CTideSystem

/// Opens files and folders for reading. The broker helps if confinement refuses a path that has
/// been replaced (``Confinement/reopened``).
package enum ReadableFile {
  /// Like `open` with `O_RDONLY` and `O_CLOEXEC`: returns a descriptor that the caller closes, or
  /// -1 with `errno`.
  package static func open(_ path: String, _ flags: Int32 = 0) -> Int32 {
    tide_open_to_read(path, O_RDONLY | O_CLOEXEC | flags)
  }

  /// The names in a folder without "." and "..", unsorted; nil if the folder cannot be read.
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
      // Read in place: a copy of the whole structure would read beyond the record, which is
      // shortened to its name.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}

/// Checks whether files can be read; caches the look-up of their folders.
///
/// ```swift
/// let lookup = FileLookup()
/// lookup.canRead("/etc/passwd")   // true
/// ```
///
/// Does not notice when a folder is replaced.
package final class FileLookup {
  private var folders: [Substring: Int32] = [:]

  package init() {}

  deinit {
    for folder in folders.values where folder >= 0 { close(folder) }
  }

  package func canRead(_ path: String) -> Bool {
    guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")), end > path.startIndex else {
      return access(path, R_OK) == 0
    }
    let folder = path[..<end]
    let known = folders[folder] ?? ReadableFile.open(String(folder), O_DIRECTORY)
    folders[folder] = known
    if known < 0 { return access(path, R_OK) == 0 }
    return String(path[path.utf8.index(after: end)...]).withCString {
      faccessat(known, $0, R_OK, 0) == 0
    }
  }
}

/// Files without a name until they are complete.
package enum UnnamedFile {
  /// Creates an unnamed file in a folder, open for writing. Returns -1 with `errno`, also if the
  /// file system does not support such files.
  package static func make(in folder: String) -> Int32 { tide_open_unnamed(folder, 0o666) }

  /// Gives the file a name in its folder, which must not exist. Returns 0 or an error number.
  package static func name(_ descriptor: Int32, _ path: String) -> Int32 {
    let unnamed = "/proc/self/fd/\(descriptor)"
    return linkat(AT_FDCWD, unnamed, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
  }
}
