/// How a test, or a function around it, ended.
public enum SpecStatus: String, Sendable {
  /// It passed.
  case success
  /// It was skipped, or is still to be written.
  case pending
  /// An assertion did not hold.
  case failure
  /// It raised an error, was stopped, or something around it failed.
  case error

  /// What it is together with what came after: what went wrong first counts.
  mutating func add(_ status: SpecStatus) {
    if self == .success || (self == .pending && status != .success) { self = status }
  }
}
