import Logging
import TideBindings
import TideGraph
import TideScript
import Testing

@Suite struct `Limits` {
  private func runtime(_ change: (inout Runtime.Limits) -> Void) throws -> Runtime {
    var configuration = Runtime.Configuration()
    change(&configuration.limits)
    return try Runtime(file: "test.lua", configuration: configuration)
  }

  @Test(arguments: [
    "l:set { 1, 2, 3, 4 }", "l:append(1, 2, 3, 4)", "l:insert(1, 1, 2, 3, 4)",
    "list { 1, 2, 3, 4 }",
    "object { rows = { 1, 2, 3, 4 } }", "o.rows = { 1, 2, 3, 4 }", "o.any = { 1, 2, 3, 4 }",
  ])
  func `so many rows at once are refused, and nothing changes`(script: String) throws {
    let runtime = try runtime { $0.rows = 3 }
    try runtime.evaluate(
      "l = list { 7 } o = object { rows = { 8 }, any = property {} }", as: Value.self)
    let error = #expect(throws: TideError.self) { try runtime.evaluate(script, as: Value.self) }
    #expect(error?.code == .limit)
    #expect(
      error?.message == "4 rows at once are more than one change may have, which is 3; "
        + "make it in parts, or raise the limit \"rows\"")
    #expect(try runtime.evaluate("#l + #o.rows", as: Value.self) == 2)
    try runtime.evaluate("l:set { 1, 2, 3 }", as: Value.self)
  }

  @Test func `a filter that does not end is not told of in each turn`() throws {
    let configuration = Runtime.Configuration(turn: .milliseconds(50))
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    try runtime.evaluate(
      """
      armed = object { on = false }
      c = controller.list { content = list { 1 }, filter = function()
        if armed.on then while true do end end
        return true
      end }
      after(0, function() armed.on = true end)
      """, as: Value.self)
    for _ in 0..<4 { runtime.turn(timeout: 0) }
    let told = runtime.listedErrors
    #expect(runtime.errors.contains { $0.code == .scriptTime })
    for _ in 0..<8 { runtime.turn(timeout: 0) }
    #expect(runtime.listedErrors == told)
    #expect(!runtime.errors.contains { $0.code == .cycle })
  }

  @Test func `the limit of settings is set by its name`() throws {
    var limits = Runtime.Limits()
    let isKnown = limits.set("settings", to: 10)
    #expect(isKnown && limits.settings == 10)
  }

  @Test func `so many timers may wait, and one that has run makes room`() throws {
    let runtime = try runtime { $0.timers = 3 }
    try runtime.evaluate(
      "a = after(0, function() end) b = after(100, print) c = every(100, print)", as: Value.self)
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("after(1, print)", as: Value.self)
    }
    #expect(error?.code == .limit)
    #expect(error?.message.contains("3 timers wait") == true)
    runtime.settle()
    try runtime.evaluate("d = after(1, print)", as: Value.self)
    #expect(throws: TideError.self) { try runtime.evaluate("after(1, print)", as: Value.self) }
    try runtime.evaluate("b:cancel() after(1, print)", as: Value.self)
  }

  @Test(arguments: [
    "o.s = ('x'):rep(1001)", "l:append(('x'):rep(1001))", "object { s = ('x'):rep(1001) }",
    "d.s = ('x'):rep(1001)", "o.s = ('\\xff'):rep(1001)",
  ])
  func `text that is too long is refused`(script: String) throws {
    let runtime = try runtime { $0.value = 1000 }
    try runtime.evaluate("o = object { s = 'kept' } l = list {} d = dict {}", as: Value.self)
    let error = #expect(throws: TideError.self) { try runtime.evaluate(script, as: Value.self) }
    #expect(error?.message.contains("a text of 1001 bytes is longer than") == true)
    #expect(error?.message.contains("raise the limit \"value\"") == true)
    #expect(try runtime.evaluate("o.s", as: Value.self) == "kept")
    try runtime.evaluate("o.s = ('x'):rep(1000)", as: Value.self)
  }

  @Test func `computed values nest as deep as the limit says`() throws {
    let script = """
      chain = { object { v = 1 } }
      for i = 2, 30 do
        local before = chain[i - 1]
        chain[i] = object { v = computed(function()
          -- Where it cannot wait for the value.
          local value
          table.sort({ 1, 2 }, function(a, b) value = before.v return a < b end)
          return value + 1
        end) }
      end
      return chain[30].v
      """
    #expect(try runtime { $0.depth = 40 }.evaluate(script, as: Value.self) == 30)
    let error = #expect(throws: TideError.self) {
      try runtime { $0.depth = 20 }.evaluate(script, as: Value.self)
    }
    #expect(error?.code == .depth)
  }

  @Test func `lines beyond the limit are dropped and counted`() throws {
    let log = Lines()
    var configuration = Runtime.Configuration()
    configuration.limits.logLines = 3
    configuration.logger = Logger(label: "test") { _ in log }
    do {
      let runtime = try Runtime(file: "test.lua", configuration: configuration)
      try runtime.evaluate("for i = 1, 10 do log.info('line ' .. i) end", as: Value.self)
      #expect(log.messages == ["line 1", "line 2", "line 3"])
    }
    #expect(log.messages.count == 4)
    #expect(
      log.messages.last?.hasPrefix("7 lines were not logged: there may be 3 a second") == true)
  }

  @Test func `sizes compare, none being the largest`() {
    #expect(MemorySize.megabytes(1).bytes == 1 << 20)
    #expect(MemorySize.megabytes(1) < .megabytes(2))
    #expect(MemorySize.megabytes(1) < .unlimited)
    #expect(!(MemorySize.unlimited < .unlimited))
    #expect(MemorySize.megabytes(.max) == .unlimited)
    #expect(MemorySize(bytes: -5) < .megabytes(0))
  }

  @Test(arguments: [
    MemorySize(bytes: -1), MemorySize(bytes: 0), .megabytes(0), .megabytes(-1), .megabytes(.min),
  ])
  func `no amount of memory is refused, and never means that there is no limit`(
    memory: MemorySize
  ) throws {
    let error = #expect(throws: TideError.self) {
      _ = try Runtime(file: "app.lua", configuration: .init(memory: memory))
    }
    #expect(error?.code == .limit)
  }

  @Test func `a script that floods the host with print is stopped by an error of its own`() throws {
    var configuration = Runtime.Configuration()
    configuration.limits.printed = 1000
    var printed = 0
    configuration.print = { printed += $0.utf8.count }
    let runtime = try Runtime(source: "-- nothing", configuration: configuration)
    let flood = "for i = 1, 1000 do print(('x'):rep(99)) end"
    let error = #expect(throws: TideError.self) { try runtime.evaluate(flood, as: Value.self) }
    #expect(error?.message.contains("more than 1000 bytes printed within a second") == true)
    // The loop may have been in two seconds.
    #expect(printed <= 2 * 990)
    #expect(Runtime.Limits.names.contains("printed"))
  }

  @Test func `a length of values that is none does not mean that they may be of any length`() throws
  {
    let runtime = try runtime { $0.value = -1 }
    try runtime.evaluate("o = object { text = '' }", as: Value.self)
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("o.text = ('x'):rep(100)", as: Value.self)
    }
    #expect(error?.message.contains("raise the limit \"value\"") == true)
  }

  /// Keeps messages; used on one thread.
  private final class Lines: LogHandler, @unchecked Sendable {
    var messages: [String] = []
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { messages.append("\(event.message)") }
  }
}
