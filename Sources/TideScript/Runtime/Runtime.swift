public import TideBindings
public import TideGraph
public import TideLua
import TideSystem
public import TideViews

/// One scripted app: an interpreter, a graph, models, and a tree of views.
///
/// ```swift
/// let runtime = try Runtime(app: URL(filePath: "app.lua"))
/// try runtime.register("person", person)
/// try runtime.load()
/// let code = try await runtime.run(TerminalRenderer())
/// ```
///
/// A runtime belongs to the actor that made it, or to the thread, outside of tasks; the rest of the
/// program sends it work with `send`. Many live side by side and share nothing.
public final class Runtime {
  /// What the runtime was made with.
  public let configuration: Configuration
  /// The app's main script, as it was given.
  public let path: String
  /// The interpreter. What is made there by hand knows nothing of contexts and reloads.
  public let lua: LuaState
  /// The graph that the runtime's objects belong to.
  public let graph: Graph
  /// Where timers, watched descriptors and work from other threads wait for the runtime's thread.
  public let loop: EventLoop
  /// What scripts find by name: data objects, and what they declare by `model`.
  public internal(set) var models: ModelTable
  /// The functions that the host gives scripts.
  public private(set) lazy var functions = FunctionTable(home)
  /// The view classes that scripts can make views of.
  public let viewClasses = ViewClasses()
  /// What the script showed; nil while it has shown nothing.
  public internal(set) var scene: Scene? {
    didSet {
      if let scene { configure(scene) }
    }
  }
  /// The name of the module that has shown it.
  package var shower: String?
  /// Told of every error as it is listed.
  public var onError: ((TideError) -> Void)?
  /// Told when something that was listed holds no more.
  package var onRecovery: (() -> Void)? {
    get { table.onRecovery }
    set { table.onRecovery = newValue }
  }
  /// Told when a script has shown another view tree.
  public var onShow: ((Scene) -> Void)?

  private(set) lazy var home = Home(self)
  /// Runs actors of the host in turns of the loop.
  ///
  /// A host's own actor that returns it as its `unownedExecutor` uses the objects of the runtime as the
  /// runtime does.
  public var executor: RuntimeExecutor {
    if let knownExecutor { return knownExecutor }
    let made = RuntimeExecutor(loop.inbox, graph)
    knownExecutor = made
    return made
  }
  private var knownExecutor: RuntimeExecutor?
  let table: BindingTable
  let metatables: Metatables
  let metatableProbe: LuaFunction
  /// The table `tidelock`: every name of the API.
  let apiTable: LuaTable
  /// The same, as scripts see it.
  var sealedAPI: LuaTable
  /// What `require` gives without a file: the libraries of Lua that scripts have.
  var libraries: [String: LuaTable] = [:]
  /// Who knows modules that are no files.
  var searchers = ModuleSearchers()
  /// The files that the app has loaded. Everything that its scripts made belongs to their contexts.
  package var modules: ModuleTable
  private(set) var tables: TableKeeper
  /// View classes that the app has defined.
  package var components: [String: Component] = [:]
  /// While a function makes subviews that may be made anew.
  var collecting: MakingCollection?
  /// While a new version of some modules is tried.
  package var rollback: Rollback?
  /// Versions of which views bear the ids that something which is evaluated has asked for.
  var followedIDs: [String: Signal<Int>] = [:]
  /// Files that a version wanted which did not begin: mending one of them may help.
  package var triedPaths: [String] = []
  /// Who wants to hear of reloads; kept here for the module that tells.
  package var audience: AnyObject?
  /// Told of every error, too.
  package var onListing: ((TideError) -> Void)?
  /// The globals of Lua and of the API, which a host's functions may not replace.
  private(set) var reservedNames: Set<String> = []
  var shapes: [String: ScriptClass] = [:]
  /// What the host lets scripts call on objects of its classes.
  var swiftMethods: [ObjectIdentifier: [String: LuaFunction]] = [:]
  /// By name; they outlive reloads.
  var settingsControllers: [String: SettingsController] = [:]
  /// What their files may take on the disk together.
  private(set) lazy var settingsVolume = configuration.settingsFolder.map {
    SettingsVolume(folder: $0, bytes: configuration.limits.settings)
  }
  /// Whether the main script has come to its end.
  package var hasFinished = false
  /// While the main script runs: errors of whoever looked for a view that it may still show, as a
  /// label beside it does.
  var viewsToShow: [TideError]?
  var unnamedModels: [String: SourceLocation] = [:]
  var methodWatches = MethodWatches()
  let lateNames = LateNames()
  package var unknownClasses: [ClassArgument] = []
  package var namedContexts: [String: BindingContext] = [:]
  var notificationObservers: [String: NumberedList<NotificationObserver>] = [:]
  /// With what the app has ended; nil while it goes on.
  public internal(set) var exitCode: Int32?
  /// Who is asked before the app ends, and how far that has come.
  let ending: AppEnding
  /// The folder of the app that a test has mounted, in place of the main script's.
  var testedFolder: String?
  /// Bytes charged since the graph was last asked whether it has room.
  var bytesSinceRoomCheck = 0
  var nesting = 0
  /// What an evaluation has waited for and is about to read.
  var justEvaluated: Slot?
  var copyDepth = 0
  /// Names that `isa` was asked for and that are no slips of the pen, as far as was known then.
  var acceptedClassNames: Set<String> = []
  /// How many Swift functions scripts have called that have not returned.
  var callDepth = 0
  var handedOver: [DataObject] = []
  /// What calls wait for that are on their way to who drives them, the innermost last.
  var pendingWaits: [Wait] = []
  /// Those that have not ended.
  var tasks: [ObjectIdentifier: ScriptTask] = [:]
  var errorCount = 0
  /// What the line that made a binding last wrote, which is often the next one's.
  var lastBindingSource: BindingSource?
  var logGate: LogGate

