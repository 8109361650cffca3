/// Calls a function once for each save that changed a file.
///
/// ```swift
/// let watcher = SaveWatcher(loop)
/// watcher.onSave = { files in print("saved:", files) }
/// watcher.watch(["app.lua"])
/// ```
///
/// An editor's events for one save are combined until 20 ms pass without an event, and files with
/// unchanged contents are ignored. If the system cannot send events, the files are polled, and
/// `onNotice` receives the reason.
package final class SaveWatcher {
  /// Receives the changed files, sorted, with their names as given to `watch`.
  package var onSave: ([String]) -> Void = { _ in }
  package var onNotice: (SystemError) -> Void = { _ in }

  private let loop: EventLoop
  private let makeSource: () throws(SystemError) -> any SaveSource
  private var source: (any SaveSource)?
  private var files: [String] = []
  private var contents = SavedContents()
  private var touched: Set<String> = []
  private var quiet: LoopTimer?

  /// The time without events, in seconds.
  private static let quietTime = 0.02

  package convenience init(_ loop: EventLoop) {
    self.init(loop) { () throws(SystemError) in try FolderReports(loop) }
  }

  package init(_ loop: EventLoop, makeSource: @escaping () throws(SystemError) -> any SaveSource) {
    self.loop = loop
    self.makeSource = makeSource
  }

  deinit { stop() }

  /// Watches these files only. Files that were already watched are compared with their known
  /// contents.
  ///
  /// - Parameter start: when the app began to read the new files. A save since then counts, because
  ///   the app may have read the old contents.
  package func watch(_ files: [String], readSince start: SaveTime? = nil) {
    // The source follows changes of the files' paths by itself.
    if source != nil, files == self.files || Set(files) == Set(self.files) { return }
    self.files = files
    // Watched before they are read, so that a save in between is reported.
    do {
      try sourceForFiles().watch(files)
    } catch {
      poll(because: error)
    }
    let doubtful = contents.keep(files, readSince: start)
    if !doubtful.isEmpty { gather(doubtful) }
  }

  /// Makes missing files count as saved when they reappear, even with their old contents, because
  /// the app has failed to read them.
  package func missFiles() { contents.forgetMissing() }

  package func stop() {
    source?.stop()
    source = nil
    quiet?.cancel()
    quiet = nil
    touched = []
  }

  private func sourceForFiles() throws(SystemError) -> any SaveSource {
    if let source { return source }
    let mounts = MountTable.current
    if let folder = WatchPlan(files: files).homes.first(where: mounts.isSilent) {
      throw SystemError("\(folder) is on a file system that may not report changes")
    }
    let made = try makeSource()
    use(made)
    return made
  }

  private func use(_ source: any SaveSource) {
    self.source = source
    source.onTouch = { [unowned self] in gather($0) }
    source.onFailure = { [unowned self] in poll(because: $0) }
  }

  private func poll(because reason: SystemError) {
    var notice = reason
    notice.message += "; files are looked at every \(FilePolling.interval) seconds instead"
    source?.stop()
    let polling = FilePolling(loop)
    use(polling)
    polling.watch(files)
    onNotice(notice)
  }

  private func gather(_ files: Set<String>) {
    touched.formUnion(files)
    quiet?.cancel()
    quiet = loop.after(Self.quietTime, keepsRunning: false) { [unowned self] in compare() }
  }

  private func compare() {
    let files = touched.sorted()
    touched = []
    let changed = files.filter { contents.hasChanged($0) }
    if !changed.isEmpty { onSave(changed) }
  }
}

/// A detector of possible saves: the system's events, or polling.
///
/// Every conformer guarantees:
///
/// ```swift
/// source.onTouch = { files in … }   // from the loop, soon after a file was closed or renamed
/// try source.watch(["app.lua"])     // these, in place of the earlier ones
/// source.stop()                     // no calls after this
/// ```
///
/// It may report an unchanged file, and the same save several times. It avoids reporting a file
/// that is still being written.
package protocol SaveSource: AnyObject {
  var onTouch: (Set<String>) -> Void { get set }
  /// Called when watching has become impossible.
  var onFailure: (SystemError) -> Void { get set }
  func watch(_ files: [String]) throws(SystemError)
  func stop()
}
