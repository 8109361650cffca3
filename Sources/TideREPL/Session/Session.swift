public import TideBindings
import TideGraph
import TideLua
public import TideScript

/// An interactive session in a runtime: evaluates texts, shows their values, and retains variables.
///
/// ```swift
/// let session = try Session(runtime)
/// session.run("local x = models.fruit.name")
/// session.run("#x")                            // .values(["5"])
/// ```
///
/// A runtime can have several sessions. Each has its own variables and results: `_` is the last
/// value, and `_1`, `_2` … are numbered in order of evaluation. The entries that a session's
/// scripts make belong to the session's own context, which survives a reload of the app and ends
/// with the session.
public final class Session {
  /// The runtime that evaluates the texts.
  public let runtime: Runtime
  /// Owns the bindings, observers and tasks that the session's scripts make.
  let context: BindingContext
  let environment: LuaTable
  private let variables: LuaTable
  private let declared: LuaTable
  /// The number of texts entered so far.
  private var textCount = 0
  /// The name of the running text's chunks.
  private(set) var chunkName = "=repl"
  /// The start of the running part, for errors without a location of their own.
  private var location = SourceLocation(file: "repl", line: 1)
  private var resultCount = 0
  /// The numbers of the last chunk's results: `3..<4` for a result that is available as `_3`.
  package private(set) var results = 0..<0
  /// The source texts of chunks, by chunk name.
  private(set) var sources = ChunkSources()
  /// Whether each result shows its elapsed time.
  var showsTiming = false
  /// The index that `:help` searches, besides the app's own names.
  package var helpIndex: () -> HelpIndex = { .shared }
  /// The texts that have run, for `:save`.
  private(set) var chunks = TypedChunks()
  /// Watched expressions, by their text as typed.
  var watches: [(path: String, observation: ContextEntry)] = []
  /// Changes made by `:set`, the latest last, for `:undo`.
  private(set) var undos: [Undo] = []
  /// Receives changes of watched expressions, and the results of tasks that ended later.
  public var onOutput: (String) -> Void = { _ in }
  /// Polled while a chunk waits: whether the user wants to interrupt it.
  public var isInterrupted: () -> Bool = { false }
  /// Reloads the app, or one module and its dependents, and returns a report; empty if it was
  /// already reported elsewhere.
  public var onReload: ((_ module: String?) throws -> String)?
  /// Restarts the app without its state. If nil, the runtime is reset, except from an attached
  /// prompt.
  public var onReset: (() throws -> String)?
  /// Called with true and false around each stretch in which a chunk begun by `start` runs.
  var onRunning: (Bool) -> Void = { _ in }
  /// Whether the prompt runs in another process, which then handles files and the editor.
  private(set) var isAttached = false
  /// The exit code with which `exit` left an attached prompt; nil until then.
  private(set) var leavingCode: Int32?
  /// Called when `exit` leaves the prompt while no chunk runs, for example from a timer.
  var onLeaving: (Int32) -> Void = { _ in }
  /// Whether a chunk runs or waits.
  var isRunningChunk = false
  /// Cancels the waiting chunk.
  private var cancel: (() -> Void)?
  private var wasStopped = false
  var printer: ValuePrinter
  /// The runtime's sealed tables and their members.
  private(set) var library = LibraryNames()

  /// The profile that `:profile` has started.
  var measuring: ProfileSession?

  /// A change by `:set`.
  struct Undo {
    let path: String
    weak var object: DataObject?
    let property: String
    let old: Value
    /// The value written by `:set`; if the property differs, it has been written again since.
    let written: Value
  }

  /// Creates a session in a runtime, with its own variables.
  ///
  /// - Throws: `LuaError` if the runtime is closed or its memory is exhausted.
  public init(_ runtime: Runtime) throws {
    self.runtime = runtime
    context = BindingContext("repl", in: runtime.bindings)
    runtime.endsWithApp(context)
    variables = try runtime.lua.table()
    declared = try runtime.lua.table()
    environment = try runtime.lua.table()
    printer = ValuePrinter(runtime)
    let metatable = try runtime.lua.load(Self.scope, name: "=repl").call([
      .table(variables), .table(declared), .table(runtime.lua.globals),
    ])
    if let table = metatable.first?.table { try environment.setMetatable(table) }
    library = try LibraryNames(runtime)
    printer.library = library
  }