  /// How deep script functions that derive values may wait for each other.
  let nestingLimit: Int
  /// From which depth on they run on coroutines and wait without taking any of the stack.
  let nestingBeforeWaiting: Int

  /// Where the process is confined, its broker starts the programs of scripts. Set once for all
  /// runtimes.
  private static let usesBroker: Void = LuaAccess.useBroker(
    run: ProgramBroker.starter, scratch: ProgramBroker.makeScratchFile)

  /// Makes the interpreter and its API; nothing of the app is read yet.
  ///
  /// Throws `scriptMemory` when the memory that scripts may take does not suffice for that.
  @available(*, deprecated, message: "use init(app:configuration:)")
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(file: path, configuration: configuration)
  }

  /// The same for the path of a file, which is not looked at yet.
  package convenience init(file path: String, configuration: Configuration = Configuration()) throws
  {
    do {
      try self.init(making: path, configuration)
    } catch {
      throw Self.isLackOfMemory(error) ? configuration.lackOfMemory : error
    }
  }

  private static func isLackOfMemory(_ error: any Error) -> Bool {
    (error as? LuaError)?.kind == .memory || (error as? TideError)?.code == .scriptMemory
  }

  private init(making path: String, _ configuration: Configuration) throws {
    self.path = path
    self.configuration = configuration
    Self.usesBroker
    logGate = LogGate(limit: configuration.limits.logLines)
    nestingLimit = min(configuration.limits.depth, Limits.deepest)
    nestingBeforeWaiting = min(20, nestingLimit / 2)
    // First, because what it is allowed may not be there.
    var interpreter = configuration.lua
    interpreter.valueBytes = configuration.limits.value
    lua = try LuaState(interpreter)
    do { graph = try Graph.adopt() } catch is OwnerlessError { throw TideError.ownerless }
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    do throws(SystemError) {
      loop = try EventLoop(clock: configuration.clock)
    } catch {
      throw TideError(error, .eventLoop)
    }
    table = BindingTable.of(graph)
    models = ModelTable(graph)
    modules = ModuleTable(main: Module("", path: path, in: table))
    ending = AppEnding()
    tables = try TableKeeper(lua)
    metatables = try Metatables(lua)
    metatableProbe = try lua.function(
      from: """
        local get = getmetatable
        return function(table, plain)
          local found = get(table)
          return found ~= nil and found ~= plain
        end
        """)
    apiTable = try lua.table()
    sealedAPI = apiTable
    takePrinted()
    lua.errorMessage = { ($0 as? TideError)?.message ?? "\($0)" }
    table.beginApp()
    table.transformers.now = { [loop] in loop.wallTime() }
    table.clock = LoopClock(loop, of: home, limit: configuration.limits.timers)
    table.onError = { [home] in home.runtime?.note($0) }
    table.currentLocation = { [home] in home.runtime?.location }
    table.noteMemory = { [unowned lua] bytes in
      do throws(LuaError) { try lua.note(bytes) } catch { throw TideError(error) }
    }
    table.oweMemory = { [unowned lua] bytes in lua.owe(bytes) }
    table.awaitTurnEnd = { [home, inbox = loop.inbox] in
      inbox.post { home.runtime?.finishTurn() }
    }
    graph.wake = { [inbox = loop.inbox] in inbox.post {} }
    lua.client = self
    lua.lowerObject = { [home] in try home.requireRuntime().luaValue($0, isGiven: true) }
    keepHistory()
    installObjectHooks()
    lua.keepPlaces()
    try installAPI()
    reservedNames = Set(try lua.globals.entries().compactMap(\.key.string))
    try MissingNameHint.note(lua)
    viewClasses.onRefusal = { [home] in home.runtime?.list($0) }
  }

  deinit {
    reportDroppedLines()
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    home.runtime = nil
    lua.client = nil
    // What ends here may write, and what would follow that is about to end as well.
    graph.batch {
      removeAll()
      // What others wait for on other threads must be let go of here.
      for task in tasks.values { task.cancel() }
    }
    lua.close()
    graph.forgetLua()
    graph.isAdopted = false
    // The graph may live on, but nothing turns the loop any more.
    table.endApp()
    loop.inbox.close()
    knownExecutor?.end()
  }

  /// Hands on what scripts print.
  func takePrinted() {
    lua.onPrint = configuration.print
    lua.onPrintBytes = configuration.printBytes
  }

  /// The line of a script that runs now.
  var location: SourceLocation? {
    lua.location.map { SourceLocation($0) }
  }

  /// The transformers that binding expressions find by name: the host's and the scripts'.
  public var transformers: TransformerRegistry { table.transformers }

  /// The innermost open context.
  public var context: BindingContext { table.openContext ?? mainContext }

  /// The main script's.
  package var mainContext: BindingContext { modules.main.context }

  /// Ends everything that the app's scripts have made, what was made last first.
  func removeAll() {
    table.withoutRestoring {
      for module in modules.all.reversed() { module.context.removeAll() }
    }
  }

  /// Files of the running app, the main script first; after a version that did not begin, also those
  /// that it wanted.
  public var modulePaths: [String] {
    var seen: Set<String> = []
    let files = modules.all.filter { !$0.isGiven }.map(\.path)
    return (files + triedPaths).filter { seen.insert($0).inserted }
  }

  /// Calls into a script for a value that is derived. Each that is nested in another takes two levels of
  /// C calls, of which Lua allows 200.
  @inline(__always)
  func derive<Result>(_ body: () throws -> Result) throws -> Result {
    guard nesting < nestingLimit else { throw DepthError() }
    nesting += 1
    defer { nesting -= 1 }
    return try perform(body)
  }

  /// Calls into a script. Writes settle at once, or with `batching` together at the end.
  @discardableResult
  func perform<Result>(batching: Bool = false, _ body: () throws -> Result) throws -> Result {
    if batching { graph.beginBatch() }
    defer { if batching { graph.endBatch() } }
    do {
      return try body()
    } catch let error as LuaError {
      throw TideError(error)
    }
  }

  /// Runs a script's callback in the context in which it was registered; what it throws is listed.
  func callBack(in context: BindingContext, _ body: () throws -> Void) {
    do {
      try table.with(context) { try perform { try graph.untracked(body) } }
    } catch {
      list(error, of: context)
    }
  }

  /// Throws `graph` where somebody else than the runtime's owner asks.
  func requireHere() throws(TideError) {
    if !graph.isHere { throw .foreign("the runtime belongs to", graph) }
  }

  // MARK: Errors

  /// What has failed and still does, and what failed once.
  public var errors: [TideError] { table.errors }

  /// What people have entered that bindings cannot take: it shows at the fields, is not among
  /// `errors`, and is gone when it is mended or discarded.
  public var errorsOfEdits: [TideError] { table.errorsOfEdits }

  /// How many errors have been listed since the start, mended ones included.
  public var listedErrors: Int { errorCount }

  /// - Parameter context: that of the function which has failed, where that is known.
  @discardableResult
  func list(_ error: any Error, of context: BindingContext? = nil) -> TideError? {
    if error is ExitRequest || (error as? TideError)?.cause is ExitRequest { return nil }
    if isInterpreterClosed, exitCode != nil { return nil }
    // Whoever asked for what a person has entered to be taken got that error: it is at the field.
    if (error as? TideError)?.isOfEdit == true { return nil }
    return table.list(error, of: context)
  }

  /// Tells of an error that has been listed.
  package func note(_ error: TideError) {
    if error.cause is ExitRequest { return }
    if error.code == .unknownView, viewsToShow != nil {
      viewsToShow?.append(error)
    } else {
      tell(error)
    }
  }

  func tell(_ error: TideError) {
    errorCount += 1
    configuration.log(error)
    onError?(error)
    onListing?(error)
    if isInterpreterClosed { exit(1) }
  }

  /// Whether the interpreter was abandoned while the app runs, because a script could not be
  /// stopped otherwise. Every call fails then; after the error that said so these failures are not
  /// listed.
  var isInterpreterClosed: Bool { !lua.isOpen }
}

/// What `exit` throws to leave the script.
struct ExitRequest: Error, CustomStringConvertible {
  let code: Int32
  var description: String { "exit(\(code))" }
}
