public import TideBindings

extension TideError.Code {
  /// A meta command that there is not, or that lacks its argument.
  public static let metaCommand = Self("metaCommand", 501)
}
