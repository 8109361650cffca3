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
/// not work leaves the old version running.
///
/// It keeps its runtime, works on the thread of the runtime, and has to be kept itself while it
/// watches.
public final class Reloader {
  /// Called with each reload and each error, on the runtime's thread.
  public var onReport: (ReloadReport) -> Void = { _ in }
  /// Called when files cannot be watched as well as they should be.
  public var onNotice: (TideError) -> Void = { _ in }

  private let runtime: Runtime
  private let watcher: SaveWatcher
  private var isWatching = false
  /// When the app began to read its files; nil until that is known.
  private var readSince: SaveTime?
  /// The registration with the loader's `onRead`; nil while nothing is watched.
  private var registration: Int?

  /// Makes one for a runtime; nothing is watched before ``start()``.
  public convenience init(_ runtime: Runtime) { self.init(runtime, SaveWatcher(runtime.loop)) }

  init(_ runtime: Runtime, _ watcher: SaveWatcher) {
    self.runtime = runtime
    self.watcher = watcher
    watcher.onSave = { [unowned self] files in
      let files = files.filter(runtime.isConcerned)
      if !files.isEmpty { run { runtime.reload(changed: files) } }
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
    if let registration { runtime.loader.onRead.remove(registration) }
    registration = nil
  }

  /// Runs the app anew and keeps its state.
  public func reload() { run { runtime.reloadAll() } }

  /// Runs the app anew and drops its state.
  public func reset() { run { runtime.resetReporting() } }

  private func run(_ reload: () -> ReloadReport) {
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
