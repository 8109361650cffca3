/// The folders to watch for some files: where each file lies, and every folder and link on the way
/// there, so that nothing is missed when one of those is replaced.
///
/// ```
/// files: app/main.lua, where app is a link to releases/7
///
///   /             releases, app
///   /releases     7
///   /releases/7   main.lua
/// ```
struct WatchPlan: Equatable {
  /// For each folder, the names in it that matter, and the files that each leads to.
  private(set) var names: [String: [String: Set<String>]] = [:]
  /// The folders in which files themselves lie.
  private(set) var homes: Set<String> = []

  private static let linkLimit = 40

  /// - Parameter folder: what relative paths start from; the current folder.
  init(files: [String], from folder: String = WorkingFolder.path) {
    var links: [String: String?] = [:]
    for file in files { follow(file, from: folder, &links) }
  }

  /// - Parameter links: what is known of the way of other files.
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
        // Links that lead to each other lead to no file.
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
