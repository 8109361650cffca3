import TideBindings
import TideSystem
import TideScript

/// Finds the scripts that a person or another script names.
enum ScriptFiles {
  /// A Lua file that a path names.
  struct Found {
    let path: String
    /// The folder in which it was found, if it is a link that leads out of that folder.
    var leftFolder: String?
  }

  /// The Lua files at paths: a file itself, and for a folder all files below it, sorted by name.
  /// Hidden folders, links to folders and links to files outside of the folder are skipped.
  ///
  /// Throws `scriptFile` for a path that does not exist, or a folder without Lua files.
  static func files(at paths: [String]) throws(TideError) -> [String] {
    let found = try found(at: paths)
    return found.filter { $0.leftFolder == nil }.map(\.path)
  }

  /// The same, including the links that lead out of the folders.
  static func found(at paths: [String]) throws(TideError) -> [Found] {
    var files: [Found] = []
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else {
        throw TideError(.scriptFile, "cannot open \(path): \(String(cString: strerror(errno)))")
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        files.append(Found(path: path))
        continue
      }
      guard let names = names(in: path) else {
        throw TideError(.scriptFile, "cannot open \(path): \(String(cString: strerror(errno)))")
      }
      var found: [String] = []
      collect(names, of: path == "/" ? "" : trimmed(path), into: &found, levels: 64)
      if found.isEmpty {
        throw TideError(.scriptFile, "there are no Lua files in the folder \(path) or below it")
      }
      files += found.map { file in
        Found(path: file, leftFolder: leadsOut(file, of: path) ? path : nil)
      }
    }
    return files
  }

  /// Whether a file is a link to one outside a folder. A broken link does not count, because
  /// reading it reports the error.
  private static func leadsOut(_ file: String, of folder: String) -> Bool {
    var status = stat()
    guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      SystemPath.real(file) != nil
    else { return false }
    return !SystemPath.isWithin(file, folder)
  }

  /// The Lua files directly in a folder, without links to files outside of it.
  static func scripts(in folder: String) -> [String] {
    (names(in: folder) ?? []).filter { $0.hasSuffix(".lua") }
      .map { SystemPath.joined(folder, $0) }.filter { !leadsOut($0, of: folder) }
  }

  /// The Lua files in a folder and its direct subfolders, without specs; about 500 at most.
  static func nearby(_ folder: String) -> [String] {
    var found = scripts(in: folder)
    for name in names(in: folder) ?? [] where found.count < 500 {
      let inner = SystemPath.joined(folder, name)
      if !name.hasSuffix(".lua") { found += scripts(in: inner) }
    }
    return found.filter { !$0.hasSuffix("_spec.lua") }
  }

  private static func collect(
    _ names: [String], of folder: String, into files: inout [String], levels: Int
  ) {
    for name in names {
      let path = SystemPath.joined(folder, name)
      var status = stat()
      guard lstat(path, &status) == 0 else {
        // If the name is not UTF-8, reading the file reports that it cannot be opened.
        if name.hasSuffix(".lua") || name.unicodeScalars.contains("\u{fffd}") { files.append(path) }
        continue
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        guard levels > 0 else {
          // Deeper folders are not read. Reading this path reports that.
          files.append(path)
          continue
        }
        guard let inner = Self.names(in: path) else {
          // Reading this path reports why it cannot be opened.
          files.append(path)
          continue
        }
        collect(inner, of: path, into: &files, levels: levels - 1)
      } else if name.hasSuffix(".lua") {
        files.append(path)
      }
    }
  }

  /// The entries of a folder that are not hidden, sorted.
  private static func names(in folder: String) -> [String]? {
    ReadableFile.names(in: folder)?.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The folder of a file.
  static func folder(of path: String) -> String { SystemPath.folder(of: path) }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The most levels between a project's folder and a spec.
  private static let levelLimit = 64

  /// The folder of a script, and those above it.
  static func homes(of path: String) -> [String] {
    var homes = [folder(of: path)]
    while let last = homes.last, homes.count < levelLimit, last != "/" {
      if last == "." {
        homes.append("..")
      } else if last == ".." || last.hasSuffix("/..") {
        homes.append(last + "/..")
      } else {
        homes.append(folder(of: last))
      }
    }
    return homes
  }

  /// The folders of the apps to which a script in a folder may belong: the folder itself, and those
  /// above it.
  ///
  /// The search ends below the user's home folder, and below a folder in which all users may write,
  /// because files there are unrelated to the script.
  static func appFolders(from folder: String) -> [String] {
    let homes = homes(of: SystemPath.joined(folder, "app.lua"))
    let personal = getenv("HOME").flatMap { SystemPath.real(String(cString: $0)) }
    let end = homes.dropFirst().firstIndex { home in
      var status = stat()
      guard stat(home, &status) == 0, status.st_mode & S_IWOTH == 0,
        let real = SystemPath.real(home)
      else { return true }
      return real == "/" || real == personal
    }
    return Array(homes[..<(end ?? homes.endIndex)])
  }

  /// The files that are tried for a module of an app, in this order; nil if the name is invalid.
  static func candidates(ofModule name: String, in folder: String) -> [String]? {
    moduleFiles(name)?.map { SystemPath.joined(folder, $0) }
  }

  private static func moduleFiles(_ name: String) -> [String]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.contains("/") && !$0.contains("\0") }) else {
      return nil
    }
    let stem = parts.joined(separator: "/")
    return [stem + ".lua", stem + "/init.lua"]
  }

  /// The module that a spec requires: its file, and the folder from which its name is resolved. A
  /// link that may lead out of the app's folder counts as missing, as it does when the app runs.
  ///
  /// - Parameter modulePath: the search path below a folder, which precedes the folder itself.
  static func module(
    _ name: String, requiredBySpec path: String, _ modulePath: (String) -> SpecModulePath
  ) -> (file: String, home: String)? {
    guard let names = moduleFiles(name) else { return nil }
    let homes = homes(of: path)
    for (index, home) in homes.enumerated() {
      let below = modulePath(home).files(ofModule: name)
      for (name, folder) in below + names.map({ (file: $0, folder: nil) }) {
        let file = SystemPath.joined(home, name)
        if access(file, R_OK) == 0, stays(name, in: home, of: homes[...index]) {
          return (file, folder.map { SystemPath.joined(home, $0) } ?? home)
        }
      }
    }
    return nil
  }

  /// Whether a module is installed on this machine.
  static func isInstalled(_ name: String) -> Bool {
    let parts = name.split(separator: ".").joined(separator: "/")
    return ["/usr/local", "/usr"].contains { root in
      ["share/lua/5.4/\(parts).lua", "share/lua/5.4/\(parts)/init.lua", "lib/lua/5.4/\(parts).so"]
        .contains { access(SystemPath.joined(root, $0), R_OK) == 0 }
    }
  }

  /// The name by which an app requires a file, given real paths; nil for a file outside of the
  /// app's folder.
  static func moduleName(of file: String, in folder: String) -> String? {
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    guard file.hasSuffix(".lua"), file.utf8.starts(with: start.utf8),
      let rest = String(file.utf8.dropFirst(start.utf8.count).dropLast(".lua".utf8.count)),
      !rest.contains(".")
    else { return nil }
    let name = rest.replacing("/", with: ".")
    return name.hasSuffix(".init") ? String(name.dropLast(".init".count)) : name
  }

  /// The file of an app that a spec shows, relative to the working folder or to a folder that
  /// contains the spec; nil if there is none, or if a sandboxed spec could not show it.
  static func app(_ name: String, shownBy path: String) -> String? {
    if name.hasPrefix("/") || name.split(separator: "/").contains("..") { return nil }
    let homes = homes(of: path)
    if access(name, F_OK) == 0 {
      return stays(name, in: ".", of: homes[...] + ["."]) ? name : nil
    }
    for (index, home) in homes.enumerated() {
      let file = SystemPath.joined(home, name)
      guard access(file, F_OK) == 0 else { continue }
      return stays(name, in: home, of: homes[...index]) ? file : nil
    }
    return nil
  }

  /// Whether a file, with links resolved, is in the innermost of some folders that contain its
  /// path.
  ///
  /// Any of these folders may be the app's. A check against the outermost folder only would let a
  /// link within the app's folder lead to files beside that folder.
  private static func stays(
    _ name: String, in home: String, of homes: ArraySlice<String>
  ) -> Bool {
    guard let root = SystemPath.real(home) else { return false }
    let path = SystemPath.joined(root, name)
    guard let file = SystemPath.real(path), let folder = SystemPath.real(folder(of: path)) else {
      return false
    }
    let roots = homes.compactMap { SystemPath.real($0) }
    return [path, folder + "/"].allSatisfy { path in
      let around = roots.filter { SystemPath.isBelow(path, $0) }
      guard let inner = around.max(by: { $0.utf8.count < $1.utf8.count }) else { return false }
      return SystemPath.isBelow(file, inner)
    }
  }
}
