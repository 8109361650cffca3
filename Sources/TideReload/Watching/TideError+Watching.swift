public import TideBindings

extension TideError.Code {
  /// Files cannot be watched, or not as well as they should.
  public static let watching = Self("watching", 420)
}
