public import TideBindings

/// What came of a reload.
///
/// ```swift
/// let report = try runtime.reload()
/// print(report.line)     // reloaded 2 of 14 modules in 6.2 ms: kept 31, reset 1, disposed 4
/// ```
public struct ReloadReport: Sendable {
  /// The saved files that it follows; empty for a reload that was asked for.
  public let changed: [String]
  /// How many modules were run anew.
  public let reloaded: Int
  /// How many modules the app has.
  public let modules: Int
  /// How many properties of the models that were declared again hold what they held.
  public let kept: Int
  /// How many of them have taken a new default.
  public let reset: Int
  /// How many bindings, observations, effects, timers and other belongings of old versions ended.
  public let disposed: Int
  /// From the gathered save to the new version's first settle.
  public let duration: Duration
  /// Why the old version keeps running; nil after a good reload.
  public let error: TideError?
  /// Whether kept state was dropped.
  public let isReset: Bool
  /// Whether a version runs, be it the old one.
  public let isRunning: Bool

  /// `reloaded 1 of 14 modules in 6.2 ms: kept 31, reset 1, disposed 4`, or that it was not.
  public var line: String {
    if error != nil {
      return isRunning
        ? "not reloaded: the old version keeps running"
        : "not running: the next good save starts it"
    }
    if isReset { return "reset \(reloaded) of \(modules) modules in \(milliseconds) ms" }
    return "reloaded \(reloaded) of \(modules) modules in \(milliseconds) ms: "
      + "kept \(kept), reset \(reset), disposed \(disposed)"
  }

  /// The duration in milliseconds, rounded to a tenth.
  public var milliseconds: Double {
    let (seconds, attoseconds) = duration.components
    let exact = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return (exact * 10).rounded() / 10
  }
}
