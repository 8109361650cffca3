public import TideBindings
public import TideGraph
public import TideLua
package import TideSystem
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
  /// The interpreter. What is made there by hand knows nothing of contexts and reloads.
  public let lua: LuaState
  /// The graph that the runtime's objects belong to.
  public let graph: Graph
  /// Where timers, watched descriptors and work from other threads wait for the runtime's thread.
  public let loop: EventLoop
  package private(set) lazy var home = Home(self)
  let table: BindingTable
  package var bindings: BindingTable { table }

  // Each of these owns what it is about; what is done with it extends the runtime in the same file.
  var api: API
  // Unchecked, because no access lasts while anything else is called.
  @exclusivity(unchecked) var calls: ScriptCalls
  let tasks = TaskTable()
  package let loader: ModuleLoader
  package let declarations: Declarations
  package let views = ScriptViews()
  package let contexts = ContextTable()
  package let errorLog: ErrorLog
  let ending: AppEnding
  let stubs: SourceStubs
  let undoCenter = UndoCenter()
  let listLoops = ListLoops()
  var sources = SourceState()
  /// Memory for what is on its way to scripts.
  package private(set) lazy var memory = makeMemoryQueue()

  /// Where the process is confined, its broker starts the programs of scripts. Set once for all
  /// runtimes.
  private static let usesBroker: Void = LuaAccess.useBroker(
    run: ProgramBroker.starter, scratch: ProgramBroker.makeScratchFile,
    environment: ProgramBroker.makeEnvironment)

  /// Makes the interpreter and its API; nothing of the app is read yet.
  ///
  /// - Throws: `scriptMemory` when the memory that scripts may take does not suffice for that.
  @available(*, deprecated, message: "use init(app:configuration:)")
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(file: path, configuration: configuration)
  }

  /// The same for the path of a file, which is not looked at yet.
  package convenience init(file path: String, configuration: Configuration = Configuration()) throws
  {
    try self.init(.file(path), configuration: configuration)
  }

  convenience init(_ source: ScriptSource, configuration: Configuration) throws {
    do {
      try self.init(making: source, configuration)
    } catch {
      throw Self.isLackOfMemory(error) ? configuration.lackOfMemory : error
    }
  }

  private static func isLackOfMemory(_ error: any Error) -> Bool {
    (error as? LuaError)?.kind == .memory || (error as? TideError)?.code == .scriptMemory
  }

  private init(making source: ScriptSource, _ configuration: Configuration) throws {
    self.configuration = configuration
    Self.usesBroker
    calls = ScriptCalls(depth: configuration.limits.depth)
    stubs = SourceStubs(isActive: configuration.takesStubs)
    errorLog = ErrorLog(lines: configuration.limits.logLines)
    // First, because what it is allowed may not be there.
    try configuration.checkMemory()
    var interpreter = configuration.lua
    // 0 stands for no limit there.
    interpreter.valueBytes = max(1, configuration.limits.value)
    interpreter.printedBytes = max(1, configuration.limits.printed)
    interpreter.hasJSON = true
    lua = try LuaState(interpreter)
    do { graph = try Graph.adopt() } catch {
      throw error is OwnerlessError ? TideError.ownerless : .tooManyGraphs
    }
    let adopted = graph
    let outer = adopted.enter()
    var hasBegun = false
    defer {
      Graph.leave(to: outer)
      if !hasBegun { adopted.isAdopted = false }
    }
    do throws(SystemError) {
      loop = try EventLoop(clock: configuration.clock)
    } catch {
      throw TideError(error, .eventLoop)
    }
    table = BindingTable.of(graph)
    declarations = Declarations(graph, configuration)
    loader = try ModuleLoader(lua, main: source, in: table)
    api = try API(lua)
    // It has an object of the graph, which has been entered by now.
    ending = AppEnding()
    takePrinted()
    lua.errorMessage = { ($0 as? TideError)?.message ?? "\($0)" }
    table.beginApp()
    table.transformers.now = { [loop] in loop.wallTime() }
    table.clock = LoopClock(loop, of: home, limit: configuration.limits.timers)
    table.hooks.onError = { [home] in home.runtime?.note($0) }
    table.hooks.currentLocation = { [home] in home.runtime?.location }
    table.hooks.noteMemory = { [unowned lua] bytes in
      do throws(LuaError) { try lua.note(bytes) } catch { throw TideError(error) }
    }
    table.hooks.oweMemory = { [unowned lua] bytes in lua.owe(bytes) }
    table.hooks.awaitTurnEnd = { [home, inbox = loop.inbox] in
      inbox.post { home.runtime?.finishTurn() }
    }
    graph.wake = { [inbox = loop.inbox] in inbox.post {} }
    graph.onTouch = { [weak loop] in loop?.wakeDriver() }
    lua.client = self
    lua.taskHost = self
    lua.lowerObject = { [home] in try home.requireRuntime().luaValue($0, isGiven: true) }
    keepHistory()
    installObjectHooks()
    lua.keepLocations()
    try installAPI()
    api.reservedNames = Set(try lua.globals.entries().compactMap(\.key.string))
    try MissingNameHint.note(lua)
    viewClasses.onRefusal = { [home] in home.runtime?.list($0) }
    hasBegun = true
  }

  deinit {
    reportDroppedLines()
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    home.runtime = nil
    lua.client = nil
    lua.follow(inFlight: nil)
    lua.taskHost = nil
    graph.onTouch = nil
    table.writeWatch = nil
    // What ends here may write, and what would follow that is about to end as well.
    graph.batch {
      removeAll()
      // What others wait for on other threads must be let go of here.
      for task in tasks.running.values { task.cancel() }
    }
    lua.close()
    graph.forgetLua()
    graph.wake = nil
    graph.isAdopted = false
    // The graph may live on, but nothing turns the loop any more.
    table.endApp()
    loop.inbox.close()
    home.end()
  }

  /// Hands on what scripts print.
  func takePrinted() {
    lua.onPrint = configuration.print
    lua.onPrintBytes = configuration.printBytes
    lua.onBlocking = { [home] function in home.runtime?.noteBlocking(by: function) }
  }

  /// The line of a script that runs now.
  var location: SourceLocation? {
    lua.location.map { SourceLocation($0) }
  }

  /// The app's main script, as it was given.
  public var path: String { modules.main.path }

  /// The files that the app has loaded.
  package var modules: ModuleTable {
    get { loader.modules }
    _modify { yield &loader.modules }
  }

  /// What scripts find by name: data objects, and what they declare by `model`.
  public var models: ModelTable { declarations.models }

  /// The functions that the host gives scripts.
  public var functions: FunctionTable { home.functions }

  /// The view classes that scripts can make views of.
  public var viewClasses: ViewClasses { views.classes }

  /// What the script showed; nil while it has shown nothing.
  public package(set) var scene: Scene? {
    get { views.scene }
    set {
      views.scene = newValue
      if let newValue {
        configure(newValue)
        presentQuestions()
      }
      loop.wakeDriver()
    }
  }

  /// Called when a script has shown another view tree.
  package var onShow: ((Scene) -> Void)? {
    get { views.onShow }
    set { views.onShow = newValue }
  }

  /// Called with every error as it is listed.
  public var onError: ((TideError) -> Void)? {
    get { errorLog.onError }
    set { errorLog.onError = newValue }
  }

  /// Told when something that was listed holds no more.
  package var onRecovery: (() -> Void)? {
    get { table.hooks.onRecovery }
    set { table.hooks.onRecovery = newValue }
  }

  /// The exit code with which the app has ended; nil while it goes on.
  public package(set) var exitCode: Int32? {
    get { ending.exitCode }
    set { ending.exitCode = newValue }
  }

  /// Runs actors of the host in turns of the loop.
  ///
  /// A host's own actor that returns it as its `unownedExecutor` uses the objects of the runtime as
  /// the runtime does.
  public var executor: RuntimeExecutor { home.executor(for: self) }

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

  /// Files of the running app, the main script first; after a version that did not begin, also
  /// those that it wanted.
  package var modulePaths: [String] {
    var seen: Set<String> = []
    return (modules.paths + loader.triedPaths).filter { seen.insert($0).inserted }
  }

  /// Throws `graph` where somebody else than the runtime's owner asks.
  package func requireHere() throws(TideError) {
    if !graph.isHere { throw .otherGraph("the runtime belongs to", graph) }
  }

}

/// What `exit` throws to leave the script.
struct ExitRequest: Error, CustomStringConvertible {
  let code: Int32
  var description: String { "exit(\(code))" }
}
