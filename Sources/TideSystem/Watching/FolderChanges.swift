/// Detects files that appear in or disappear from folders.
///
/// ```swift
/// let changes = FolderChanges(loop)
/// changes.onChange = { searchForSpecs() }
/// changes.watch(["spec", "spec/models"])
/// ```
///
/// Detects nothing if the system does not support such events.
package final class FolderChanges {
  /// Called after a short time without further events.
  package var onChange: () -> Void = {}

  private let loop: EventLoop
  private let inotify: Inotify?
  private let events: Int32
  private var quiet: LoopTimer?
  private var folders: [String: Int32] = [:]

  /// The time without events, in seconds.
  private static let quietTime = 0.02
  private static let events = Int32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)

  /// - Parameter modifications: whether every write to a file counts as well. Events are then
  ///   reported immediately, because writes may continue without a pause.
  package init(_ loop: EventLoop, modifications: Bool = false) {
    self.loop = loop
    inotify = try? Inotify(loop)
    events = modifications ? Self.events | Int32(IN_MODIFY) : Self.events
    inotify?.onReports = { [unowned self] _ in if modifications { onChange() } else { wait() } }
  }

  deinit { quiet?.cancel() }

  /// Watches these folders only.
  package func watch(_ wanted: [String]) {
    guard let inotify else { return }
    for (folder, number) in folders where !wanted.contains(folder) {
      inotify.unwatch(number)
      folders[folder] = nil
    }
    // Includes watched folders, because one may have been replaced.
    for folder in wanted {
      if case .number(let number) = inotify.watch(folder, for: events) {
        folders[folder] = number
      } else {
        folders[folder] = nil
      }
    }
  }

  private func wait() {
    quiet?.cancel()
    quiet = loop.after(Self.quietTime, keepsRunning: false) { [unowned self] in onChange() }
  }
}
