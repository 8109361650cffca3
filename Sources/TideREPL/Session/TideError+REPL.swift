public import TideBindings
import TideSystem

extension TideError.Code {
  /// An unknown meta command, or one without its required argument.
  public static let metaCommand = Self("metaCommand", 501)
}

extension TideError.Code {
  /// No app to attach to, or a failed connection to one.
  public static let attach = Self("attach", 502)
  /// A verb of `tidelock drive` that does not exist, or has the wrong arguments.
  public static let driveUsage = Self("driveUsage", 503)
  /// An assertion or a wait of `tidelock drive` that failed.
  public static let notTrue = Self("notTrue", 504)
}

extension TideError {
  /// An `attach` error whose message ends with the system's reason.
  static func attach(_ message: String, _ number: Int32) -> TideError {
    TideError(.attach, "\(message): \(SystemText.of(number))")
  }
}