  deinit { context.removeAll() }

  /// Resolves names in the session's variables first, then in the globals.
  private static let scope = """
    local variables, declared, globals = ...
    return {
      __index = function(_, name)
        if declared[name] then return variables[name] end
        return globals[name]
      end,
      __newindex = function(_, name, value)
        if declared[name] then variables[name] = value else globals[name] = value end
      end,
    }
    """

  /// The width in columns beyond which a value is printed on several lines.
  public var width: Int {
    get { printer.width }
    set { printer.width = newValue }
  }

  /// The names of the session's variables.
  var variableNames: [String] {
    ((try? declared.entries()) ?? []).compactMap(\.key.string)
  }

  func variable(_ name: String) -> LuaValue? {
    guard (try? declared.rawGet(.string(name)).isNil) == false else { return nil }
    return try? variables.rawGet(.string(name))
  }

  // MARK: Running

  /// Starts the text of a file, as `start` does.
  func start(file: String, _ text: String, then: @escaping (ChunkResult) -> Void) {
    do {
      begin(try chunk(ofFile: file, text), then)
    } catch {
      then(ending(with: error))
    }
  }

  func begin(_ chunk: LuaFunction, _ then: @escaping (ChunkResult) -> Void) {
    wasStopped = false
    isRunningChunk = true
    cancel = begin(chunk) { [weak self] outcome in
      guard let self else { return }
      cancel = nil
      isRunningChunk = false
      do {
        let values = try outcome.get()
        then(try leaving ?? .values(show(values)))
      } catch {
        then(ending(with: error))
      }
    }
  }

  /// Starts another text, which errors name `repl:` and a number, or `repl` for standard input.
  func beginText(isInput: Bool) {
    textCount += 1
    chunkName = isInput ? "=repl" : "=repl:\(textCount)"
  }

  /// Records the text of a chunk for `:source`.
  func noteSource(_ text: String, as name: String, line: Int = 1) {
    sources.note(text, as: name, line: line)
  }

  /// Leaves the lines of the current reply without numbers.
  func forgetResults() { results = 0..<0 }

  /// Sets the part that runs now.
  func enter(_ part: PromptScript.Part) {
    forgetResults()
    location = SourceLocation(file: String(chunkName.dropFirst()), line: part.line)
  }

  // MARK: Leaving

  /// Attaches the session to a prompt in another process: `exit` then leaves the prompt, and the
  /// app keeps running.
  func attach() throws {
    isAttached = true
    let exit = try runtime.lua.function(named: "exit") { [weak self] call in
      let code = call.isNil(0) ? 0 : try call.integer(0)
      guard (0...255).contains(code) else {
        throw call.badArgument(0, "an exit code is 0 to 255")
      }
      self?.leave(Int32(truncatingIfNeeded: code))
      throw LeaveRequest()
    }
    try environment.rawSet("exit", .function(exit))
  }

  private func leave(_ code: Int32) {
    leavingCode = code
    if !isRunningChunk { onLeaving(code) }
  }

  /// The result of a chunk that has called `exit`.
  var leaving: ChunkResult? { leavingCode == nil ? nil : .quit }

  /// Cancels the waiting chunk.
  func stop() {
    wasStopped = true
    cancel?()
  }

  /// Whether a function of the session is running.
  var isCalling: Bool { runtime.bindings.calledContext === context }

  /// Compiles a text; nil if it is incomplete.
  func chunk(_ text: String, isComplete: Bool) throws -> LuaFunction? {
    let chunk = try compile(text, isComplete: isComplete)
    if chunk != nil { chunks.add(text) }
    return chunk
  }

  private static let mostUndos = 1000

  func note(_ undo: Undo) {
    undos.append(undo)
    if undos.count > Self.mostUndos { undos.removeFirst(undos.count - Self.mostUndos) }
  }

  func takeUndo() -> Undo? { undos.popLast() }

