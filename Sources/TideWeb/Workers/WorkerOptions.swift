package import TideScript

/// How an app's workers are run. Each worker has one private session.
package struct WorkerOptions {
  /// Seconds without a sign of life after which a worker is ended: longer than a turn of its
  /// scripts may last.
  package let silence: Double
  /// What models are shared with that scripts declare by `shared`.
  package let shared: any SharingEngine
  /// Called with what a worker prints, a line at a time, and with why one has ended, with the
  /// number of its session.
  package let log: (_ session: Int, _ line: String, _ isFault: Bool) -> Void

  /// What a worker may take beyond a turn before it answers, in seconds.
  package static let margin = 5.0

  /// - Parameter turn: the longest time that a turn of a script may take, in seconds.
  package init(
    turn: Double, shared: any SharingEngine,
    log: @escaping (_ session: Int, _ line: String, _ isFault: Bool) -> Void
  ) {
    silence = turn + Self.margin
    self.shared = shared
    self.log = log
  }
}
