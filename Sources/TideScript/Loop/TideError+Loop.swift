public import TideBindings
import TideSystem

extension TideError.Code {
  /// The system refuses what an event loop needs, such as another descriptor.
  public static let eventLoop = Self("eventLoop", 411)
  /// Files cannot be watched, or not as well as they should.
  public static let watching = Self("watching", 420)
}

extension TideError {
  /// A call that the system refused, as an error of the runtime.
  package init(_ error: SystemError, _ code: Code) {
    self.init(code, error.message, cause: error)
  }
}
