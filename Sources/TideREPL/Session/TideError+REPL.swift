public import TideBindings
import TideSystem

extension TideError.Code {
  /// A meta command that there is not, or that lacks its argument.
  public static let metaCommand = Self("metaCommand", 501)
}

extension TideError.Code {
  /// No app can be attached to, or the connection to one has failed.
  public static let attach = Self("attach", 502)
}

extension TideError {
  /// With the system's reason behind the message.
  static func attach(_ message: String, _ number: Int32) -> TideError {
    TideError(.attach, "\(message): \(SystemText.of(number))")
  }
}
