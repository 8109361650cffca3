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
/// One thread uses a state at a time. Whatever a script does (raising, exhausting memory, running
/// for ever) comes back as a `LuaError`, and the state stays usable.
public final class LuaState {
  package let raw: OpaquePointer
  let pool: ReferencePool
  /// What runs scripts in this state, for values that need to know it.
  package unowned(unsafe) var client: AnyObject?
  /// The host by whose means scripts wait; nil where `LuaThread.run` does that.
  package unowned(unsafe) var taskHost: (any LuaTaskHost)?
  /// Gives scripts an object of the client's, which lives as long as they hold it.
  package var lowerObject: ((AnyObject) throws -> LuaValue)?

  /// Gets what scripts print, a line at a time, repaired where it is not UTF-8.
  public var onPrint: (String) -> Void = { print($0) }
  /// Gets the bytes of what scripts print as they are, in place of `onPrint`. They are good until
  /// it returns.
  public var onPrintBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Gets what scripts warn of with `warn`, all pieces of a call joined, and errors of finalizers.
  ///
  /// Warnings are on until a script says `warn("@off")`, and on again after `warn("@on")`; other
  /// messages of one piece that begin with `@` are for controls that do not exist, and ignored.
  /// It may be called in the midst of Lua's work, so it should take note and return.
  public var onWarning: (String) -> Void = { print($0) }
  /// Is told that a task calls a function that lets everything else stand still, by the function's
  /// name.
  package var onBlocking: (String) -> Void = { _ in }
  /// The message under which scripts see an error that a Swift function threw.
  package var errorMessage: (any Error) -> String = { "\($0)" }

  /// Owns the counter of another allocator's bytes.
  private var lender: AnyObject?
  /// What turns may take at present.
  private(set) var limits: (turn: Duration?, memory: Int)
  /// What scripts see of objects of registered classes.
  var userTypes: [ObjectIdentifier: LuaInstalledType] = [:]
  /// Reads a member of any object, once one has been asked for.
  var memberReader: LuaFunction?
  /// Assigns to one, likewise.
  var memberWriter: LuaFunction?

  /// Whether whoever resumed the running coroutine waits for asynchronous functions.
  var canAwait = false
  /// The asynchronous call that the coroutine waits for, until its driver takes it.
  var pendingCall: PendingCall?
  /// Why the interpreter was given up, told to all who call it afterwards.
  var ending: LuaError?
  /// What stands for objects that are lent, by the object; each takes itself out at its end.
  var lentObjects: [ObjectIdentifier: Unmanaged<LentObject>] = [:]
  private var warning = WarningAssembly()
  /// Functions to call at the end of the running turn.
  private var endOfTurn: [() -> Void] = []

  /// Opens an interpreter with its sandbox.
  ///
  /// - Throws: `LuaError` of kind `memory`, also for an amount of memory below 0, or `unsupported`
  ///   where the library is too old.
  public init(_ configuration: LuaConfiguration = LuaConfiguration()) throws(LuaError) {
    if let problem = LuaInterpreter.problem { throw LuaError(.unsupported, problem) }
    try configuration.checkMemory()
    // Lets long work of the engine ask about the running turn; the same functions serve all states.
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

  /// Ends the interpreter and releases what it held; references and calls then throw `closed`.
  /// Called by a function that Lua runs, it waits until the outermost call has ended.
  public func close() { tide_state_close(raw) }

  /// Whether a call of its is under way.
  package var isRunning: Bool { tide_state_is_running(raw) }

  /// Whether it has not been closed.
  public var isOpen: Bool { tide_state_is_open(raw) }

  /// The table that scripts see their globals in.
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

  /// Compiles text. The chunk's name begins with `@` for a file and `=` for anything else.
  ///
  /// - Throws: `LuaError` of kind `syntax` with the line, `memory` or `closed`.
  public func load(
    _ source: String, name: String, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    try load(source, name: name, firstLine: 1, environment: environment)
  }

  /// Compiles a part of a longer text, whose lines keep their numbers.
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

  /// Compiles text that need not be UTF-8.
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

  /// Compiles and runs text.
  ///
  /// - Throws: `LuaError` as `load` does, and for what the text raises.
  @discardableResult
  public func run(
    _ source: String, name: String, environment: LuaTable? = nil
  ) throws(LuaError) -> [LuaValue] {
    try load(source, name: name, environment: environment).call([])
  }

  /// Counts all calls in `body` as one turn of the time budget.
  ///
  /// - Throws: what `body` throws.
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

  /// Calls a function when the running turn ends, before anything else runs.
  package func atEndOfTurn(_ body: @escaping () -> Void) { endOfTurn.append(body) }

  private func doAtEndOfTurn() {
    var bodies: [() -> Void] = []
    swap(&bodies, &endOfTurn)
    for body in bodies { body() }
  }

  /// Whether the running turn was stopped; nothing more will run in it.
  package var isTurnOver: Bool { tide_turn_is_over(raw) }

  /// Stops the script that runs now within some milliseconds; any thread may call it.
  public var interrupter: LuaInterrupter { LuaInterrupter(pool: pool) }

  /// The text of a value as `tostring` gives it.
  ///
  /// - Throws: `LuaError` for what `__tostring` raises, or for a closed state.
  public func describe(_ value: LuaValue) throws(LuaError) -> String {
    var frame = TideFrame()
    let status = try withArguments([value]) { values, _ in
      guard let values else { return Int32(TIDE_FAILED) }
      return tide_describe(raw, values, &frame)
    }
    return try one(status, &frame).string ?? ""
  }

  /// The line of Lua that runs now, seen from a function that it called.
  public var location: LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_state_location(raw, &line), line)
  }

  /// Lets the graph of `setObjectHooks` know which lines write, where the interpreter allows it.
  package func keepLocations() { _ = tide_locations_keep(raw) }

  /// The line that a number in the graph's history stands for.
  package func location(forID id: UInt32) -> LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_location(raw, id, &line), line)
  }
}

