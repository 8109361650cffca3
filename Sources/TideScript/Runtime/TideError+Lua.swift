public import TideBindings
import TideGraph
package import TideLua

extension TideError.Code {
  /// The script does not parse.
  public static let scriptSyntax = Self("scriptSyntax", 401)
  /// The script raised an error.
  public static let scriptError = Self("scriptError", 402)
  /// The script's calls nest too deeply.
  public static let scriptDepth = Self("scriptDepth", 405)
  /// The file is not UTF-8.
  public static let scriptEncoding = Self("scriptEncoding", 406)
  /// The file cannot be read.
  public static let scriptFile = Self("scriptFile", 407)
  /// The file is too large to be a script.
  public static let scriptSize = Self("scriptSize", 408)
  /// `require` found no such module, or it requires itself.
  public static let module = Self("module", 409)
  /// The script was stopped from outside.
  public static let interrupted = Self("interrupted", 410)
  /// An awaited task was cancelled.
  public static let cancelled = Self("cancelled", 413)
  /// A text is not JSON.
  public static let json = Self("json", 418)
  /// The release of the Lua library is not supported.
  public static let interpreter = Self("interpreter", 419)
}

extension TideError {
  /// An error of a script. An error that a Swift function threw keeps its code and gets the
  /// script's location.
  package init(_ error: LuaError) {
    // Calls of an abandoned interpreter throw the original reason.
    if error.kind == .closed, let ending = error.cause as? LuaError {
      self.init(ending)
      return
    }
    let location = error.location.map { SourceLocation($0) }
    let traceback = error.traceback.isEmpty ? nil : error.traceback
    if var known = error.cause as? TideError {
      known.location = known.location ?? location
      known.traceback = known.traceback ?? traceback
      self = known
      return
    }
    let code: Code =
      switch error.kind {
      case .syntax: .scriptSyntax
      case .memory: .scriptMemory
      case .time: .scriptTime
      case .depth: .scriptDepth
      case .interrupted: .interrupted
      case .unsupported: .interpreter
      case .runtime, .host, .closed: .scriptError
      }
    self.init(
      code, error.message, location: location, traceback: traceback, cause: error.cause ?? error)
  }
}

/// A turn that runs out of time says nothing about the function that was running, which may have
/// started just before.
extension LuaError: PassingFailure {
  package var isPassing: Bool { kind == .time || kind == .interrupted }
  package var keepsReads: Bool { isPassing || kind == .memory || kind == .depth }
}

extension LuaError: WeighedFailure {
  package var weight: Int {
    message.utf8.count + traceback.utf8.count + (value?.textCount ?? 0)
      + ((cause as? any WeighedFailure)?.weight ?? 0)
  }
}

extension TideError {
  /// An error that a script's function threw, of any type.
  package init(script error: any Error) {
    switch error {
    case let error as TideError: self = error
    case let error as LuaError: self.init(error)
    default: self.init(.scriptError, "\(error)", cause: error)
    }
  }
}

extension SourceLocation {
  init(_ location: LuaLocation) {
    self.init(file: location.chunk, line: location.line, column: location.column)
  }
}
