import TideLua

/// A report by an output handler that is written in Lua for busted.
///
/// It runs in a state of its own, because specs run in many; elements are tables with the same fields.
final class LuaReport: SpecReport {
  private let writer: ReportWriter
  private let bridge: EventBridge
  private let complain: (String) -> Void
  private(set) var hasFailed = false

  var wantsTraces: Bool { true }

  /// - Throws: `LuaError` when there is no such handler, or it cannot be run.
  init(
    _ name: String, _ options: TestOptions, _ writer: ReportWriter,
    _ complain: @escaping (String) -> Void
  ) throws {
    self.writer = writer
    self.complain = complain
    var configuration = LuaConfiguration()
    configuration.capabilities = .all
    // A report is the person's own program, and a long run makes it hold much.
    configuration.turn = nil
    configuration.memory = 0
    let lua = try LuaState(configuration)
    let report = try Self.chunk("tidelock.test.report", lua)
    let results = try report.call([
      .table(try Self.makeHost(lua, writer)), .table(try Self.makeSettings(lua, options)),
      .string(name), .table(try Self.makeOptions(lua, options)),
    ])
    guard let module = results.first?.table, let bridge = try EventBridge(module, in: lua) else {
      throw LuaError(.runtime, "\(name) is no output handler")
    }
    self.bridge = bridge
  }

  func take(_ event: SpecEvent) {
    switch event {
    case .output(let bytes): writer.write(bytes)
    case .listed(let node): writer.write(node.listing + "\n")
    default:
      do { try bridge.take(event) } catch {
        // One complaint, and not one for each test.
        if !hasFailed { complain("the output handler failed: \(error)") }
        hasFailed = true
      }
    }
  }

  private static func chunk(_ name: String, _ lua: LuaState) throws -> LuaFunction {
    guard let source = EmbeddedSource.all[name] else {
      throw LuaError(.runtime, "there is no module \"\(name)\" in the program")
    }
    return try source.load(in: lua)
  }

  private static func makeHost(_ lua: LuaState, _ writer: ReportWriter) throws -> LuaTable {
    let host = try lua.table()
    func add(_ name: String, _ body: @escaping (borrowing LuaCall) throws -> Void) throws {
      try host.rawSet(.string(name), .function(lua.function(named: name, body)))
    }
    try add("chunk") { call in
      call.return(.function(try chunk(call.string(0), call.state)))
    }
    try add("write") { call in
      switch try call.value(0) {
      case .bytes(let bytes): writer.write(bytes)
      case .string(let text): writer.write(text)
      default: break
      }
    }
    try add("gettime") { call in call.return(Seconds.sinceEpoch) }
    try add("monotime") { call in call.return(Seconds.monotonic) }
    return host
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
