import TideBindings
import TideScript

/// The exit status of the program.
struct ExitStatus: Equatable {
  let code: Int32

  static let success = ExitStatus(0)
  /// Errors were listed while the app ran.
  static let errorsListed = ExitStatus(1)
  static let usage = ExitStatus(64)
  /// The script's main chunk raised an error.
  static let scriptError = ExitStatus(65)
  static let noFile = ExitStatus(66)
  static let nothingToAttachTo = ExitStatus(69)
  /// A requirement is missing: a usable Lua library, or confinement.
  static let unavailable = ExitStatus(69)
  /// An internal error.
  static let fault = ExitStatus(70)
  static let interrupted = ExitStatus(130)

  /// The status after a signal, as a shell reports it.
  static func signal(_ number: Int32) -> ExitStatus { ExitStatus(128 + number) }

  /// The status for an error that prevented the app from being loaded.
  init(loading error: any Error) {
    switch (error as? TideError)?.code {
    case .scriptFile: self = .noFile
    case .interpreter: self = .unavailable
    case nil, .unexpected: self = .fault
    default: self = .scriptError
    }
  }

  init(_ code: Int32) { self.code = code }
}
