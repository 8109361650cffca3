import TideSystem

/// The Lua files of the workspace's folders, a folder at a time.
///
/// Hidden folders and links to folders are left out, as `tidelock check` leaves them out. Somebody may
/// open an editor in a home folder, so there are limits.
struct RootFiles {
  private static let fileLimit = 1000
  private static let folderLimit = 5000

  /// The folders to look into, the next one last.
  private var folders: [String]
  private(set) var count = 0
  private var visited = 0

  init(_ roots: [String]) { folders = roots.reversed() }

  private var isFull: Bool { visited >= Self.folderLimit || count >= Self.fileLimit }

  /// Whether there are folders beyond the limits.
  var hasMore: Bool { !folders.isEmpty }

  /// The files of the next folder; nil where there is none.
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
        found.append(path)
      }
    }
    folders += inner.reversed()
    count += found.count
    return found
  }
}
