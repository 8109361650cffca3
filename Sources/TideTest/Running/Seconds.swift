import TideSystem

/// The system's clocks, in seconds; tests have one of their own.
enum Seconds {
  /// Never goes back.
  static var monotonic: Double { read(CLOCK_MONOTONIC) }
  /// Since 1970.
  static var sinceEpoch: Double { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// A number of seconds as text, without a fraction if it is whole.
  static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && seconds < 1e15 ? "\(Int(seconds))" : "\(seconds)"
  }
}
