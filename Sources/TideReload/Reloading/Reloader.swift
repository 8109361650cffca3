public import TideBindings
public import TideScript
import TideSystem

/// Reloads an app whenever one of its files is saved, and reports the result.
///
/// ```swift
/// let reloader = Reloader(runtime)
/// reloader.onReport = { print($0.line) }     // reloaded 1 of 1 modules in 6.2 ms
/// reloader.start()
/// ```
///
/// It also works after `load` has failed: the next successful save then loads the app. A save with
/// errors leaves the old version running. While a question of `ask` is open, a save waits until it
/// is answered, since a reload would end the task that asks.
///
/// It owns its runtime, works on the runtime's thread, and must be kept alive while it watches.
public final class Reloader {
  /// Called with the report of each reload, on the runtime's thread.
  public var onReport: (ReloadReport) -> Void = { _ in }
  /// Called if file watching is degraded.
  public var onNotice: (TideError) -> Void = { _ in }
  /// Called with true when a save begins to wait for the answer to an open question, and with false
  /// when no save waits any more, before its reload is reported.
  public var onWaiting: (_ isWaiting: Bool) -> Void = { _ in }
  /// Whether saves wait for answers; false for an app without a user, which receives no answers.
  public var waitsForAnswers = true

  private let runtime: Runtime
  private let watcher: SaveWatcher
  private var isWatching = false
  /// When the app began to read its files; nil until that is known.
  private var readSince: SaveTime?
  /// The registration with the loader's `onRead`; nil while not watching.
  private var registration: Int?
  /// Files saved while a question was open.
  private var waiting: Set<String> = [] {
    didSet { if waiting.isEmpty != oldValue.isEmpty { onWaiting(!waiting.isEmpty) } }
  }
  /// Checks again whether questions are open.
  private var retry: LoopTimer?

  /// Makes a reloader for a runtime; it watches nothing before ``start()``.
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
  /// Call it before `load`, so that no save during the load is missed. Each module is watched from
  /// the time it is loaded.
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

  /// Stops watching; it may be started again.
  public func stop() {
    isWatching = false
    watcher.stop()
    retry?.cancel()
    waiting = []
    if let registration { runtime.loader.onRead.remove(registration) }
    registration = nil
  }

  /// Reloads the app at once and keeps its state. Open questions end with the version that asked
  /// them.
  public func reload() { run { runtime.reloadAll() } }

  /// Restarts the app without its state.
  public func reset() { run { runtime.resetReporting() } }

  // MARK: Questions

  /// Reloads for saved files, or waits until open questions are answered.
  private func take(_ files: [String]) {
    guard waitsForAnswers, runtime.isAskingQuestion || !waiting.isEmpty else {
      return run { runtime.reload(changed: files) }
    }
    waiting.formUnion(files)
    runtime.onQuestionChange = { [weak self] in self?.lookAgain(after: 0) }
    lookAgain(after: 0)
  }

  /// Checks in a later turn, after the code that follows an answer has run: it may have asked the
  /// next question.
  private func lookAgain(after seconds: Double) {
    retry?.cancel()
    if waiting.isEmpty { return }
    retry = runtime.loop.after(seconds, keepsRunning: false) { [weak self] in self?.endWaiting() }
  }

  private func endWaiting() {
    if waiting.isEmpty || runtime.isAskingQuestion { return }
    // The answer may end the app, but a handler of `willQuit` may still keep it running.
    if runtime.exitCode != nil { return lookAgain(after: Self.timeOfEnding) }
    let files = waiting.sorted()
    run { runtime.reload(changed: files) }
  }

  /// How soon a waiting save checks again whether an app that was about to end keeps running, in
  /// seconds.
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
