import CTideLua

extension LuaState {
  /// Makes a Lua function of a Swift one.
  ///
  /// What the body throws becomes a Lua error whose text begins with the calling line. It comes out
  /// of the host's call as `LuaError.cause`, even after a script's `pcall` and `error`. The body
  /// may call into Lua itself. It should reach the state as `call.state`: Lua keeps the body, so a
  /// body that keeps the state would keep both for ever.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func function(
    named name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try function(named: name, hiding: 0, body)
  }

  /// The same for a metamethod such as `__call`, of whose arguments a script does not see the
  /// first.
  ///
  /// - Parameter hiddenCount: how many arguments are not counted in the errors of arguments.
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

  /// Gives scripts a Swift function under a global name.
  ///
  /// - Throws: `LuaError` for one of Lua's own names, for exhausted memory, or for a closed state.
  public func register(
    _ name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) {
    try register(name, function(named: name, body))
  }

  /// Makes a hook or function fail with an error; gives the status to return.
  package func fail(_ error: any Error) -> Int32 {
    var (message, hasLocation) = message(of: error)
    let thrown = Unmanaged.passRetained(ThrownError(error)).toOpaque()
    message.withUTF8 { text in
      tide_set_error(raw, thrown, text.cString, text.count, hasLocation)
    }
    return Int32(TIDE_FAILED)
  }

  /// What scripts see of an error, and whether it begins with a location.
  func message(of error: any Error) -> (text: String, hasLocation: Bool) {
    guard let error = error as? LuaError else { return (errorMessage(error), false) }
    return (error.description, error.location != nil)
  }

  /// Runs a hook's body, turning what it throws into a status.
  package func status(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return Int32(TIDE_OK)
    } catch {
      return fail(error)
    }
  }
}

/// A Swift function as the interpreter holds it.
final class FunctionBox {
  let name: String
  /// How many of the first arguments no script has written.
  let hiddenCount: Int
  private let body: (borrowing LuaCall) throws -> Void
  // The function lives in the state, which therefore must not be kept alive by it.
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
  // The closure lies on Lua's stack during the call, which keeps the box alive.
  Unmanaged<FunctionBox>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.run(call) }
}

extension LuaState {
  /// Gives scripts a function under a global name; what was registered under it before is replaced.
  ///
  /// ```swift
  /// try state.register("half") { (n: Int) in n / 2 }
  /// ```
  ///
  /// - Throws: `LuaError` for a name of Lua's own, which scripts must be able to rely on: to
  ///   replace one all the same, set it among the `globals`. Also for exhausted memory or a closed
  ///   state.
  public func register(_ name: String, _ function: LuaFunction) throws(LuaError) {
    try register(name, .function(function))
  }

  /// The same for any value.
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

  /// The name of a chunk of the library's own: messages tell where a script called it, and not where
  /// in it they came about.
  package static func ownChunk(_ name: String) -> String { "=\u{1}" + name }

  /// Whether a script can write a text as a name.
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

  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
