package import CTideLua
import TideValues

/// The error of Lua code that could not be loaded or did not finish.
///
/// ```swift
/// do { try state.run("error('no fruit')", name: "@basket.lua") } catch {
///   print(error)            // basket.lua:1: no fruit
///   print(error.traceback)  // stack traceback: …
/// }
/// ```
public struct LuaError: Error {
  /// The cause of the failure.
  ///
  /// ```swift
  /// do { try state.run(script, name: "=script") } catch where error.kind == .time {
  ///   print("too slow")
  /// }
  /// ```
  public enum Kind: Sendable {
    /// The source does not parse.
    case syntax
    /// The script raised an error.
    case runtime
    /// The memory limit is exceeded.
    case memory
    /// The time limit of the turn is exceeded.
    case time
    /// The call stack is too deep.
    case depth
    /// The host has interrupted the script.
    case interrupted
    /// A Swift function threw `cause`.
    case host
    /// The state is closed.
    case closed
    /// The release of the Lua library is not supported.
    case unsupported
  }

  private let storage: Storage

  /// The cause of the failure.
  public var kind: Kind { storage.kind }
  /// The error message without a location.
  public var message: String { storage.message }
  /// The line that raised the error, or to which it was assigned.
  public var location: LuaLocation? { storage.location }
  /// The stack traceback, innermost call first; empty for syntax and memory errors.
  public var traceback: String { storage.traceback }
  /// The error thrown by a Swift function.
  public var cause: (any Error)? { storage.cause }
  /// The raised value if it is not a string. Use it on the state's thread only.
  public var value: LuaValue? { storage.value }

  /// Creates an error of the host. If a Swift function throws it without a location, it gets the
  /// calling line's.
  public init(
    _ kind: Kind, _ message: String, at location: LuaLocation? = nil, traceback: String = "",
    cause: (any Error)? = nil, value: LuaValue? = nil
  ) {
    storage = Storage(
      kind: kind, message: message, location: location, traceback: traceback, cause: cause,
      value: value)
  }

  static var closed: LuaError { LuaError(.closed, "the Lua state is closed") }
  /// The error for a state that was abandoned, with the reason and its location.
  static func closed(because ending: LuaError) -> LuaError {
    LuaError(
      .closed, ending.message, at: ending.location, traceback: ending.traceback, cause: ending)
  }
  static var memory: LuaError { LuaError(.memory, "not enough memory") }
}

extension LuaError: CustomStringConvertible {
  /// `basket.lua:1: no fruit`: the location, if known, and the message.
  public var description: String { location.map { "\($0): \(message)" } ?? message }
}

/// A line of a chunk.
///
/// ```swift
/// LuaLocation(chunk: "basket.lua", line: 3).description   // "basket.lua:3"
/// ```
public struct LuaLocation: Hashable, Sendable, CustomStringConvertible {
  /// The chunk's name without its prefix character: the path, if it was loaded from a file.
  public var chunk: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1; known only for some syntax errors.
  public var column: Int?

  /// Makes a location.
  public init(chunk: String, line: Int, column: Int? = nil) {
    self.chunk = chunk
    self.line = line
    self.column = column
  }

  /// `basket.lua:1`, and `basket.lua:1:5` where the column is known.
  public var description: String {
    column.map { "\(chunk):\(line):\($0)" } ?? "\(chunk):\(line)"
  }
}

extension LuaError {
  // Unchecked, because errors must be sendable. `value` may be a reference into the state: any
  // thread may release it, but only the state's thread may use it.
  private final class Storage: @unchecked Sendable {
    let kind: Kind
    let message: String
    let location: LuaLocation?
    let traceback: String
    let cause: (any Error)?
    let value: LuaValue?

    init(
      kind: Kind, message: String, location: LuaLocation?, traceback: String,
      cause: (any Error)?, value: LuaValue?
    ) {
      self.kind = kind
      self.message = message
      self.location = location
      self.traceback = traceback
      self.cause = cause
      self.value = value
    }
  }
}

/// A thrown Swift error while it passes through Lua.
final class ThrownError {
  let error: any Error
  init(_ error: any Error) { self.error = error }
}

extension LuaState {
  /// Creates the error of a failed call, and ends its frame.
  package func error(ending frame: inout TideFrame) -> LuaError {
    defer { tide_frame_end(raw, &frame) }
    var fault = TideFault()
    tide_frame_fault(raw, &frame, &fault)
    let cause = fault.cause.map {
      Unmanaged<ThrownError>.fromOpaque($0).takeUnretainedValue().error
    }
    if let inner = cause as? LuaError {
      // An error of a nested call is unchanged, because its location and traceback are more
      // precise. One created by a Swift function has no location yet.
      if inner.location != nil { return inner }
      return LuaError(
        inner.kind, inner.message, at: location(of: fault),
        traceback: text(fault.traceback, fault.tracebackCount), cause: inner.cause,
        value: inner.value)
    }
    let error = LuaError(
      LuaError.Kind(fault.kind), text(fault.message, fault.messageCount),
      at: location(of: fault), traceback: text(fault.traceback, fault.tracebackCount),
      cause: cause, value: fault.value.tag == TIDE_LUA_NIL ? Optional.none : take(fault.value))
    if error.kind == .closed, let ending { return .closed(because: ending) }
    if ending == nil, tide_state_is_given_up(raw) { ending = error }
    return error
  }

  private func location(of fault: TideFault) -> LuaLocation? {
    guard fault.line > 0 else { return nil }
    return LuaLocation(
      chunk: text(fault.source, fault.sourceCount), line: Int(fault.line),
      column: fault.column > 0 ? Int(fault.column) : nil)
  }

  private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    .repairedMessage(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

extension LuaError.Kind {
  init(_ kind: Int32) {
    switch Int(kind) {
    case TIDE_FAULT_SYNTAX: self = .syntax
    case TIDE_FAULT_MEMORY: self = .memory
    case TIDE_FAULT_TIME: self = .time
    case TIDE_FAULT_DEPTH: self = .depth
    case TIDE_FAULT_INTERRUPTED: self = .interrupted
    case TIDE_FAULT_HOST: self = .host
    case TIDE_FAULT_CLOSED: self = .closed
    default: self = .runtime
    }
  }
}
