import TideSystem

/// The Lua files of the workspace's folders, one folder at a time.
///
/// Skips hidden folders and links to folders, as `tidelock check` does. The search is limited,
/// because an editor may be opened in a home folder.
struct RootFiles {
  private static let fileLimit = 1000
  private static let folderLimit = 5000

  /// The folders still to visit, the next one last.
  private var folders: [String]
  private(set) var count = 0
  private var visited = 0
  /// Whether a folder exceeded the limit of files.
  private var isCut = false

  init(_ roots: [String]) { folders = roots.reversed() }

  private var isFull: Bool { isCut || visited >= Self.folderLimit || count >= Self.fileLimit }

  /// Whether there are files that were not visited.
  var hasMore: Bool { isCut || !folders.isEmpty }

  /// The files of the next folder; nil if there is none, or a limit is reached.
  mutating func next() -> [String]? {
    guard !isFull, let folder = folders.popLast() else { return nil }
    visited += 1
    var found: [String] = []
    var inner: [String] = []
    for name in (ReadableFile.names(in: folder) ?? []).sorted() where !name.hasPrefix(".") {
      let path = SystemPath.joined(folder, name)
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        inner.append(path)
      } else if name.hasSuffix(".lua") {
        if count + found.count == Self.fileLimit {
          isCut = true
          break
        }
        found.append(path)
      }
    }
    folders += inner.reversed()
    count += found.count
    return found
  }
}
