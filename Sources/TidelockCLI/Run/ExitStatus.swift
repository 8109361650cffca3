import TideBindings
import TideScript

/// What the program tells its caller at the end.
struct ExitStatus: Equatable {
  let code: Int32

  static let success = ExitStatus(0)
  /// Errors were listed while the app ran.
  static let errorsListed = ExitStatus(1)
  static let usage = ExitStatus(64)
  /// The script's own body has an error.
  static let scriptError = ExitStatus(65)
  static let noFile = ExitStatus(66)
  static let nothingToAttachTo = ExitStatus(69)
  /// The machine lacks something that is required: a usable Lua library, confinement.
  static let unavailable = ExitStatus(69)
  /// A fault of ours.
  static let fault = ExitStatus(70)
  static let interrupted = ExitStatus(130)

  /// As a shell tells that a signal ended a program.
  static func signal(_ number: Int32) -> ExitStatus { ExitStatus(128 + number) }

  /// For an error that kept the app from being loaded.
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
