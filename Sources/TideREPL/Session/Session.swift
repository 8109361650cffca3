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
  private var chunkCount = 0
  private var resultCount = 0
  /// What was run, for `:save`.
  private(set) var chunks = TypedChunks()
  /// Watched paths, by the text that was typed.
  var watches: [(path: String, observation: ContextEntry)] = []
  /// Values before `:set`, the latest last, for `:undo`.
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
  var isAttached = false
  /// Ends the chunk that waits.
  private var cancel: (() -> Void)?
  private var wasStopped = false
  var printer: ValuePrinter
  /// The runtime's own tables, which scripts cannot change, and what is in them.
  private(set) var library = LibraryNames()

  /// What measures the app since `:profile`.
  var measuring: ProfileSession?

  struct Undo {
    let path: String
    let restore: () throws -> Void
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

  /// Runs a text: an expression, statements, or a meta command, which begins with a colon.
  ///
  /// `isComplete` takes an unfinished text for what it is: an error.
  public func run(_ text: String, isComplete: Bool = false) -> ChunkResult {
    if let command = MetaCommand.text(in: text) { return runCommand(command) }
    do {
      guard let chunk = try chunk(text, isComplete: isComplete) else { return .unfinished }
      return .values(try show(call(chunk)))
    } catch {
      return ending(with: error)
    }
  }

  /// Runs a text from a function of the loop, which cannot wait: `then` is called when it has
  /// ended, which may be at once. One at a time.
  ///
  /// ```swift
  /// session.start("sleep(1) return 'slept'") { result in
  ///   if case .values(let values) = result { print(values) }
  /// }
  /// ```
  public func start(
    _ text: String, isComplete: Bool = true, then: @escaping (ChunkResult) -> Void
  ) {
    if let command = MetaCommand.text(in: text) { return then(runCommand(command)) }
    do {
      guard let chunk = try chunk(text, isComplete: isComplete) else { return then(.unfinished) }
      begin(chunk, then)
    } catch {
      then(ending(with: error))
    }
  }

  /// The same for the text of a file.
  func start(file: String, _ text: String, then: @escaping (ChunkResult) -> Void) {
    do {
      begin(try chunk(ofFile: file, text), then)
    } catch {
      then(ending(with: error))
    }
  }

  private func begin(_ chunk: LuaFunction, _ then: @escaping (ChunkResult) -> Void) {
    wasStopped = false
    cancel = begin(chunk) { [weak self] outcome in
      guard let self else { return }
      cancel = nil
      do { then(.values(try show(outcome.get()))) } catch { then(ending(with: error)) }
    }
  }

  /// Ends what was started and waits.
  func stop() {
    wasStopped = true
    cancel?()
  }

  /// Whether a function runs now that belongs to the session.
  var isCalling: Bool { runtime.bindings.calledContext === context }

  /// The chunk of a text; nil for one of which more has to follow.
  private func chunk(_ text: String, isComplete: Bool) throws -> LuaFunction? {
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

  private func ending(with error: any Error) -> ChunkResult {
    // The chunk has asked to leave, which is no failure.
    if runtime.exitCode != nil { return .values([]) }
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
    // What a script raises may be any value.
    if failure.message.hasPrefix("(error object is a "),
      let value = (failure.cause as? LuaError)?.value
    {
      failure.message = printer.text(of: value)
    }
    return failure
  }

  /// Nil for a text of which more has to follow.
  func compile(_ text: String, isComplete: Bool) throws -> LuaFunction? {
    try runtime.lua.withReserve { try load(text, isComplete: isComplete) }
  }

  private func load(_ text: String, isComplete: Bool) throws -> LuaFunction? {
    chunkCount += 1
    let name = "=repl:\(chunkCount)"
    if let expression = try? runtime.lua.load(
      "return \(text)", name: name, environment: environment)
    {
      return expression
    }
    let chunk = PromptChunk(text)
    do throws(LuaError) {
      let function = try runtime.lua.load(chunk.text, name: name, environment: environment)
      for local in chunk.locals { try declared.rawSet(.string(local), true) }
      return function
    } catch {
      if !isComplete, PromptChunk.isBeginning(text, failing: error, in: runtime.lua) { return nil }
      throw TideError(error)
    }
  }

  /// Keeps values as `_` and `_1`, `_2` …, and gives their texts.
  func show(_ values: [LuaValue]) throws -> [String] {
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
