public import TideBindings
import TideSystem

extension TideError.Code {
  /// An unknown meta command, or one without its required argument.
  public static let metaCommand = Self("metaCommand", 501)
}

extension TideError.Code {
  /// No app to attach to, or a failed connection to one.
  public static let attach = Self("attach", 502)
}

extension TideError {
  /// An `attach` error whose message ends with the system's reason.
  static func attach(_ message: String, _ number: Int32) -> TideError {
    TideError(.attach, "\(message): \(SystemText.of(number))")
  }
}
