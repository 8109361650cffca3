/// Calls a function once for each save that changed a file.
///
/// ```swift
/// let watcher = SaveWatcher(loop)
/// watcher.onSave = { files in print("saved:", files) }
/// watcher.watch(["app.lua"])
/// ```
///
/// However an editor saves, events are gathered until 20 ms pass without one, and files that hold
/// what they held before do not count. Where the system cannot report, the files are looked at
/// several times a second, and `onNotice` is told why.
package final class SaveWatcher {
  /// Gets the changed files, sorted, as they were named in `watch`.
  package var onSave: ([String]) -> Void = { _ in }
  package var onNotice: (SystemError) -> Void = { _ in }

  private let loop: EventLoop
  private let makeSource: () throws(SystemError) -> any SaveSource
  private var source: (any SaveSource)?
  private var files: [String] = []
  private var contents = SavedContents()
  private var touched: Set<String> = []
  private var quiet: LoopTimer?

  /// How long nothing has to happen, in seconds.
  private static let quietTime = 0.02

  package convenience init(_ loop: EventLoop) {
    self.init(loop) { () throws(SystemError) in try FolderReports(loop) }
  }

  package init(_ loop: EventLoop, makeSource: @escaping () throws(SystemError) -> any SaveSource) {
    self.loop = loop
    self.makeSource = makeSource
  }

  deinit { stop() }

  /// Watches these files, and no others any more. Those that were watched before are compared with
  /// what they held then.
  ///
  /// - Parameter start: when the app began to read the others; a save since then counts, because
  ///   what was read may be what the file held before.
  package func watch(_ files: [String], readSince start: SaveTime? = nil) {
    // The source looks after the way to the files by itself.
    if source != nil, files == self.files || Set(files) == Set(self.files) { return }
    self.files = files
    let doubtful = contents.keep(files, readSince: start)
    if !doubtful.isEmpty { gather(doubtful) }
    do {
      try sourceForFiles().watch(files)
    } catch {
      poll(because: error)
    }
  }

  /// Lets files that are gone count as saved when they come back, even with what they held:
  /// somebody has missed them.
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

/// Something that notices when files may have been saved: the system's reports, or looking again
/// and again.
///
/// For every conformer this holds:
///
/// ```swift
/// source.onTouch = { files in … }   // from the loop, soon after a file was closed or renamed
/// try source.watch(["app.lua"])     // these, and no others any more
/// source.stop()                     // nothing comes after this
/// ```
///
/// It may report a file that has not changed, and the same save several times; it never reports one
/// that is still being written as far as it can tell.
package protocol SaveSource: AnyObject {
  var onTouch: (Set<String>) -> Void { get set }
  /// Told when watching has become impossible.
  var onFailure: (SystemError) -> Void { get set }
  func watch(_ files: [String]) throws(SystemError)
  func stop()
}
