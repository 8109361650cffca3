import TideBindings
import TideLua
import TideScript
import TideSystem

/// A runtime for specs, with the spec functions and the environment that specs expect.
///
/// It belongs to the thread that creates it.
final class SpecRuntime {
  /// Receives the declarations and output of the spec functions while a block's function runs.
  protocol Listener: AnyObject {
    func declare(_ declaration: Declaration)
    func randomize(_ isOn: Bool, _ seed: Int?)
    func write(_ bytes: [UInt8])
  }

  struct Declaration {
    var descriptor: String
    var name: String?
    var function: LuaFunction?
    var mode: SpecElement.Mode?
    var trace: SpecTrace?
    /// The last line of its function, if tests are selected by line.
    var lastLine: Int?
  }

  let runtime: Runtime
  let options: TestOptions
  // The runner owns this object, and is the listener for its own lifetime.
  unowned(unsafe) var listener: (any Listener)?
  /// The spec files that ran in this runtime.
  private var specFiles: Set<String> = []
  /// The files that specs have loaded.
  private(set) var loadedFiles: Set<String> = []
  /// Owns the modules that a spec requires.
  var fileContext: BindingContext?
  /// Sends events to their Lua subscribers.
  private(set) var bridge: EventBridge?
  private(set) var words: [String: LuaFunction] = [:]
  private(set) var environment: LuaTable?
  private(set) var rootScope: LuaTable?
  /// The running blocks and test, the innermost last.
  var parts: [SpecScope] = []
  /// The project of the running file.
  var project: ProjectFolder
  /// The snapshots of the running file.
  var snapshots: SnapshotBook?
  /// The full name of the running test.
  var testName = ""
  /// The number of tests started so far.
  var testNumber = 0
  /// The errors listed since the test began.
  var listed: [TideError] = []
  /// The seconds by which specs have advanced the clock explicitly.
  private(set) var secondsAdvanced = 0.0
  private(set) lazy var screen = SpecScreen(runtime, recording: recording)
  /// Records what tests see, for those that fail; nil to record nothing.
  let recording: TestRecording?
  let sharing = SpecSharing()
  /// The time of day at clock time 0.
  let epoch: Double
  /// The remaining quota of a sandboxed file; nil for no limit.
  var quota: SpecQuota?
  private let seed: Int
  /// The number of the interpreter in `options.stop`.
  private var stopNumber: Int?

  /// - Parameter wantsTraces: whether reports need stack traces of declarations.
  init(_ options: TestOptions, file: String, wantsTraces: Bool, seed: Int = 0) throws {
    self.options = options
    self.seed = seed
    recording = options.artifacts.map { TestRecording($0) }
    project = ProjectFolder(ofSpec: file)
    var configuration = Runtime.Configuration()
    configuration.limits = options.limits
    options.configure(&configuration)
    configuration.lua.turn = .seconds(options.secondsOfTurn)
    configuration.lua.memory = options.memory
    // The spec functions need `debug` to find their callers; it is withheld from specs later.
    configuration.lua.capabilities = options.isSandboxed ? .debug : .all
    configuration.takesStubs = true
    configuration.lua.access = options.allowedAccess
    configuration.arguments = options.arguments
    // A whole number, so that sums of seconds stay exact.
    epoch = Seconds.sinceEpoch.rounded(.down)
    configuration.clock = VirtualClock(epoch: epoch)
    if configuration.shared == nil { configuration.shared = sharing }
    let box = ListenerBox()
    configuration.printBytes = { bytes in
      box.specs?.print(Array(bytes) + [UInt8(ascii: "\n")])
    }
    runtime = try Runtime(file: file, configuration: configuration)
    if options.isSandboxed { quota = SpecQuota() }
    if options.coverage != nil { runtime.lua.countLines() }
    runtime.graph.countRuns()
    stopNumber = options.stop?.add(runtime.lua.interrupter)
    box.specs = self
    try install(wantsTraces: wantsTraces)
    try options.prepare(runtime)
  }

  deinit {
    options.coverage?.add(runtime.lua.lineCounts)
    if let stopNumber { options.stop?.remove(stopNumber) }
  }

  /// Passes on output of specs.
  private func print(_ bytes: [UInt8]) {
    let passed = quota?.passed(bytes) ?? bytes
    if !passed.isEmpty { listener?.write(passed) }
  }

  private final class ListenerBox {
    // Outlives all its uses: it owns the runtime whose `print` refers to it.
    unowned(unsafe) var specs: SpecRuntime?
  }

