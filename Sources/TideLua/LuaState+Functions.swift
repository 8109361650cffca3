import CTideLua

extension LuaState {
  /// Makes a Lua function from a Swift function.
  ///
  /// An error thrown by the body becomes a Lua error whose message begins with the calling line.
  /// The host's call then throws it as `LuaError.cause`, even after a script has caught and
  /// rethrown it with `pcall` and `error`. The body may call into Lua itself. It should access the
  /// state as `call.state`: Lua retains the body, so a body that captures the state would create a
  /// retain cycle.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func function(
    named name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try function(named: name, hiding: 0, body)
  }

  /// Makes a function for a metamethod such as `__call`, whose first argument is not visible in the
  /// script.
  ///
  /// - Parameter hiddenCount: the number of leading arguments not counted in error messages.
  package func function(
    named name: String, hiding hiddenCount: Int,
    _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let box = Unmanaged.passRetained(
      FunctionBox(name, hiding: hiddenCount, body, in: self)
    ).toOpaque()
    let status = tide_function_make(raw, box, callSwift, &frame)
    guard case .function(let function) = try one(status, &frame) else { throw .closed }
    return function
  }

  /// Registers a Swift function as a global.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  public func register(
    _ name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) {
    try register(name, function(named: name, body))
  }

  /// Sets the error of a failing hook or function. Returns the status for it to return.
  package func fail(_ error: any Error) -> Int32 {
    var (message, hasLocation) = message(of: error)
    let thrown = Unmanaged.passRetained(ThrownError(error)).toOpaque()
    message.withUTF8 { text in
      tide_set_error(raw, thrown, text.cString, text.count, hasLocation)
    }
    return Int32(TIDE_FAILED)
  }

  /// An error's message for scripts, and whether it begins with a location.
  func message(of error: any Error) -> (text: String, hasLocation: Bool) {
    guard let error = error as? LuaError else { return (errorMessage(error), false) }
    return (error.description, error.location != nil)
  }

  /// Runs a hook's body and converts its outcome to a status.
  package func status(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return Int32(TIDE_OK)
    } catch {
      return fail(error)
    }
  }
}

/// A Swift function held by the interpreter.
final class FunctionBox {
  let name: String
  /// The number of leading arguments not written in the script.
  let hiddenCount: Int
  private let body: (borrowing LuaCall) throws -> Void
  // Unowned: the state holds the function, and must not be retained by it.
  private unowned(unsafe) let state: LuaState

  init(
    _ name: String, hiding hiddenCount: Int,
    _ body: @escaping (borrowing LuaCall) throws -> Void, in state: LuaState
  ) {
    self.name = name
    self.hiddenCount = hiddenCount
    self.body = body
    self.state = state
  }

  fileprivate func run(_ raw: UnsafeMutablePointer<TideCall>) -> Int32 {
    let call = LuaCall(raw, in: state, of: self)
    do {
      try body(call)
      if _slowPath(raw.pointee.calls) { return Int32(TIDE_CALLS) }
      return raw.pointee.suspends ? Int32(TIDE_SUSPENDED) : Int32(TIDE_OK)
    } catch {
      return state.fail(error)
    }
  }
}

private func callSwift(
  _ object: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<TideCall>
) -> Int32 {
  // The closure is on Lua's stack during the call, which retains the box.
  Unmanaged<FunctionBox>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.run(call) }
}

extension LuaState {
  /// Registers a function as a global, replacing an earlier registration.
  ///
  /// ```swift
  /// try state.register("half") { (n: Int) in n / 2 }
  /// ```
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, because scripts rely on it; to replace it
  ///   anyway, set it in `globals`. Also if memory is exhausted or the state is closed.
  public func register(_ name: String, _ function: LuaFunction) throws(LuaError) {
    try register(name, .function(function))
  }

  /// Registers a value as a global, with the same checks.
  func register(_ name: String, _ value: LuaValue) throws(LuaError) {
    if Self.ownNames.contains(name) {
      throw LuaError(
        .runtime, "'\(name)' is one of Lua's own names; register it under another one")
    }
    if Self.keywords.contains(name) {
      throw LuaError(.runtime, "'\(name)' is a word of the language; register it under another one")
    }
    if !Self.isName(name) {
      throw LuaError(
        .runtime,
        "invalid name '\(name)': a name has letters, digits and _, and does not begin with a digit")
    }
    try globals.rawSet(.string(name), value)
  }

  /// The name of one of the library's own chunks. Errors in it are reported at the script's calling
  /// line.
  package static func ownChunk(_ name: String) -> String { "=\u{1}" + name }

  /// Whether a text is a valid Lua name.
  package static func isName(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard let first = text.utf8.first, isLetter(first), !keywords.contains(text) else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }

  private static let ownNames: Set<String> = [
    "_G", "_VERSION", "assert", "collectgarbage", "coroutine", "debug", "dofile", "error",
    "getmetatable", "io", "ipairs", "load", "loadfile", "math", "next", "os", "package", "pairs",
    "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setmetatable",
    "string", "table", "tonumber", "tostring", "type", "utf8", "warn", "xpcall",
  ]

  /// The words of the language, which are no names.
  package static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
