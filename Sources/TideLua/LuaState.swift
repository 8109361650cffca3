import CTideLua
import CTideLuaLibrary
import TideValues

/// A Lua interpreter in a sandbox.
///
/// ```swift
/// let state = try LuaState()
/// let double = try state.run("return function(n) return 2 * n end", name: "=double")[0]
/// try double.function?(21)   // 42
/// ```
///
/// Only one thread may use a state at a time. Whatever a script does (raising errors, exhausting
/// memory, looping endlessly) is reported as a `LuaError`, and the state stays usable.
public final class LuaState {
  package let raw: OpaquePointer
  let pool: ReferencePool
  /// The object that runs scripts in this state, for values that need it.
  package unowned(unsafe) var client: AnyObject?
  /// The host that lets scripts wait; nil if `LuaThread.run` does so.
  package unowned(unsafe) var taskHost: (any LuaTaskHost)?
  /// Converts one of the client's objects to a Lua value that retains it.
  package var lowerObject: ((AnyObject) throws -> LuaValue)?

  /// Receives the lines that scripts print, repaired if they are not UTF-8.
  public var onPrint: (String) -> Void = { print($0) }
  /// Receives printed lines as raw bytes, instead of `onPrint`. The bytes are valid during the
  /// call.
  public var onPrintBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Receives warnings from `warn`, with the pieces of a call joined, and errors of finalizers.
  ///
  /// Warnings are on until a script calls `warn("@off")`, and on again after `warn("@on")`. Other
  /// single-piece messages that begin with `@` are unknown control messages and are ignored. The
  /// handler may be called during an operation of the interpreter, so it should only record the
  /// message.
  public var onWarning: (String) -> Void = { print($0) }
  /// Called with a function's name when a task calls a function that blocks everything else.
  package var onBlocking: (String) -> Void = { _ in }
  /// The message of a Swift error for scripts.
  package var errorMessage: (any Error) -> String = { "\($0)" }

  /// Owns the byte counter of another allocator.
  private var lender: AnyObject?
  /// The current limits.
  private(set) var limits: (turn: Duration?, memory: Int)
  /// The registered types by class.
  var userTypes: [ObjectIdentifier: LuaInstalledType] = [:]
  /// A function that reads a member of any object; created on demand.
  var memberReader: LuaFunction?
  /// A function that assigns to a member of any object; created on demand.
  var memberWriter: LuaFunction?

  /// Whether the resumer of the running coroutine handles asynchronous functions.
  var canAwait = false
  /// The asynchronous call for which the coroutine waits, until its driver takes it.
  var pendingCall: PendingCall?
  /// The reason why the interpreter was closed after a failure; reported to all later callers.
  var ending: LuaError?
  /// The placeholders of lent objects, by object; each removes its own entry when it is released.
  var lentObjects: [ObjectIdentifier: Unmanaged<LentObject>] = [:]
  private var warning = WarningAssembly()
  /// Functions to call at the end of the current turn.
  private var endOfTurn: [() -> Void] = []

  /// Opens a sandboxed interpreter.
  ///
  /// - Throws: `LuaError` of kind `memory`, also for a negative memory limit, or `unsupported` if
  ///   the Lua library is too old.
  public init(_ configuration: LuaConfiguration = LuaConfiguration()) throws(LuaError) {
    if let problem = LuaInterpreter.problem { throw LuaError(.unsupported, problem) }
    try configuration.checkMemory()
    // Lets long-running work of the engine check the turn's limits; the functions are shared by all
    // states.
    tide_turn_bounds_work()
    var host = TideHost(
      owner: nil, release: releaseObject, print: forwardPrint, warn: forwardWarn,
      block: forwardBlocking)
    let owner = OwnerBox()
    host.owner = Unmanaged.passRetained(owner).toOpaque()
    var settings = configuration.forC
    guard let raw = tide_state_open(&settings, &host, tide_library(configuration.hasJSON)) else {
      Unmanaged.passUnretained(owner).release()
      throw .memory
    }
    self.raw = raw
    limits = (configuration.turn, configuration.memory)
    pool = ReferencePool(raw)
    pool.state = self
    owner.state = self
    try allow(configuration.access)
  }

  deinit {
    precondition(!tide_state_is_running(raw), "a LuaState was released by what it ran")
    pool.state = nil
    tide_state_close(raw)
    tide_memory_count(raw, nil)
    if let owner = tide_state_owner(raw) { Unmanaged<OwnerBox>.fromOpaque(owner).release() }
    tide_state_release(raw)
  }

  /// Closes the interpreter and releases everything it holds; later uses of references and calls
  /// throw `closed`. If called from within a Lua call, closing is deferred until the outermost call
  /// has ended.
  public func close() { tide_state_close(raw) }

  /// Whether a call into Lua is in progress.
  package var isRunning: Bool { tide_state_is_running(raw) }

  /// Whether the state has not been closed.
  public var isOpen: Bool { tide_state_is_open(raw) }

