package import TideScript

/// The configuration of an app's workers. Each worker runs one private session.
package struct WorkerOptions {
  /// Seconds of silence after which a worker is ended: longer than a turn of its scripts may last.
  package let silence: Double
  /// The engine for models that scripts declare by `shared`.
  package let shared: any SharingEngine
  /// Called with each line that a worker prints, and with the reason for its end, with the number
  /// of its session.
  package let log: (_ session: Int, _ line: String, _ isFault: Bool) -> Void

  /// Seconds that a worker may take to answer beyond a turn.
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
