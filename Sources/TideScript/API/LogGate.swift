/// Lets so many lines a second through, and counts the others.
///
/// ```swift
/// var gate = LogGate(limit: 2)
/// gate.admit(at: 0)     // true, and once more; then false until second 1
/// gate.takeDropped()    // how many were refused since it was asked last
/// ```
struct LogGate {
  private let limit: Int
  private var second = -Double.infinity
  private var passed = 0
  private(set) var dropped = 0

  init(limit: Int) { self.limit = limit }

  /// Whether one more line may pass at a time in seconds, which never goes back.
  mutating func admit(at time: Double) -> Bool {
    if time >= second + 1 {
      second = time
      passed = 0
    }
    if passed < limit {
      passed += 1
      return true
    }
    dropped += 1
    return false
  }

  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }
}