  private func install(wantsTraces: Bool) throws {
    let lua = runtime.lua
    let host = try makeHost(lua)
    let settings = try makeSettings(lua, wantsTraces: wantsTraces)
    let made = try chunk("tidelock.test.words").call([.table(host), .table(settings)])
    guard let table = made.first?.table else { return }
    for more in ["tidelock.test.order", "tidelock.test.insulation"] {
      try chunk(more).call([.table(table)])
    }
    environment = try table.rawGet("environment").table
    rootScope = try table.rawGet("root").table
    try chunk("tidelock.test.world").call([.table(host), .table(settings), .table(table)])
    for (key, value) in try table.entries() {
      if let name = key.string, let function = value.function { words[name] = function }
    }
    // The spec functions have already captured what they need.
    if options.isSandboxed { runtime.withhold(library: "debug") }
  }

  /// Runs the statements of `-e` and the file of `--helper`.
  func runPreludes() throws {
    for statement in options.statements {
      try runtime.lua.load(statement, name: statement).call([])
    }
    guard let helper = options.helper, !helper.isEmpty else { return }
    let globals = try runtime.lua.globals
    let arguments = try globals.rawGet("arg")
    let given = try runtime.lua.table(options.helperArguments.map { LuaValue.string($0) })
    try globals.rawSet("arg", .table(given))
    let results: [LuaValue]?
    if helper.hasSuffix(".lua") {
      let source = try SpecFile.read(helper).bytes
      results = try runtime.lua.load(source, name: "@" + helper).call([])
    } else {
      results = try globals.rawGet("require").function?.call([.string(helper)])
    }
    if let function = results?.first?.function {
      let settings = try runtime.lua.table([
        "arguments": .table(given), "verbose": .boolean(options.isVerbose),
        "language": .string(options.language),
      ])
      _ = try words["callHelper"]?.call([.function(function), .string(helper), .table(settings)])
    }
    try globals.rawSet("arg", arguments)
  }

  private func chunk(_ name: String, _ environment: LuaTable? = nil) throws -> LuaFunction {
    guard let source = EmbeddedSource.all[name] else {
      throw TideError(.module, "there is no module \"\(name)\" in the program")
    }
    return try source.load(in: runtime.lua, environment: environment)
  }

  private func makeHost(_ lua: LuaState) throws -> LuaTable {
    let host = try lua.table()
    func add(_ name: String, _ body: @escaping (borrowing LuaCall) throws -> Void) throws {
      try host.rawSet(.string(name), .function(lua.function(named: name, body)))
    }
    try add("register") { [unowned self] call in
      let values = try call.values()
      // Scripts with the debug library can call it with arbitrary arguments.
      func value(_ index: Int) -> LuaValue { values.dropFirst(index).first ?? .nil }
      let declaration = Declaration(
        descriptor: value(0).string ?? "", name: try name(value(1)),
        function: value(2).function, mode: value(3).string.flatMap(SpecElement.Mode.init),
        trace: SpecTrace(values.dropFirst(5)), lastLine: value(4).integer)
      try quota?.declare(declaration.name)
      listener?.declare(quota == nil ? declaration : declaration.kept)
    }
    try add("randomize") { [unowned self] call in
      listener?.randomize(call.boolean(0), try call.isNil(1) ? nil : call.integer(1))
    }
    try add("chunk") { [unowned self] call in
      let environment = call.isNil(1) ? nil : try call.table(1)
      call.return(.function(try chunk(call.string(0), environment)))
    }
    try add("write") { [unowned self] call in
      switch try call.value(0) {
      case .bytes(let bytes): print(bytes)
      case .string(let text): print(Array(text.utf8))
      default: break
      }
    }
    try add("advance") { [unowned self] call in
      let seconds = try call.number(0)
      try recorded("clock.advance(\(Seconds.text(seconds)))") {
        advance(by: seconds)
        try catchUp()
      }
    }
    try add("now") { [unowned self] call in call.return(runtime.loop.now()) }
    try add("nextDeadline") { [unowned self] call in
      try catchUp()
      let deadlines = [runtime.loop.nextDeadline] + sessions.map(\.runtime.loop.nextDeadline)
      if let deadline = deadlines.compactMap(\.self).min() { call.return(deadline) }
    }
    try add("contents") { [unowned self] call in
      if let table = try runtime.contents(of: call.value(0)) { call.return(.table(table)) }
    }
    try add("subscribed") { [unowned self] call in
      if bridge == nil { bridge = try EventBridge(call.table(0), in: runtime.lua) }
    }
    try add("folder") { call in
      if let path = SystemPath.real(".") { call.return(.string(path)) }
    }
    try add("gettime") { call in call.return(Seconds.sinceEpoch) }
    try add("monotime") { call in call.return(Seconds.monotonic) }
    try add("loaded") { [unowned self] call in loadedFiles.insert(try call.string(0)) }
    try add("beginModule") { [unowned self] _ in
      // Modules of a mounted app end with the app.
      let home = hasApp ? nil : fileContext
      runtime.bindings.begin(home ?? runtime.context)
    }
    try add("endModule") { [unowned self] _ in _ = runtime.bindings.finish() }
    try addDriving(to: host)
    try addInquiries(to: host)
    return host
  }