  /// The table of globals.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public var globals: LuaTable {
    get throws(LuaError) {
      var frame = TideFrame()
      guard case .table(let table) = try one(tide_globals(raw, &frame), &frame) else {
        throw .closed
      }
      return table
    }
  }

  /// Compiles a chunk. Its name begins with `@` for a file and `=` otherwise.
  ///
  /// - Throws: `LuaError` of kind `syntax` with the line, `memory` or `closed`.
  public func load(
    _ source: String, name: String, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    try load(source, name: name, firstLine: 1, environment: environment)
  }

  /// Compiles a part of a longer text, with its original line numbers.
  package func load(
    _ source: String, name: String, firstLine: Int, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    var source = source
    var frame = TideFrame()
    let environment = try id(of: environment)
    let linesBefore = UInt32(clamping: firstLine - 1)
    let status = source.withUTF8 { text in
      tide_load(raw, text.cString, text.count, name, environment, linesBefore, &frame)
    }
    guard case .function(let function) = try one(status, &frame) else { throw .closed }
    return function
  }

  /// Compiles source text that may not be UTF-8.
  package func load(
    _ source: [UInt8], name: String, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let environment = try id(of: environment)
    let status = source.withUnsafeBufferPointer { text in
      tide_load(raw, text.cString, text.count, name, environment, 0, &frame)
    }
    guard case .function(let function) = try one(status, &frame) else { throw .closed }
    return function
  }

  /// Compiles and runs a chunk.
  ///
  /// - Throws: `LuaError` as `load` does, and for errors raised by the chunk.
  @discardableResult
  public func run(
    _ source: String, name: String, environment: LuaTable? = nil
  ) throws(LuaError) -> [LuaValue] {
    try load(source, name: name, environment: environment).call([])
  }

  /// Treats all calls in `body` as one turn of the time budget.
  ///
  /// - Throws: errors of `body`.
  public func turn<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isBegun = tide_turn_begin(raw)
    defer {
      if isBegun {
        tide_turn_end(raw)
        if !endOfTurn.isEmpty { doAtEndOfTurn() }
      }
    }
    return try body()
  }

  /// Calls a function at the end of the current turn, before anything else runs.
  package func atEndOfTurn(_ body: @escaping () -> Void) { endOfTurn.append(body) }

  private func doAtEndOfTurn() {
    var bodies: [() -> Void] = []
    swap(&bodies, &endOfTurn)
    for body in bodies { body() }
  }

  /// Does work of the host whose time the turns on this thread do not pay for.
  package static func outsideOfTurns<Result>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    defer { tide_turn_extend((ContinuousClock.now - start).clampedNanoseconds) }
    return body()
  }

  /// Whether the current turn has been stopped and runs no more code.
  package var isTurnOver: Bool { tide_turn_is_over(raw) }

  /// Stops the running script within some milliseconds; usable from any thread.
  public var interrupter: LuaInterrupter { LuaInterrupter(pool: pool) }

  /// The result of `tostring` for a value.
  ///
  /// - Throws: `LuaError` for an error raised by `__tostring`, or for a closed state.
  public func describe(_ value: LuaValue) throws(LuaError) -> String {
    var frame = TideFrame()
    let status = try withArguments([value]) { values, _ in
      guard let values else { return Int32(TIDE_FAILED) }
      return tide_describe(raw, values, &frame)
    }
    return try one(status, &frame).string ?? ""
  }

  /// The currently running line of Lua, for use in functions called by Lua.
  public var location: LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_state_location(raw, &line), line)
  }

  /// Reports the lines of writes to the graph of `setObjectHooks`, if the interpreter supports it.
  package func keepLocations() { _ = tide_locations_keep(raw) }

  /// The line with an identifier from the graph's history.
  package func location(forID id: UInt32) -> LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_location(raw, id, &line), line)
  }
}

extension LuaState {
  fileprivate func warn(_ piece: UnsafeRawBufferPointer, _ continues: Bool) {
    if let message = warning.add(piece, continues: continues) { onWarning(message) }
  }

  /// The memory held by the interpreter, in bytes.
  public var memoryUsed: Int { Int(clamping: tide_memory_used(raw)) }

  /// The address of the total number of bytes allocated by the interpreter so far.
  package var grantedBytes: UnsafePointer<UInt64> { tide_memory_granted(raw) }

  /// The memory held by the interpreter and by the host for its scripts, in bytes.
  package var memoryHeld: Int { Int(clamping: tide_memory_held(raw)) }

  /// Charges bytes that the host is about to hold for a script. Releases need not be reported: the
  /// hook `measure` periodically reports the total.
  package func charge(_ bytes: Int) throws(LuaError) {
    if _slowPath(!tide_memory_charge(raw, UInt64(clamping: bytes))) { throw .memory }
  }

  /// Charges bytes in the middle of a change, where nothing may be released.
  package func note(_ bytes: Int) throws(LuaError) {
    if _slowPath(!tide_memory_note(raw, UInt64(clamping: bytes))) { throw .memory }
  }

