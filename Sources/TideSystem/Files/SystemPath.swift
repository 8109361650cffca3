/// Paths, as strings and as resolved by the kernel.
package enum SystemPath {
  /// The parent folder of a path, without resolving anything: "." for a plain name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The absolute path, otherwise unchanged.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    let folder = String(cString: current)
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  /// The path with all symbolic links resolved; nil if it does not exist.
  package static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Joins a folder and a name. In the working folder, ".", the name stays plain.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder == "/" ? "/" + name : "\(folder)/\(name)"
  }

  /// Flushes a file or folder to the disk. Returns the error number on failure; nil also if it does
  /// not exist.
  package static func bringToDisk(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if descriptor < 0 { return errno == ENOENT ? nil : errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? nil : errno
  }

  /// Whether a file exists and is inside a folder, after resolving links.
  package static func isWithin(_ file: String, _ folder: String) -> Bool {
    guard let home = real(folder), let file = real(file) else { return false }
    // Compares bytes, because different folder names may be equal as strings.
    return file.utf8.starts(with: (home.hasSuffix("/") ? home : home + "/").utf8)
  }

  /// The folders in which the kernel looks up the components of an absolute path, including those
  /// of symbolic links on the way; nil if the path cannot be resolved.
  ///
  ///     /srv/app/main.lua, where app is a link to releases/7
  ///
  ///     / /srv /srv /srv/releases /srv/releases/7
  static func folders(onTheWayTo path: String) -> [String]? {
    var rest = reversedParts(of: path)
    var folder = "/"
    var folders: [String] = []
    var links = 0
    while let part = rest.popLast() {
      if part == ".." {
        folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        if folder.isEmpty { folder = "/" }
        continue
      }
      folders.append(folder)
      let found = folder == "/" ? "/" + part : folder + "/" + part
      if let target = target(ofLink: found) {
        links += 1
        if links > 40 { return nil }
        if target.hasPrefix("/") { folder = "/" }
        rest += reversedParts(of: target)
      } else {
        if access(found, F_OK) != 0 { return nil }
        folder = found
      }
    }
    return folders
  }

  /// The components of a path, in reverse order.
  static func reversedParts(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  /// The target of a symbolic link as written; nil if the path is not a link.
  package static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room in
      guard let start = room.baseAddress else { return nil }
      let count = readlink(path, start, room.count)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(room)[..<count], as: UTF8.self)
    }
  }

  /// Whether a path without links is a folder or inside it.
  package static func isBelow(_ path: String, _ folder: String) -> Bool {
    folder == "/" || PathKey(path) == PathKey(folder) || path.utf8.starts(with: (folder + "/").utf8)
  }
}