  private func advance(by seconds: Double) {
    let (start, before) = (runtime.loop.now(), secondsAdvanced)
    runtime.loop.advance(by: seconds)
    // Computed from the clock, because a timer may have advanced it as well.
    secondsAdvanced = before + runtime.loop.now() - start
    runtime.settle()
  }

  private func name(_ value: LuaValue) throws -> String? {
    switch value {
    case .nil: nil
    case .string, .bytes: value.text
    default: try runtime.lua.describe(value)
    }
  }

  private func makeSettings(_ lua: LuaState, wantsTraces: Bool) throws -> LuaTable {
    func list(_ texts: [String]) throws -> LuaValue {
      .table(try lua.table(texts.map { LuaValue.string($0) }))
    }
    return try lua.table([
      "isFiltering": .boolean(options.isFiltering),
      "hasLines": .boolean(!options.lines.isEmpty),
      "isListing": .boolean(options.listsOnly),
      "isLazy": .boolean(options.isLazy),
      "isSandboxed": .boolean(options.isSandboxed),
      "wantsTraces": .boolean(wantsTraces),
      "longestWait": .number(Self.longestWait),
      "seed": .integer(seed),
      "timeLimit": .number(options.secondsOfTurn),
      "updatesSnapshots": .boolean(options.updatesSnapshots),
      "project": project.path == "." ? .nil : .string(project.path),
      "tags": list(options.tags),
      "excludeTags": list(options.excludedTags),
      "filter": list(options.filters),
      "filterOut": list(options.excludedFilters),
      "path": .string(options.modulePath.asPathPrefix),
      "cpath": .string(options.nativePath.asPathPrefix),
      "modules": list(EmbeddedSource.modules),
    ])
  }

  /// The longest wait, in seconds of a test's clock.
  static let longestWait = 86_400.0

  /// The seconds by which waiting tests have advanced the clock.
  var secondsWaited: Double { runtime.loop.now() - secondsAdvanced }
}

// MARK: Calling the spec functions

extension SpecRuntime {
  /// All files that specs have loaded or tried to load.
  var allLoadedFiles: Set<String> {
    var files = loadedFiles.union(runtime.modulePaths)
    if let helper = options.helper, helper.hasSuffix(".lua") { files.insert(helper) }
    files.remove(runtime.path)
    return files
  }

  /// Creates the environment of a block's functions.
  func makeScope(in outer: LuaTable?, path: String, exposes: Bool) throws -> LuaTable? {
    let parent: LuaValue = (outer ?? rootScope).map { .table($0) } ?? .nil
    return try words["block"]?.call([parent, .string(path), .boolean(exposes)]).first?.table
  }

  /// Records globals and loaded modules, for `restore`.
  func save() throws -> LuaValue? { try words["save"]?.call([]).first }

  func restore(_ saved: LuaValue) throws { _ = try words["restore"]?.call([saved]) }

  /// The indexes of the names in sorted order.
  func sorted(_ names: [String?]) throws -> [Int] {
    let order = try words["sorted"]?.call(names.map { $0.map { .string($0) } ?? false }) ?? []
    return order.compactMap { $0.integer.map { $0 - 1 } }
  }

  /// The indexes of `count` items, shuffled by a seed.
  func shuffled(_ count: Int, by seed: Int) throws -> [Int] {
    guard count > 1 else { return Array(0..<count) }
    let order = try words["shuffled"]?.call([.integer(count), .integer(seed)]) ?? []
    return order.compactMap { $0.integer.map { $0 - 1 } }
  }

  /// Whether a file is a spec that ran here, or was loaded by one.
  func knows(_ file: String) -> Bool { specFiles.contains(file) || allLoadedFiles.contains(file) }

  /// The source line of a problem, in a spec or in a file loaded by one.
  func sourceLine(of problem: SpecProblem) -> SourceLine? {
    let locations = [
      problem.message.flatMap { SourceLine.Location(of: $0) },
      problem.trace.map { SourceLine.Location($0.path, $0.line) },
    ]
    for location in locations.compactMap(\.self) where knows(location.file) {
      guard let file = try? SpecFile.read(location.file) else { continue }
      return SourceLine(location, in: file.source)
    }
    return nil
  }

  /// Compiles a spec file. Its globals resolve to those of the running block or test.
  func load(_ file: SpecFile) throws -> LuaFunction {
    specFiles.insert(file.name)
    return try runtime.lua.load(file.bytes, name: "@" + file.name, environment: environment)
  }
}
