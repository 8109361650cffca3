import TideLua

/// A report by a busted output handler written in Lua.
///
/// It runs in its own Lua state, because specs run in several; elements are passed as tables with
/// the same fields. In the sandbox each event has a budget, and a handler that exceeds it receives
/// no more events.
final class LuaReport: SpecReport {
  private let writer: ReportWriter
  private let bridge: EventBridge
  private let complain: (String) -> Void
  private let companions: Companions
  private var hasStopped = false
  /// Whether the handler has exceeded its budget and is no longer called.
  private var hasOverrun = false

  /// Built-in reports that the handler extends.
  private final class Companions {
    var made: [SpecReports.Made] = []
  }

  /// Whether part of the report failed.
  var hasFailed: Bool { hasStopped || companions.made.contains { !$0.isGood() } }

  var wantsTraces: Bool { true }

  /// - Throws: `LuaError` if there is no such handler, or it cannot be run.
  init(
    _ name: String, _ options: TestOptions, _ writer: ReportWriter, isTerminal: Bool,
    _ complain: @escaping (String) -> Void
  ) throws {
    self.writer = writer
    self.complain = complain
    // Outside of the sandbox a handler is trusted, and may need much memory in a long run.
    let lua = try ProjectInterpreter.make(options, isTimed: false)
    let report = try Self.chunk("tidelock.test.report", lua)
    let companions = Companions()
    let host = try Self.makeHost(lua, writer) { name, changed in
      var options = options
      let given = options.outputArguments
      options.output = name
      changed(&options)
      for file in options.outputArguments where !given.contains(file) {
        try options.bounds?.check(file, namedBy: "the output handler")
      }
      companions.made.append(
        try SpecReports.make(options, writer, isTerminal: isTerminal, complain))
    }
    var preload = LuaValue.nil
    if options.isSandboxed {
      preload = .table(
        try ProjectInterpreter.confine(lua, options) { try Self.write(call: $0, writer) })
    }
    let results = try report.call([
      .table(host), .table(try Self.makeSettings(lua, options)),
      .string(name), .table(try Self.makeOptions(lua, options)), preload,
    ])
    guard let module = results.first?.table, let bridge = try EventBridge(module, in: lua) else {
      throw LuaError(.runtime, "\(name) is not an output handler")
    }
    self.bridge = bridge
    self.companions = companions
  }

  func take(_ event: SpecEvent) {
    switch event {
    case .output(let bytes): writer.write(bytes)
    case .listed(let node): writer.write(node.listing + "\n")
    default:
      for made in companions.made { made.report.take(event) }
      if hasOverrun { return }
      do { try bridge.take(event) } catch {
        // Complains once, not for each test.
        if !hasStopped { complain("the output handler failed: \(error)") }
        hasStopped = true
        hasOverrun = [.time, .memory, .closed].contains((error as? LuaError)?.kind)
      }
    }
  }

  private static func chunk(
    _ name: String, _ lua: LuaState, _ environment: LuaTable? = nil
  ) throws -> LuaFunction {
    guard let source = EmbeddedSource.all[name] else {
      throw LuaError(.runtime, "there is no module \"\(name)\" in the program")
    }
    return try source.load(in: lua, environment: environment)
  }

  /// - Parameter addReport: makes a built-in report, with options that the handler has changed.
  private static func makeHost(
    _ lua: LuaState, _ writer: ReportWriter,
    adding addReport: @escaping (String, (inout TestOptions) -> Void) throws -> Void
  ) throws -> LuaTable {
    let host = try lua.table()
    func add(_ name: String, _ body: @escaping (borrowing LuaCall) throws -> Void) throws {
      try host.rawSet(.string(name), .function(lua.function(named: name, body)))
    }
    try add("chunk") { call in
      call.return(.function(try chunk(call.string(0), call.state, call.table(1))))
    }
    try add("write") { call in try write(call: call, writer) }
    try add("open") { call in
      let file = try SpecFile.read(call.string(0))
      let made = try call.state.load(file.bytes, name: "@" + file.name).call([])
      call.return(made.first ?? .nil)
    }
    try add("report") { call in
      let values = try call.values()
      func flag(_ index: Int) -> Bool { values.dropFirst(index).first?.boolean ?? false }
      try addReport(values.first?.text ?? "") { options in
        options.isVerbose = flag(1)
        options.suppressesPending = flag(2)
        options.defersPrint = flag(3)
        options.outputArguments = values.dropFirst(4).compactMap(\.text)
      }
    }
    try add("gettime") { call in call.return(Seconds.sinceEpoch) }
    try add("monotime") { call in call.return(Seconds.monotonic) }
    return host
  }

  private static func write(call: borrowing LuaCall, _ writer: ReportWriter) throws {
    switch try call.value(0) {
    case .bytes(let bytes): writer.write(bytes)
    case .string(let text): writer.write(text)
    default: break
    }
  }

  private static func makeSettings(_ lua: LuaState, _ options: TestOptions) throws -> LuaTable {
    let modules = EmbeddedSource.modules.map { LuaValue.string($0) }
    return try lua.table([
      "path": .string(options.modulePath.asPathPrefix),
      "cpath": .string(options.nativePath.asPathPrefix),
      "modules": .table(try lua.table(modules)),
    ])
  }

  private static func makeOptions(_ lua: LuaState, _ options: TestOptions) throws -> LuaTable {
    let arguments = options.outputArguments.map { LuaValue.string($0) }
    return try lua.table([
      "defaultOutput": "plainTerminal",
      "enableSound": .boolean(options.hasSound),
      "verbose": .boolean(options.isVerbose),
      "suppressPending": .boolean(options.suppressesPending),
      "language": .string(options.language),
      "deferPrint": .boolean(options.defersPrint),
      "arguments": .table(try lua.table(arguments)),
    ])
  }
}