extension LuaState {
  fileprivate func warn(_ piece: UnsafeRawBufferPointer, _ continues: Bool) {
    if let message = warning.add(piece, continues: continues) { onWarning(message) }
  }

  /// Bytes that the interpreter holds.
  public var memoryUsed: Int { Int(clamping: tide_memory_used(raw)) }

  /// Where the bytes are counted that the interpreter has been given so far.
  package var grantedBytes: UnsafePointer<UInt64> { tide_memory_granted(raw) }

  /// Bytes that the interpreter holds, and what the host holds for its scripts.
  package var memoryHeld: Int { Int(clamping: tide_memory_held(raw)) }

  /// Notes that a script is about to make the host hold so many bytes more. Their end need not be
  /// noted: the hook `measure` tells now and then what is held in all.
  package func charge(_ bytes: Int) throws(LuaError) {
    if _slowPath(!tide_memory_charge(raw, UInt64(clamping: bytes))) { throw .memory }
  }

  /// The same in the middle of a change, where nothing may be let go of.
  package func note(_ bytes: Int) throws(LuaError) {
    if _slowPath(!tide_memory_note(raw, UInt64(clamping: bytes))) { throw .memory }
  }

  /// Notes what is held from now on, without a refusal: that comes at the next charge.
  package func owe(_ bytes: Int) { tide_memory_owe(raw, UInt64(clamping: bytes)) }

  /// Bytes that count towards the limit, but for those of `follow`.
  package var memorySettled: Int { Int(clamping: tide_memory_settled(raw)) }

  /// The limit that holds now; 0 for none.
  package var memoryLimit: Int { limits.memory }

  /// Counts bytes in flight, whose number is at an address, towards the limit; nil ends that.
  package func follow(inFlight counter: UnsafeRawPointer?) { tide_memory_follow(raw, counter) }

  /// Whether the limit leaves room for so many bytes.
  package func fits(_ bytes: Int) -> Bool { tide_memory_fits(raw, UInt64(clamping: bytes)) }

  /// Has the bytes count that another allocator holds for this state's scripts. The counter's owner
  /// lives as long as the state.
  package func count(_ bytes: UnsafePointer<UInt64>, of owner: AnyObject) {
    lender = owner
    tide_memory_count(raw, bytes)
  }

  /// How long one turn may take now; nil for no limit.
  package var turnLimit: Duration? { limits.turn }

  /// How many bytes more the host may hold for scripts now.
  package var memoryRoom: Int { Int(clamping: tide_memory_room(raw)) }

  /// The most bytes that the interpreter has held at once.
  public var memoryPeak: Int { Int(clamping: tide_memory_peak(raw)) }

  /// Collects all garbage.
  public func collectGarbage() { tide_memory_collect(raw) }

  /// Changes how many bytes the interpreter may hold; 0 for no limit.
  public func setMemoryLimit(_ bytes: Int) {
    // Less than nothing is next to nothing, and not what stands for no limit.
    limits.memory = bytes < 0 ? 1 : bytes
    tide_memory_set_limit(raw, UInt64(limits.memory))
  }

  /// Changes how long one turn may take; nil for no limit.
  public func setTurnLimit(_ limit: Duration?) {
    limits.turn = limit
    tide_turn_set_limit(raw, limit?.clampedNanoseconds ?? 0)
  }
}

/// Stops what a state runs, from any thread. It does not keep the state alive.
///
/// ```swift
/// let interrupter = state.interrupter
/// Task.detached { interrupter.interrupt() }
/// ```
public struct LuaInterrupter: @unchecked Sendable {
  // Unchecked, because it only sets an atomic flag of the shim's state, which the pool keeps alive.

  private let pool: ReferencePool
  init(pool: ReferencePool) { self.pool = pool }
  /// Stops the turn that runs now; without one it does nothing.
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

/// Joins the pieces of warnings and obeys the control messages among them.
struct WarningAssembly {
  private var pieces: [UInt8] = []
  private var isContinued = false
  private var isOn = true

  /// The message that ends with this piece, if any.
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

/// What the shim holds for a state, because the state itself is not there yet when it is opened.
final class OwnerBox {
  unowned(unsafe) var state: LuaState?

  static func state(_ owner: UnsafeMutableRawPointer?) -> LuaState? {
    owner.flatMap { Unmanaged<OwnerBox>.fromOpaque($0).takeUnretainedValue().state }
  }
}

// Functions rather than closures in the initialiser, so that they belong to no isolation.

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
