import CTideSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Confinement {
  /// Forks the broker ahead of ``apply(_:)``, which costs less as long as the process has little
  /// memory that both would share.
  package mutating func startBrokerEarly() throws(ConfinementError) {
    if tide_is_sanitized() { return }
    try startBroker()
    hasBroker = true
  }

  /// Forks the broker where there is something for it to do.
  func startBroker() throws(ConfinementError) {
    let reopened = reopenedPaths
    if reopened.isEmpty, !startsPrograms, editor == nil, scratch == nil { return }
    var paths = reopened.map { UnsafePointer(strdup($0)) } + [nil]
    let scratch = self.scratch.flatMap { strdup($0) }
    let editor = self.editor.flatMap { strdup($0) }
    defer {
      for path in paths { free(UnsafeMutableRawPointer(mutating: path)) }
      free(scratch)
      free(editor)
    }
    let failure = paths.withUnsafeMutableBufferPointer { paths in
      var tasks = TideBrokerTasks(
        starts_programs: startsPrograms, editor: editor, scratch: scratch,
        reopened: UnsafePointer(paths.baseAddress))
      // The child keeps its own copy of all this.
      return tide_broker_start(&tasks)
    }
    if failure == EALREADY {
      throw ConfinementError("the process is confined already, and has its broker")
    }
    if failure != 0 {
      throw ConfinementError("no helper process can be made: \(SystemText.of(failure))")
    }
  }

  /// The paths from the root on, without those that could lead elsewhere by what is done within the
  /// wall: whoever may rename folders there could have any of them read.
  var reopenedPaths: [String] {
    let writable = self.writable.compactMap(SystemPath.real)
    return reopened.map(SystemPath.absolute).filter { path in
      guard let folders = SystemPath.folders(onTheWayTo: path) else { return false }
      return !folders.contains { folder in
        writable.contains { SystemPath.isBelow(folder, $0) }
      }
    }
  }
}

/// Paths as the kernel resolves them.
package enum SystemPath {
  /// From the root on, and else as it is written.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    let folder = String(cString: current)
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  /// Without links; nil where there is nothing.
  package static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folders that hold the names by which a path from the root is found, those of links on the
  /// way included; nil where there is nothing at its end.
  ///
  ///     /srv/app/main.lua, where app is a link to releases/7
  ///
  ///     / /srv /srv /srv/releases /srv/releases/7
  static func folders(onTheWayTo path: String) -> [String]? {
    // The next part last.
    var rest = parts(path)
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
        rest += parts(target)
      } else {
        if access(found, F_OK) != 0 { return nil }
        folder = found
      }
    }
    return folders
  }

  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  private static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room in
      guard let start = room.baseAddress else { return nil }
      let count = readlink(path, start, room.count)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(room)[..<count], as: UTF8.self)
    }
  }

  /// Whether a path without links is that of a folder, or below it.
  static func isBelow(_ path: String, _ folder: String) -> Bool {
    folder == "/" || path == folder || path.hasPrefix(folder + "/")
  }
}

/// What the system says of its errors.
package enum SystemText {
  package static func of(_ number: Int32) -> String { String(cString: strerror(number)) }
}