  func ending(with error: any Error) -> ChunkResult {
    // The chunk has asked to leave, so its error is not a failure.
    if runtime.exitCode != nil { return .values([]) }
    if let leaving { return leaving }
    let failure = failure(error)
    if wasStopped, failure.code == .cancelled {
      return .failed(TideError(.interrupted, "interrupted"))
    }
    return .failed(failure)
  }

  /// Whether a text needs no further lines: it is complete, or has an error that no continuation
  /// can fix.
  public func isFinished(_ text: String) -> Bool {
    PromptChunk.isFinished(text, in: runtime.lua)
  }

  func failure(_ error: any Error) -> TideError {
    var failure =
      error as? TideError ?? TideError(wrapping: error, graph: runtime.graph, code: .scriptError)
    // Scripts may raise any value; the message of a table or function has its abbreviated text.
    switch (failure.cause as? LuaError)?.value {
    case .table(let table)?:
      let text = printer.text(of: .table(table))
      if text != "{}" { failure.message = text }
    case .function(let function)?:
      failure.message = "an error without a message (\(printer.text(of: .function(function))))"
    default: break
    }
    let hasLocation = failure.location != nil
    if !hasLocation, failure.code != .interrupted, failure.code != .cancelled {
      failure.location = location
    }
    return failure
  }

  /// Compiles a text; nil if it is incomplete.
  func compile(_ text: String, isComplete: Bool) throws -> LuaFunction? {
    try runtime.lua.withReserve { try load(text, isComplete: isComplete) }
  }

  private func load(_ text: String, isComplete: Bool) throws -> LuaFunction? {
    noteSource(text, as: String(chunkName.dropFirst()), line: location.line)
    let chunk = PromptChunk(text)
    do throws(LuaError) {
      let function = try chunk.load(
        in: runtime.lua, name: chunkName, firstLine: location.line, environment: environment)
      for local in chunk.locals { try declare(local) }
      return function
    } catch {
      if !isComplete, PromptChunk.isBeginning(text, failing: error, in: runtime.lua) { return nil }
      throw TideError(error)
    }
  }

  /// Makes a name a variable of the session. Its initial value is the global's, so that a
  /// declaration such as `local print = print` can read it.
  private func declare(_ name: String) throws(LuaError) {
    if try declared.rawGet(.string(name)).isNil {
      try variables.rawSet(.string(name), runtime.lua.globals.rawGet(.string(name)))
    }
    try declared.rawSet(.string(name), true)
  }

  /// Stores values as `_` and `_1`, `_2` …, and returns their texts.
  func show(_ values: [LuaValue]) throws -> [String] {
    results = resultCount + 1..<resultCount + 1 + values.count
    if values.isEmpty { return [] }
    return try runtime.lua.withReserve {
      for value in values {
        resultCount += 1
        for name in ["_", "_\(resultCount)"] {
          try declared.rawSet(.string(name), true)
          try variables.rawSet(.string(name), value)
        }
      }
      return values.map { printer.text(of: $0) }
    }
  }
}

/// The result of a text that was entered.
///
/// ```swift
/// if case .failed(let error) = session.run("error('no')") { print(error.message) }
/// ```
public enum ChunkResult {
  /// The text is incomplete.
  case unfinished
  /// The printed values of an expression; empty for a statement.
  case values([String])
  /// The text raised an error, or does not parse.
  case failed(TideError)
  /// The session has ended.
  case quit
}

/// The error by which `exit` leaves a prompt.
private struct LeaveRequest: Error {}

/// The latest texts that have run, for `:save` and `:edit`.
struct TypedChunks {
  private(set) var texts: [String] = []
  private var bytes = 0

  private static let most = 10_000
  private static let mostBytes = 8 << 20

  var last: String? { texts.last }

  mutating func add(_ text: String) {
    texts.append(text)
    bytes += text.utf8.count
    guard texts.count > Self.most || bytes > Self.mostBytes else { return }
    // Removes half of them at once for amortized cost, but never the last one.
    texts.removeFirst(min(texts.count - 1, (texts.count + 1) / 2))
    bytes = texts.reduce(0) { $0 + $1.utf8.count }
  }
}
