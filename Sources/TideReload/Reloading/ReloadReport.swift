public import TideBindings

/// The result of a reload.
///
/// ```swift
/// let report = try runtime.reload()
/// print(report.line)     // reloaded 2 of 14 modules in 6.2 ms: kept 31, reset 1, disposed 4
/// ```
public struct ReloadReport: Sendable {
  /// The saved files that caused the reload; empty for an explicit reload.
  public let changed: [String]
  /// The number of modules that ran again.
  public let reloaded: Int
  /// The number of modules in the app.
  public let modules: Int
  /// The number of properties in redeclared models that kept their values.
  public let kept: Int
  /// The number of properties in redeclared models that took a new default.
  public let reset: Int
  /// The number of bindings, observations, effects, timers and other context entries of old
  /// versions that ended.
  public let disposed: Int
  /// The numbers of objects whose class no module declares any more, by class.
  package let orphans: [(className: String, count: Int)]
  /// The time from the start of the reload until the new version has settled.
  public let duration: Duration
  /// Why the old version keeps running; nil after a successful reload.
  public let error: TideError?
  /// Whether the app's state was dropped.
  public let isReset: Bool
  /// Whether a version is running, even if it is the old one.
  public let isRunning: Bool

  /// `reloaded 1 of 14 modules in 6.2 ms: kept 31, reset 1, disposed 4`, with the objects of classes
  /// that are gone, or a note about the failure.
  public var line: String {
    if error != nil {
      return isRunning
        ? "not reloaded: the old version keeps running"
        : "not running: the next good save starts it"
    }
    if isReset { return "reset \(reloaded) of \(modules) modules in \(milliseconds) ms" }
    return "reloaded \(reloaded) of \(modules) modules in \(milliseconds) ms: "
      + "kept \(kept), reset \(reset), disposed \(disposed)\(lineOfOrphans)"
  }

  /// `; 2 objects are of the class Man, which is gone`; empty without such objects.
  private var lineOfOrphans: String {
    orphans.map { name, count in
      "; \(count) \(count == 1 ? "object is" : "objects are") of the class \(name), which is gone"
    }.joined()
  }

  /// The duration in milliseconds, rounded to a tenth.
  public var milliseconds: Double {
    let (seconds, attoseconds) = duration.components
    let exact = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return (exact * 10).rounded() / 10
  }
}
