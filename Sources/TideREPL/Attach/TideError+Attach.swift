public import TideBindings
import TideSystem

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
