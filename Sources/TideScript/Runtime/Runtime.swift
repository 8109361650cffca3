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
/// A runtime belongs to the actor on which it was made or, outside of tasks, to the thread. The
/// rest of the program sends it work with `send`. Several runtimes share nothing.
public final class Runtime {
  /// The configuration that the runtime was made with.
  public let configuration: Configuration
  /// The interpreter. Objects that the host makes in it directly belong to no context, and reloads
  /// ignore them.
  public let lua: LuaState
  /// The graph that the runtime's objects belong to.
  public let graph: Graph
  /// The event loop: timers, watched descriptors, and work from other threads.
  public let loop: EventLoop
  package private(set) lazy var home = Home(self)
  let table: BindingTable
  package var bindings: BindingTable { table }

  // Each of these owns the state of one concern; the extension of `Runtime` in its file uses it.
  var api: API
  // Unchecked, because nothing else is called during an access.
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
  /// The memory of data on its way to scripts.
  package private(set) lazy var memory = makeMemoryQueue()

  /// In a confined process, the broker starts the scripts' programs. Set once for all runtimes.
  private static let usesBroker: Void = LuaAccess.useBroker(
    run: ProgramBroker.starter, scratch: ProgramBroker.makeScratchFile,
    environment: ProgramBroker.makeEnvironment)

  /// Creates the interpreter and its API. The app is not read yet.
  ///
  /// - Throws: `scriptMemory` if the scripts' memory does not suffice for that.
  @available(*, deprecated, message: "use init(app:configuration:)")
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(file: path, configuration: configuration)
  }

  /// Creates a runtime for the path of a file, which is not read yet.
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
    // Checked first, before anything is allocated.
    try configuration.checkMemory()
    var interpreter = configuration.lua
    // The interpreter takes 0 for no limit.
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
    // Made after `graph.enter()`, because it contains an object of the graph.
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
    // Cleanup may write, but nothing that would follow from the writes needs to run.
    graph.batch {
      removeAll()
      // Waits on other threads must be released here.
      for task in tasks.running.values { task.cancel() }
    }
    lua.close()
    graph.forgetLua()
    graph.wake = nil
    graph.isAdopted = false
    // The graph may live on, but the loop does not turn any more.
    table.endApp()
    loop.inbox.close()
    home.end()
  }

  /// Connects the output of scripts to the configuration's functions.
  func takePrinted() {
    lua.onPrint = configuration.print
    lua.onPrintBytes = configuration.printBytes
    lua.onBlocking = { [home] function in home.runtime?.noteBlocking(by: function) }
  }

  /// The script line that is currently running.
  var location: SourceLocation? {
    lua.location.map { SourceLocation($0) }
  }

  /// The app's main script, as given.
  public var path: String { modules.main.path }

  /// The files that the app has loaded.
  package var modules: ModuleTable {
    get { loader.modules }
    _modify { yield &loader.modules }
  }

  /// The models that scripts find by name: registered by the host, or declared with `model`.
  public var models: ModelTable { declarations.models }

  /// The host's functions for scripts.
  public var functions: FunctionTable { home.functions }

  /// The view classes available to scripts.
  public var viewClasses: ViewClasses { views.classes }

  /// The view tree that the script shows; nil while there is none.
  public package(set) var scene: Scene? {
    get { views.scene }
    set {
      // Released after the write: views that are deallocated may use this property.
      let former = views.scene
      views.scene = newValue
      withExtendedLifetime(former) {
        if let newValue {
          configure(newValue)
          presentQuestions()
        }
        loop.wakeDriver()
      }
    }
  }

  /// Called when a script shows another view tree.
  package var onShow: ((Scene) -> Void)? {
    get { views.onShow }
    set { views.onShow = newValue }
  }

  /// Called with every error as it is listed.
  public var onError: ((TideError) -> Void)? {
    get { errorLog.onError }
    set { errorLog.onError = newValue }
  }

  /// Called when a listed error has been resolved.
  package var onRecovery: (() -> Void)? {
    get { table.hooks.onRecovery }
    set { table.hooks.onRecovery = newValue }
  }

  /// The app's exit code; nil while the app runs.
  public package(set) var exitCode: Int32? {
    get { ending.exitCode }
    set { ending.exitCode = newValue }
  }

  /// Runs actors of the host in turns of the loop.
  ///
  /// A host's actor that returns this executor as its `unownedExecutor` may use the runtime's
  /// objects directly.
  public var executor: RuntimeExecutor { home.executor(for: self) }

  /// The transformers that binding expressions find by name: those of the host and of scripts.
  public var transformers: TransformerRegistry { table.transformers }

  /// The innermost open context.
  public var context: BindingContext { table.openContext ?? mainContext }

  /// The main script's context.
  package var mainContext: BindingContext { modules.main.context }

  /// Ends everything that the app's scripts have made, in reverse order.
  func removeAll() {
    table.withoutRestoring {
      for module in modules.all.reversed() { module.context.removeAll() }
    }
  }

  /// The files of the running app, the main script first. After a version that failed to start,
  /// also the files that it tried to load.
  package var modulePaths: [String] {
    var seen: Set<String> = []
    return (modules.paths + loader.triedPaths).filter { seen.insert($0).inserted }
  }

  /// Throws `graph` on another actor or thread than the runtime's.
  package func requireHere() throws(TideError) {
    if !graph.isHere { throw .otherGraph("the runtime belongs to", graph) }
  }

}

/// Thrown by `exit` to leave the script.
struct ExitRequest: Error, CustomStringConvertible {
  let code: Int32
  var description: String { "exit(\(code))" }
}
