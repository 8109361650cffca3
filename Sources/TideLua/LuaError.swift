package import CTideLua
import TideValues

/// Why Lua code could not be loaded or did not finish.
///
/// ```swift
/// do { try state.run("error('no fruit')", name: "@basket.lua") } catch {
///   print(error)            // basket.lua:1: no fruit
///   print(error.traceback)  // stack traceback: …
/// }
/// ```
public struct LuaError: Error {
  /// What stopped the script.
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
    /// The budget of memory is used up.
    case memory
    /// The turn has lasted too long.
    case time
    /// Calls nest too deep.
    case depth
    /// The host has stopped the script.
    case interrupted
    /// A Swift function threw `cause`.
    case host
    /// The state is closed.
    case closed
    /// The release of the Lua library is not supported.
    case unsupported
  }

  private let storage: Storage

  /// What stopped the script.
  public var kind: Kind { storage.kind }
  /// What happened, without the location.
  public var message: String { storage.message }
  /// Where: the line that raised it, or the one that it was raised for.
  public var location: LuaLocation? { storage.location }
  /// The Lua functions that ran, innermost first; empty for syntax and memory errors.
  public var traceback: String { storage.traceback }
  /// What a Swift function threw.
  public var cause: (any Error)? { storage.cause }
  /// What the script raised, where it is not text. Use it on the state's thread only.
  public var value: LuaValue? { storage.value }

  /// Makes an error of the host's. Thrown by a Swift function without a location, it gets that of
  /// the line that called.
  public init(
    _ kind: Kind, _ message: String, at location: LuaLocation? = nil, traceback: String = "",
    cause: (any Error)? = nil, value: LuaValue? = nil
  ) {
    storage = Storage(
      kind: kind, message: message, location: location, traceback: traceback, cause: cause,
      value: value)
  }

  static var closed: LuaError { LuaError(.closed, "the Lua state is closed") }
  /// The same of a state that was given up, with what was the matter, and where.
  static func closed(because ending: LuaError) -> LuaError {
    LuaError(
      .closed, ending.message, at: ending.location, traceback: ending.traceback, cause: ending)
  }
  static var memory: LuaError { LuaError(.memory, "not enough memory") }
}

extension LuaError: CustomStringConvertible {
  /// `basket.lua:1: no fruit`: the location, where it is known, and the message.
  public var description: String { location.map { "\($0): \(message)" } ?? message }
}

/// A line of a chunk.
///
/// ```swift
/// LuaLocation(chunk: "basket.lua", line: 3).description   // "basket.lua:3"
/// ```
public struct LuaLocation: Hashable, Sendable, CustomStringConvertible {
  /// The chunk's name without its mark: the file's path where it came from a file.
  public var chunk: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1; known for some syntax errors alone.
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
  // thread may drop it, but only the state's may use it, as its documentation says.
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

/// A thrown Swift error on its way through Lua.
final class ThrownError {
  let error: any Error
  init(_ error: any Error) { self.error = error }
}

extension LuaState {
  /// The error of a failed call; ends the frame.
  package func error(ending frame: inout TideFrame) -> LuaError {
    defer { tide_frame_end(raw, &frame) }
    var fault = TideFault()
    tide_frame_fault(raw, &frame, &fault)
    let cause = fault.cause.map {
      Unmanaged<ThrownError>.fromOpaque($0).takeUnretainedValue().error
    }
    if let inner = cause as? LuaError {
      // An error of an inner call passes through unchanged: its location and traceback say more.
      // One that a Swift function made has none yet.
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
