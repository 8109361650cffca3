import CTideSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Confinement {
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

  /// The paths from the root on, without those whose names could be given to other folders from
  /// within the wall: whoever may rename folders could have any of them read.
  var reopenedPaths: [String] {
    let writable = self.writable.compactMap(SystemPath.real)
    return reopened.map(SystemPath.absolute).filter { path in
      let name = SystemPath.realParent(of: path)
      return !writable.contains { SystemPath.isBelow(name, $0, orSame: true) }
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

  /// The folder in which the last part of a path stands, without links; "/" where there is none.
  static func realParent(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    // "." and ".." bear no name of their own.
    if path.hasSuffix("/.") || path.hasSuffix("/..") {
      return real(String(path) + "/..") ?? "/"
    }
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return real(String(path[..<slash])) ?? "/"
  }

  static func isBelow(_ path: String, _ folder: String, orSame: Bool) -> Bool {
    if path == folder { return orSame }
    return folder == "/" || path.hasPrefix(folder + "/")
  }
}

/// What the system says of its errors.
package enum SystemText {
  package static func of(_ number: Int32) -> String { String(cString: strerror(number)) }
}
