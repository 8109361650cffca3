/// How a test, or a function around it, ended.
package enum SpecStatus: String, Sendable {
  case success, pending, failure, error

  /// What it is together with what came after: what went wrong first counts.
  mutating func add(_ status: SpecStatus) {
    if self == .success || (self == .pending && status != .success) { self = status }
  }
}
