public import TideBindings

extension TideError.Code {
  /// The terminal is not there, went away or is no terminal.
  public static let terminal = Self("terminal", 320)
}