  /// Charges bytes without failing; the next charge fails instead if the limit is exceeded.
  package func owe(_ bytes: Int) { tide_memory_owe(raw, UInt64(clamping: bytes)) }

  /// Bytes that count towards the limit, excluding those of `follow`.
  package var memorySettled: Int { Int(clamping: tide_memory_settled(raw)) }

  /// The current limit; 0 for none.
  package var memoryLimit: Int { limits.memory }

  /// Counts bytes in flight towards the limit; their number is read from an address. Nil ends this.
  package func follow(inFlight counter: UnsafeRawPointer?) { tide_memory_follow(raw, counter) }

  /// Whether a number of bytes fits within the limit.
  package func fits(_ bytes: Int) -> Bool { tide_memory_fits(raw, UInt64(clamping: bytes)) }

  /// Counts bytes that another allocator holds for this state's scripts. The counter's owner is
  /// retained by the state.
  package func count(_ bytes: UnsafePointer<UInt64>, of owner: AnyObject) {
    lender = owner
    tide_memory_count(raw, bytes)
  }

  /// The current time limit of a turn; nil for none.
  package var turnLimit: Duration? { limits.turn }

  /// The number of further bytes that the host may hold for scripts.
  package var memoryRoom: Int { Int(clamping: tide_memory_room(raw)) }

  /// The maximum memory that the interpreter has held, in bytes.
  public var memoryPeak: Int { Int(clamping: tide_memory_peak(raw)) }

  /// Runs a full garbage collection.
  public func collectGarbage() { tide_memory_collect(raw) }

  /// Sets the memory limit in bytes; 0 for none.
  public func setMemoryLimit(_ bytes: Int) {
    // A negative limit becomes 1 byte, because 0 means no limit.
    limits.memory = bytes < 0 ? 1 : bytes
    tide_memory_set_limit(raw, UInt64(limits.memory))
  }

  /// Sets the time limit of a turn; nil for none.
  public func setTurnLimit(_ limit: Duration?) {
    limits.turn = limit
    tide_turn_set_limit(raw, limit?.clampedNanoseconds ?? 0)
  }
}

/// Interrupts a state's running script from any thread. It does not retain the state.
///
/// ```swift
/// let interrupter = state.interrupter
/// Task.detached { interrupter.interrupt() }
/// ```
public struct LuaInterrupter: @unchecked Sendable {
  // Unchecked, because it only sets an atomic flag of the shim's state, which the pool retains.

  private let pool: ReferencePool
  init(pool: ReferencePool) { self.pool = pool }
  /// Interrupts the current turn; does nothing without one.
  public func interrupt() { tide_turn_interrupt(pool.raw) }
}

extension LuaLocation {
  init?(_ source: UnsafePointer<CChar>?, _ line: Int32) {
    guard let source, line > 0 else { return nil }
    let name = String(cString: source)
    let isMarked = name.hasPrefix("@") || name.hasPrefix("=")
    self.init(chunk: isMarked ? String(name.dropFirst()) : name, line: Int(line))
  }
}

/// Joins the pieces of warnings, and handles control messages.
struct WarningAssembly {
  private var pieces: [UInt8] = []
  private var isContinued = false
  private var isOn = true

  /// The complete message, if this piece ends one.
  mutating func add(_ piece: UnsafeRawBufferPointer, continues: Bool) -> String? {
    if !isContinued && !continues && piece.first == UInt8(ascii: "@") {
      if piece.elementsEqual("@on".utf8) { isOn = true }
      if piece.elementsEqual("@off".utf8) { isOn = false }
      return nil
    }
    isContinued = continues
    if isOn { pieces.append(contentsOf: piece) }
    guard !continues else { return nil }
    defer { pieces = [] }
    return isOn ? pieces.withUnsafeBytes { .repairedMessage($0) } : nil
  }
}

/// The shim's reference to a state; needed because the state does not exist yet when the shim opens
/// it.
final class OwnerBox {
  unowned(unsafe) var state: LuaState?

  static func state(_ owner: UnsafeMutableRawPointer?) -> LuaState? {
    owner.flatMap { Unmanaged<OwnerBox>.fromOpaque($0).takeUnretainedValue().state }
  }
}

// Functions instead of closures in the initializer, so that they are nonisolated.

private func releaseObject(_ object: UnsafeMutableRawPointer) {
  Unmanaged<AnyObject>.fromOpaque(object).release()
}

private func forwardPrint(
  _ owner: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>, _ count: Int
) {
  let line = UnsafeRawBufferPointer(start: bytes, count: count)
  guard let state = OwnerBox.state(owner) else { return }
  if let body = state.onPrintBytes { return body(line) }
  state.onPrint(.repaired(line))
}

private func forwardBlocking(
  _ owner: UnsafeMutableRawPointer?, _ function: UnsafePointer<CChar>
) {
  OwnerBox.state(owner)?.onBlocking(String(cString: function))
}

private func forwardWarn(
  _ owner: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>, _ count: Int, _ continues: Bool
) {
  OwnerBox.state(owner)?.warn(UnsafeRawBufferPointer(start: bytes, count: count), continues)
}
