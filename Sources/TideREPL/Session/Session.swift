public import TideBindings
import TideGraph
import TideLua
public import TideScript

/// A conversation with a running app: texts go in, values come out, and variables live on.
///
/// ```swift
/// let session = try Session(runtime)
/// session.run("local x = models.fruit.name")
/// session.run("#x")                            // .values(["5"])
/// ```
///
/// Several sessions may talk with one runtime; each has variables and results of its own: `_` is
/// the last value, `_1`, `_2` … the ones in the order in which they came. What a session makes
/// belongs to a context of its own, which survives a reload of the app and ends with the session.
public final class Session {
  /// Where it evaluates.
  public let runtime: Runtime
  /// Where what its scripts make belongs.
  let context: BindingContext
  let environment: LuaTable
  private let variables: LuaTable
  private let declared: LuaTable
  /// How many texts were typed.
  private var textCount = 0
  /// The name of the running text's chunks.
  private(set) var chunkName = "=repl"
  /// Where the running part begins, for errors that have no location of their own.
  private var location = SourceLocation(file: "repl", line: 1)
  private var resultCount = 0
  /// The numbers of the values that the last chunk has given: 3 of what is `_3`.
  package private(set) var results = 0..<0
  /// The texts of chunks, by their names.
  private(set) var sources = ChunkSources()
  /// Whether each result has the time that it took.
  var showsTiming = false
  /// What `:help` knows beside the app's own names.
  package var helpIndex: () -> HelpIndex = { .shared }
  /// What was run, for `:save`.
  private(set) var chunks = TypedChunks()
  /// Watched paths, by the text that was typed.
  var watches: [(path: String, observation: ContextEntry)] = []
  /// What `:set` has changed, the latest last, for `:undo`.
  private(set) var undos: [Undo] = []
  /// Called with the values of watched paths and the later results of waiting tasks.
  public var onOutput: (String) -> Void = { _ in }
  /// Asked while a chunk waits: whether a person wants it to end.
  public var isInterrupted: () -> Bool = { false }
  /// Runs the app anew, or one of its modules with what needs it, and says what came of it:
  /// nothing where that has been told otherwise.
  public var onReload: ((_ module: String?) throws -> String)?
  /// Starts the app anew without its state; without it the runtime does so,
  /// unless the prompt is another program's.
  public var onReset: (() throws -> String)?
  /// Told around each stretch in which a chunk runs that was begun by `start`.
  var onRunning: (Bool) -> Void = { _ in }
  /// Whether the prompt is another program's, to which files and the editor belong.
  private(set) var isAttached = false
  /// With what `exit` has left the prompt of an app that runs on; nil while it stays.
  private(set) var leavingCode: Int32?
  /// Called where `exit` leaves the prompt while no chunk runs, as from a timer.
  var onLeaving: (Int32) -> Void = { _ in }
  /// Whether a chunk runs or waits.
  var isRunningChunk = false
  /// Ends the chunk that waits.
  private var cancel: (() -> Void)?
  private var wasStopped = false
  var printer: ValuePrinter
  /// The runtime's own tables, which scripts cannot change, and what is in them.
  private(set) var library = LibraryNames()

  /// What measures the app since `:profile`.
  var measuring: ProfileSession?

  /// A change by `:set`.
  struct Undo {
    let path: String
    weak var object: DataObject?
    let property: String
    let old: Value
    /// What the property held then; another value has been written since by somebody else.
    let written: Value
  }

  /// Makes a session of a runtime, with variables of its own.
  ///
  /// - Throws: `LuaError` when the runtime is closed or its memory used up.
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

  /// Looks names up among the session's variables, and then the globals.
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

  /// Columns that the text of a value may take before it goes on several lines.
  public var width: Int {
    get { printer.width }
    set { printer.width = newValue }
  }

  /// The names of its variables.
  var variableNames: [String] {
    ((try? declared.entries()) ?? []).compactMap(\.key.string)
  }

  func variable(_ name: String) -> LuaValue? {
    guard (try? declared.rawGet(.string(name)).isNil) == false else { return nil }
    return try? variables.rawGet(.string(name))
  }

  // MARK: Running

  /// Runs the text of a file, as `start` does.
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

  /// Gives another text its name in errors: `repl:` and a number, or of standard input `repl`.
  func beginText(isInput: Bool) {
    textCount += 1
    chunkName = isInput ? "=repl" : "=repl:\(textCount)"
  }

  /// Keeps the text of a chunk for `:source`.
  func noteSource(_ text: String, as name: String, line: Int = 1) {
    sources.note(text, as: name, line: line)
  }

  /// Lets no line of the present reply have a number.
  func forgetResults() { results = 0..<0 }

  /// Notes the part that runs now.
  func enter(_ part: PromptScript.Part) {
    forgetResults()
    location = SourceLocation(file: String(chunkName.dropFirst()), line: part.line)
  }

  // MARK: Leaving

  /// Makes it the session of a prompt in another program, where `exit` leaves the prompt and the
  /// app runs on.
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

  /// Ends what was started and waits.
  func stop() {
    wasStopped = true
    cancel?()
  }

  /// Whether a function runs now that belongs to the session.
  var isCalling: Bool { runtime.bindings.calledContext === context }

  /// The chunk of a text; nil for one of which more has to follow.
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
    // The chunk has asked to leave, which is no failure.
    if runtime.exitCode != nil { return .values([]) }
    if let leaving { return leaving }
    let failure = failure(error)
    if wasStopped, failure.code == .cancelled {
      return .failed(TideError(.interrupted, "interrupted"))
    }
    return .failed(failure)
  }

  /// Whether a text can be run as it is, or is wrong beyond what could follow.
  public func isFinished(_ text: String) -> Bool {
    PromptChunk.isFinished(text, in: runtime.lua)
  }

  func failure(_ error: any Error) -> TideError {
    var failure =
      error as? TideError ?? TideError(wrapping: error, graph: runtime.graph, code: .scriptError)
    // What a script raises may be any value, of which listed errors show the beginning.
    if let table = (failure.cause as? LuaError)?.value?.table {
      failure.message = printer.text(of: .table(table))
    }
    let hasLocation = failure.location != nil
    if !hasLocation, failure.code != .interrupted, failure.code != .cancelled {
      failure.location = location
    }
    return failure
  }

  /// Nil for a text of which more has to follow.
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

  /// Makes a name a variable of the session. It begins with the global's value, which the
  /// declaration may read, as `local print = print` does.
  private func declare(_ name: String) throws(LuaError) {
    if try declared.rawGet(.string(name)).isNil {
      try variables.rawSet(.string(name), runtime.lua.globals.rawGet(.string(name)))
    }
    try declared.rawSet(.string(name), true)
  }

  /// Keeps values as `_` and `_1`, `_2` …, and gives their texts.
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

/// What came of a text that was typed.
///
/// ```swift
/// if case .failed(let error) = session.run("error('no')") { print(error.message) }
/// ```
public enum ChunkResult {
  /// It is a beginning; more has to follow.
  case unfinished
  /// The values of an expression, readable; empty for a statement.
  case values([String])
  /// It raised an error, or does not parse.
  case failed(TideError)
  /// The session is over.
  case quit
}

/// What `exit` throws to leave a prompt.
private struct LeaveRequest: Error {}

/// What was run at a prompt, for `:save` and `:edit`; of very much the latest.
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
    // Half of them at once, so that forgetting costs next to nothing; but never the last one.
    texts.removeFirst(min(texts.count - 1, (texts.count + 1) / 2))
    bytes = texts.reduce(0) { $0 + $1.utf8.count }
  }
}
