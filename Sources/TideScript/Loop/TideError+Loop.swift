public import TideBindings

extension TideError.Code {
  /// The system refuses what an event loop needs, such as another descriptor.
  public static let eventLoop = Self("eventLoop", 411)
}
