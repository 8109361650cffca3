import TideBindings

// Measures chunks: once with `:time`, or each one with `:timing on`.
extension Session {
  func setTiming(_ choice: String) throws -> ChunkResult {
    switch choice {
    case "on": showsTiming = true
    case "off": showsTiming = false
    case "": break
    default: throw TideError(.metaCommand, "write :timing on or :timing off")
    }
    return .values(["Timing is \(showsTiming ? "on" : "off")."])
  }

  /// Adds the elapsed time to a result if timing is on.
  func timed(_ result: ChunkResult, since start: ContinuousClock.Instant) -> ChunkResult {
    guard showsTiming, case .values(let lines) = result else { return result }
    return .values(lines + [Self.text(of: start.duration(to: ContinuousClock().now))])
  }

  static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    let scale = milliseconds < 1 ? 1e4 : 1e2
    return "\((milliseconds * scale).rounded() / scale) ms"
  }
}
