/// The folders to watch for a set of files: each file's folder, and the folders of all components
/// and symbolic links on its path, so that replacing any of them is noticed.
///
/// ```
/// files: app/main.lua, where app is a link to releases/7
///
///   /             releases, app
///   /releases     7
///   /releases/7   main.lua
/// ```
struct WatchPlan: Equatable {
  /// For each folder, the relevant names in it, and the files that depend on each.
  private(set) var names: [String: [String: Set<String>]] = [:]
  /// The folders that contain the files themselves.
  private(set) var homes: Set<String> = []

  private static let linkLimit = 40

  /// - Parameter folder: the base of relative paths; the current folder by default.
  init(files: [String], from folder: String = WorkingFolder.path) {
    var links: [String: String?] = [:]
    for file in files { follow(file, from: folder, &links) }
  }

  /// - Parameter links: cached symbolic links from other files' paths.
  private mutating func follow(
    _ file: String, from base: String, _ links: inout [String: String?]
  ) {
    let whole = file.hasPrefix("/") ? file : base + "/" + file
    var rest = SystemPath.reversedParts(of: whole)
    var folder = "/"
    var count = 0
    while let part = rest.popLast() {
      if part == ".." {
        folder = Self.parent(of: folder)
        continue
      }
      names[folder, default: [:]][part, default: []].insert(file)
      let path = folder == "/" ? "/" + part : folder + "/" + part
      let link = links[path] ?? SystemPath.target(ofLink: path)
      if !rest.isEmpty { links[path] = link }
      if let target = link {
        count += 1
        // Cyclic links lead to no file.
        if count > Self.linkLimit { return }
        if target.hasPrefix("/") { folder = "/" }
        rest += SystemPath.reversedParts(of: target)
      } else if rest.isEmpty {
        homes.insert(folder)
      } else {
        folder = path
      }
    }
  }

  private static func parent(of folder: String) -> String {
    guard let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return "/" }
    return String(folder[..<slash])
  }
}
