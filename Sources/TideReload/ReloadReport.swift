public import TideBindings

/// What came of a reload.
public struct ReloadReport {
  /// The saved files; empty when somebody asked for it.
  public let changed: [String]
  /// How many modules were run anew, and how many the app has.
  public let reloaded: Int
  public let modules: Int
  /// From the gathered save to the new version's first settle.
  public let duration: Duration
  /// Why the old version keeps running; nil after a good reload.
  public let error: TideError?
  /// Whether kept state was dropped.
  public let isReset: Bool

  /// `reloaded 1 of 14 modules in 6.2 ms`, or that it was not.
  public var line: String {
    if error != nil { return isReset ? "not reset" : "not reloaded: the old version keeps running" }
    let verb = isReset ? "reset" : "reloaded"
    return "\(verb) \(reloaded) of \(modules) modules in \(milliseconds) ms"
  }

  /// To a tenth.
  public var milliseconds: Double {
    let (seconds, attoseconds) = duration.components
    let exact = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return (exact * 10).rounded() / 10
  }
}
