import Synchronization

/// The script files that this process has read as scripts, by the paths with which they were opened.
///
/// A chunk's name is whatever its script says it is, and so is the place of the errors in it. A
/// person is shown lines of these files only, and not of what else a name may lead to.
enum ReadSources {
  private static let paths = Mutex<Set<String>>([])

  static func note(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  static func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
}
