public import TideBindings
public import TideScript
import TideSystem

/// Runs an app anew whenever one of its files is saved, and says what came of it.
///
/// ```swift
/// let reloader = Reloader(runtime)
/// reloader.onReport = { print($0.line) }     // reloaded 1 of 1 modules in 6.2 ms
/// reloader.start()
/// ```
///
/// It works also after `load` has failed: the next good save then loads the app. A save that does
/// not work leaves the old version running. A save while a question of `ask` is open waits until
/// that is answered, since a reload ends the task that asks.
///
/// It keeps its runtime, works on the thread of the runtime, and has to be kept itself while it
/// watches.
public final class Reloader {
  /// Called with each reload and each error, on the runtime's thread.
  public var onReport: (ReloadReport) -> Void = { _ in }
  /// Called when files cannot be watched as well as they should be.
  public var onNotice: (TideError) -> Void = { _ in }
  /// Called with true when a save begins to wait for the answer to an open question, and with false
  /// when no save waits any more: before its reload is reported.
  public var onWaiting: (_ isWaiting: Bool) -> Void = { _ in }
  /// Whether saves wait for answers; false for an app that nobody sees, which gets none.
  public var waitsForAnswers = true

  private let runtime: Runtime
  private let watcher: SaveWatcher
  private var isWatching = false
  /// When the app began to read its files; nil until that is known.
  private var readSince: SaveTime?
  /// The registration with the loader's `onRead`; nil while nothing is watched.
  private var registration: Int?
  /// Files that were saved while a question was open.
  private var waiting: Set<String> = [] {
    didSet { if waiting.isEmpty != oldValue.isEmpty { onWaiting(!waiting.isEmpty) } }
  }
  /// Looks once more whether questions are open.
  private var retry: LoopTimer?

  /// Makes one for a runtime; nothing is watched before ``start()``.
  public convenience init(_ runtime: Runtime) { self.init(runtime, SaveWatcher(runtime.loop)) }

  init(_ runtime: Runtime, _ watcher: SaveWatcher) {
    self.runtime = runtime
    self.watcher = watcher
    watcher.onSave = { [unowned self] files in
      let files = files.filter(runtime.isConcerned)
      if !files.isEmpty { take(files) }
    }
    watcher.onNotice = { [unowned self] in onNotice(TideError($0, .watching)) }
  }

  /// Watches the main script and the files that the app has loaded.
  ///
  /// Call it before `load`, so that no save meanwhile is missed. Each module is watched from when
  /// it is loaded.
  public func start() {
    isWatching = true
    watch()
    readSince = .now
    guard registration == nil else { return }
    registration = runtime.loader.onRead.append { [weak self] start in
      guard let self, isWatching else { return }
      readSince = start
      watch()
    }
  }

  /// Watches no more; it may be started again.
  public func stop() {
    isWatching = false
    watcher.stop()
    retry?.cancel()
    waiting = []
    if let registration { runtime.loader.onRead.remove(registration) }
    registration = nil
  }

  /// Runs the app anew and keeps its state, at once: questions that are open end with the version
  /// that has asked them.
  public func reload() { run { runtime.reloadAll() } }

  /// Runs the app anew and drops its state.
  public func reset() { run { runtime.resetReporting() } }

  // MARK: Questions

  /// Runs what was saved, or waits until questions are answered.
  private func take(_ files: [String]) {
    guard waitsForAnswers, runtime.isAskingQuestion || !waiting.isEmpty else {
      return run { runtime.reload(changed: files) }
    }
    waiting.formUnion(files)
    runtime.onQuestionChange = { [weak self] in self?.lookAgain(after: 0) }
    lookAgain(after: 0)
  }

  /// Looks in a later turn, when what follows an answer has run: it may have asked the next
  /// question.
  private func lookAgain(after seconds: Double) {
    retry?.cancel()
    if waiting.isEmpty { return }
    retry = runtime.loop.after(seconds, keepsRunning: false) { [weak self] in self?.endWaiting() }
  }

  private func endWaiting() {
    if waiting.isEmpty || runtime.isAskingQuestion { return }
    // The answer may be the one that ends the app. Who asked may also have it stay.
    if runtime.exitCode != nil { return lookAgain(after: Self.timeOfEnding) }
    let files = waiting.sorted()
    run { runtime.reload(changed: files) }
  }

  /// How soon a save that waits looks whether an app that was about to end stays, in seconds.
  private static let timeOfEnding = 0.2

  // MARK: Running

  private func run(_ reload: () -> ReloadReport) {
    waiting = []
    retry?.cancel()
    readSince = .now
    let report = reload()
    if isWatching { watch() }
    if report.error != nil { watcher.missFiles() }
    onReport(report)
  }

  private func watch() {
    watcher.watch(runtime.watchedPaths, readSince: readSince)
  }
}
