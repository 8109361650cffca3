import TideLua

/// Sends events to Lua subscribers: those of a helper or spec, and output handlers.
final class EventBridge {
  private let state: LuaState
  private let tell: LuaFunction
  private let tellSuite: LuaFunction
  private let tellExit: LuaFunction
  private let clear: LuaFunction
  private var current: SuiteStart?

  /// - Parameter module: the result of `tidelock.test.bridge`.
  init?(_ module: LuaTable, in state: LuaState) throws {
    guard let tell = try module.rawGet("tell").function,
      let suite = try module.rawGet("suite").function,
      let exit = try module.rawGet("exit").function,
      let clear = try module.rawGet("clear").function
    else { return nil }
    self.state = state
    self.tell = tell
    tellSuite = suite
    tellExit = exit
    self.clear = clear
  }

  func take(_ event: SpecEvent) throws {
    switch event {
    case .suiteStart(let start):
      current = start
      if start.number > 1 {
        try clear.call([])
        try suite("reset", start)
      }
      try suite("start", start)
    case .suiteEnd(let duration):
      if let current { try suite("end", current, [.number(duration)]) }
    case .fileStart(let node): try tell("file", "start", node)
    case .fileEnd(let node): try tell("file", "end", node)
    case .blockStart(let node): try tell("describe", "start", node)
    case .blockEnd(let node): try tell("describe", "end", node)
    case .testStart(let node): try tell("test", "start", node)
    case .testEnd(let node, let status):
      try tell("test", "end", node, [.string(status.rawValue)])
    case .problem(let node, let problem):
      try tell(
        problem.status.rawValue, node.descriptor, node,
        [problem.message.map { .string($0) } ?? .nil, try table(problem.trace)])
    case .exit: try tellExit.call([])
    case .listed, .output, .notice: break
    }
  }

  private func suite(_ what: String, _ start: SuiteStart, _ rest: [LuaValue] = []) throws {
    try tellSuite.call(
      [
        .string(what), .integer(start.number), .integer(start.total),
        start.seed.map { .integer($0) } ?? .nil, .number(start.time),
      ] + rest)
  }

  private func tell(
    _ first: String, _ second: String, _ node: SpecNode, _ rest: [LuaValue] = []
  ) throws {
    try tell.call([.string(first), .string(second), .table(try table(node))] + rest)
  }

  private func table(_ node: SpecNode) throws -> LuaTable {
    let table = try state.table([
      "id": .integer(node.id),
      "start": .number(node.start),
      "hasParent": .boolean(node.parent != nil),
    ])
    if !node.descriptor.isEmpty {
      try table.rawSet("descriptor", .string(node.descriptor))
    }
    if let name = node.name { try table.rawSet("name", .string(name)) }
    if let parent = node.parent { try table.rawSet("parent", .integer(parent)) }
    if let seed = node.seed { try table.rawSet("seed", .integer(seed)) }
    if !node.failedAttempts.isEmpty {
      try table.rawSet("failedAttempts", .integer(node.failedAttempts.count))
    }
    if let duration = node.duration { try table.rawSet("duration", .number(duration)) }
    if node.trace != nil { try table.rawSet("trace", try self.table(node.trace)) }
    return table
  }

  /// An empty table without a trace, because handlers index it without a check.
  private func table(_ trace: SpecTrace?) throws -> LuaValue {
    guard let trace else { return .table(try state.table()) }
    let table = try state.table([
      "source": .string(trace.source), "short_src": .string(trace.file),
      "currentline": .integer(trace.line), "what": .string(trace.kind),
      "linedefined": .integer(trace.firstLine), "lastlinedefined": .integer(trace.lastLine),
    ])
    if let traceback = trace.traceback { try table.rawSet("traceback", .string(traceback)) }
    return .table(table)
  }
}
