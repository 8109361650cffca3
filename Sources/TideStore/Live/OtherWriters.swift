import TideSystem

/// Detects that another program has written to a database.
///
/// The system reports changes of the file. SQLite's `data_version` then shows whether another
/// connection has committed. It is checked several times, because a report may precede the visible
/// commit.
final class OtherWriters {
  private unowned let store: Store
  private let changes: FolderChanges
  private let loop: EventLoop
  private var beat: LoopTimer?
  private var later: LoopTimer?
  private var known = 0

  init(_ store: Store, _ path: String, _ loop: EventLoop) {
    self.store = store
    self.loop = loop
    changes = FolderChanges(loop)
    changes.onChange = { [weak self] in self?.look(again: Self.looks) }
    changes.watch([SystemPath.folder(of: path)])
    // For file systems that report no changes.
    beat = loop.after(1, repeating: true, keepsRunning: false) { [weak self] in self?.look() }
    known = version
  }

  private var version: Int { (try? store.connection.number("PRAGMA data_version")) ?? known }

  /// Whether another connection has committed since the last check.
  var hasUnseenCommit: Bool { version != known }

  /// The number of checks after a report, a millisecond apart.
  private static let looks = 5

  private func look(again: Int = 0) {
    let found = version
    if found != known {
      known = found
      return store.othersHaveWritten()
    }
    later?.cancel()
    later = nil
    if again == 0 { return }
    later = loop.after(0.001, keepsRunning: false) { [weak self] in self?.look(again: again - 1) }
  }

  func end() {
    changes.watch([])
    beat?.cancel()
    beat = nil
    later?.cancel()
    later = nil
  }
}
