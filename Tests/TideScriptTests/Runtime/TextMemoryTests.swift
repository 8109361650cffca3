import TideBindings
import TideGraph
import TideLua
import TideScript
import OwnThread
import Testing

/// Long names, paths, expressions and literals, of which a script makes the engine keep many.
@Suite struct `Memory of long texts` {
  private static let limit = 16 << 20

  /// Makes one more thing with a long text, `n .. s`, in it.
  static let makers = [
    "bind('a -> b | prefix(\"' .. n .. s .. '\")', a, b)",
    "bind('a -> b', a, b, { transform = 'prefix(\"' .. n .. s .. '\")' })",
    "bind('a -> b', a, b, { name = n .. s })",
    "bind('a -> b', a, b, { fallback = n .. s })",
    "bind('a -> b', a, b, { when = 'o.b' .. n .. s })",
    "bind('a -> o.b' .. n .. s, a, c)",
    "bind('zz' .. n .. '.' .. s .. ' -> yy.b')",
    "bind({ 'zz' .. n .. '.' .. s, 'zz.a' }, 'yy.b', { format = '%s %s' })",
    "binding('a -> b | prefix(\"' .. n .. s .. '\")')",
    "observe(a, 'o.b' .. n .. s, print)",
    "notification.observe(n .. s, print)",
    "trigger.notification(n .. s)",
    "trigger.change(a, 'o.b' .. n .. s)",
    "ref(a, 'a', 'prefix(\"' .. n .. s .. '\")')",
    "object { [n .. s] = 1 }",
    "class('C' .. n) { [n .. s] = 1 }",
    "class('C' .. n) { a = property { default = 1, message = n .. s } }",
    "model('m' .. n .. s)",
    "list {}:sorted('a' .. n .. s)",
    "list {}:group('a' .. n .. s)",
    "controller.list { content = list {}, sort = 'a' .. n .. s }",
    "controller.list { content = list {}, filter = 'a' .. n .. s }",
    "view.label { bindTo = { text = 'zz' .. n .. s .. '.b' } }",
    "view.component('c' .. n, { properties = { p = n .. s }, view = print })",
    "view.placeholders('label', { text = { null = n .. s } }) or true",
  ]

  private func runtime() throws -> Runtime {
    let runtime = try Runtime(
      file: "test.lua",
      configuration: .init(memory: .megabytes(16), turn: .seconds(600)))
    try runtime.evaluate(
      """
      n, s, kept = 0, ("x"):rep(60000), {}
      a, b, c = object { a = "", o = object {} }, object { b = "" }, object { o = object {} }
      """, as: Value.self)
    return runtime
  }

  @Test(arguments: makers)
  func `what is kept of them counts before there is too much`(maker: String) async throws {
    // A graph of its own: what other tests have made there takes part when its tables grow.
    try await onOwnThread { try fill(with: maker) }
  }

  private func fill(with maker: String) throws {
    let runtime = try runtime()
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("while n < 1000 do n = n + 1 kept[n] = \(maker) end", as: Value.self)
    }
    #expect(error?.code == .scriptMemory, "\(error as Any)")
    // Each holds its text at least once.
    // Read without a chunk, for which there may be no room left.
    let made = try #require(try runtime.lua.globals.rawGet(.string("n")).integer)
    #expect(made * 60_000 <= Self.limit, "\(made) were made")
    #expect(made * 60_000 >= Self.limit / 10, "only \(made) were made")
    #expect(runtime.memoryUsed <= Self.limit + 1 << 20)
  }

  @Test(arguments: [
    "while true do kept = { kept } n = n + 1 end",
    "while true do n = n + 1 kept[n] = { } end",
    "while true do n = n + 1 kept[n] = 'text ' .. n end",
    "while true do n = n + 1 kept[n] = observe(a, 'a', print) end",
  ])
  func `a host evaluates in memory that a script has filled`(filling: String) throws {
    let runtime = try runtime()
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("context.begin('full') " + filling, as: Value.self)
    }
    #expect(error?.code == .scriptMemory, "\(error as Any)")
    for _ in 0..<20 {
      let made = try runtime.evaluate("return n", as: Int.self)
      #expect(made > 1000)
      #expect(try runtime.evaluate("n", as: Int.self) == made)
      let text = try runtime.evaluate("local m = n * 2 return ('%d'):format(m)", as: String.self)
      #expect(text == "\(2 * made)")
    }
    try runtime.evaluate("kept = nil context.clear('full')", as: Value.self)
    #expect(try runtime.evaluate("#('x'):rep(1000000)", as: Int.self) == 1_000_000)
  }

  /// What nothing knows by its name, and no context keeps: a controller lives as long as its
  /// context.
  private static let passing = makers.filter { maker in
    !["class", "controller", "model", "object", "view.", "'zz"].contains { maker.contains($0) }
  }

  @Test(arguments: passing)
  func `what is dropped of them is given back`(maker: String) throws {
    let runtime = try runtime()
    let before = runtime.memoryUsed
    try runtime.evaluate("for i = 1, 20 do n = i kept[i] = \(maker) end", as: Value.self)
    runtime.lua.collectGarbage()
    try runtime.evaluate("local o = object { t = '' } o.t = ('y'):rep(500000)", as: Value.self)
    for _ in 0..<40 {
      try runtime.evaluate(
        """
        for i = 1, 20 do
          n = i
          local made = \(maker)
          pcall(function() made:unbind() end)
          pcall(function() made:cancel() end)
        end
        """, as: Value.self)
    }
    try runtime.evaluate(
      """
      for i = 1, 20 do
        pcall(function() kept[i]:unbind() end)
        pcall(function() kept[i]:cancel() end)
      end
      kept = nil
      """, as: Value.self)
    runtime.lua.collectGarbage()
    runtime.settle()
    #expect(runtime.memoryUsed < before + 2 << 20)
  }
}
