import OwnThread
import TideBindings
import TideGraph
import TideLua
import TideReload
import TideScript
import Testing

/// What scripts make the engine hold counts as theirs.
@Suite struct `Memory of scripts` {
  private func runtime(megabytes: Int = 16) throws -> Runtime {
    try Runtime(
      file: "test.lua", configuration: .init(memory: .megabytes(megabytes), turn: .seconds(600)))
  }

  /// Everything that scripts can make without end; `i` counts, and `kept` is let go of afterwards.
  static let attacks = [
    "kept = list {} while true do kept:append(('x'):rep(100000) .. i) i = i + 1 end",
    "kept = list {} while true do kept:append('a short text of ' .. i) i = i + 1 end",
    "kept = list {} while true do kept[#kept + 1] = i i = i + 1 end",
    "kept = {} while true do kept[i] = object { a = 1, b = 'b' } i = i + 1 end",
    "kept = {} while true do kept[i] = object { a = {} } kept[i].a = { 1, 2, 3 } i = i + 1 end",
    "kept = {} while true do kept[i] = list { i } i = i + 1 end",
    "kept = dict {} while true do kept['key ' .. i] = i i = i + 1 end",
    "kept = dict {} while true do kept['k' .. i] = ('y'):rep(5000) .. i i = i + 1 end",
    "kept = {} while true do kept[i] = view.label { text = 'label ' .. i } i = i + 1 end",
    "kept = view.column {} while true do kept:add(view.label {}) i = i + 1 end",
    """
    kept = {}
    while true do
      local a, b = object { n = 1 }, object { n = 2 }
      kept[i] = { a, b, bind('n -> n', a, b) }
      i = i + 1
    end
    """,
    "kept = object { n = 1 } while true do observe(kept, 'n', function() end) i = i + 1 end",
    "while true do effect(function() end) i = i + 1 end",
    "while true do every(1000, function() end) i = i + 1 end",
    "while true do context('c' .. i, function() end) i = i + 1 end",
    "while true do notification.observe('n' .. i, function() end) i = i + 1 end",
    "while true do transformer('t' .. i, function(v) return v end) i = i + 1 end",
    "while true do model('m' .. i) { n = i } i = i + 1 end",
    "while true do model('m' .. i) i = i + 1 end",
    """
    kept = {}
    for n = 1, 100 do kept['p' .. n] = '' end
    kept = object(kept)
    while true do kept['p' .. i % 100 + 1] = ('z'):rep(500000) .. i i = i + 1 end
    """,
  ]

  @Test(arguments: attacks)
  func `whatever has no end ends in an ordinary error, and the app goes on`(attack: String)
    async throws
  {
    // A graph of its own: what other tests have made there takes part when its tables grow.
    try await onOwnThread { try fill(with: attack) }
  }

  private func fill(with attack: String) throws {
    let runtime = try runtime(megabytes: 8)
    let limit = 8 << 20
    try runtime.evaluate("i = 1 kept = nil", as: Value.self)
    let error = #expect(throws: TideError.self) { try runtime.evaluate(attack, as: Value.self) }
    #expect(error?.code == .scriptMemory, "\(error as Any)")
    #expect(error?.message == "not enough memory")
    #expect(runtime.memoryUsed <= limit + 1 << 20, "\(attack)")
    // A table that grows lies beside its successor for a while.
    #expect(runtime.memoryUsed > limit / 3, "it was \(runtime.memoryUsed)")
    // Dropped, it is free again. (There is no such script to start anew, which ends the old one.)
    try? runtime.reset()
    try runtime.evaluate("kept = nil i = nil", as: Value.self)
    try runtime.evaluate("object {}", as: Value.self)
    runtime.lua.collectGarbage()
    runtime.settle()
    // Names last: what transformers and classes are called is known from then on.
    if !attack.contains("transformer") && !attack.contains("model") {
      #expect(runtime.memoryUsed < limit / 2, "it was \(runtime.memoryUsed)")
    }
    #expect(
      try runtime.evaluate(
        "local l = list { 1, 2, 3 } return #l + object { n = 4 }.n", as: Value.self) == 7)
  }

  @Test(arguments: [
    "for i = 1, 3000 do local o = object { s = '' } o.s = ('x'):rep(100000) .. i end",
    "for i = 1, 100000 do local o = object { a = i, b = {} } end",
    "for i = 1, 3000 do local l = list {} l:append(('x'):rep(100000) .. i) end",
    "for i = 1, 20000 do local v = view.label { text = 'label ' .. i } end",
    "local l = list {} for i = 1, 3000 do l:append(('x'):rep(100000)) l:remove(1) end",
    "local o = object { s = '' } for i = 1, 3000 do o.s = ('x'):rep(100000) .. i end",
    """
    local o = object { n = 1 }
    for i = 1, 30000 do
      local p = object { n = 1 }
      bind('n -> n', o, p):unbind()
      observe(o, 'n', function() end):cancel()
      after(1000, function() end):cancel()
    end
    """,
  ])
  func `what is dropped does not count`(script: String) throws {
    let runtime = try runtime()
    try runtime.evaluate(script, as: Value.self)
    #expect(runtime.memoryUsed < 17 << 20)
  }

  @Test func `a script that catches the error makes up for it`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      local l = list {}
      ok, why = pcall(function() while true do l:append(('x'):rep(100000)) end end)
      full = #l
      l:clear()
      l:append(('y'):rep(100000))
      left = #l
      """, as: Value.self)
    #expect(try runtime.evaluate("ok", as: Value.self) == false)
    #expect(
      try runtime.evaluate("tostring(why):match('not enough memory')", as: Value.self)
        == "not enough memory")
    #expect(try runtime.evaluate("full > 100 and left == 1", as: Value.self) == true)
  }

  /// Binds a text of a megabyte to so many objects.
  private func bindMegabyte(to count: Int, by expression: String, in runtime: Runtime) throws {
    try runtime.evaluate(
      """
      source, kept = object { s = '' }, {}
      for i = 1, \(count) do
        kept[i] = object { s = '' }
        bind('\(expression)', source, kept[i])
      end
      source.s = ('x'):rep(1000000)
      """, as: Value.self)
  }

  @Test func `transformers cannot multiply a text beyond the limit`() throws {
    let runtime = try runtime()
    try bindMegabyte(to: 100, by: "s -> s | uppercase", in: runtime)
    #expect(runtime.memoryUsed < 17 << 20)
    #expect(runtime.errors.contains { $0.code == .scriptMemory })
    try runtime.evaluate("source.s = 'short'", as: Value.self)
    #expect(try runtime.evaluate("kept[100].s", as: Value.self) == "SHORT")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `files that are open count`() throws {
    var configuration = Runtime.Configuration(memory: .megabytes(16), turn: .seconds(600))
    let folder = String(#filePath[..<(#filePath.lastIndex(of: "/") ?? #filePath.endIndex)])
    configuration.lua.access.read = [folder]
    let runtime = try Runtime(file: "test.lua", configuration: configuration)
    let before = runtime.memoryUsed
    try runtime.evaluate(
      "kept = {} for i = 1, 60 do kept[i] = assert(io.open([[\(#filePath)]])) end", as: Value.self)
    let held = runtime.memoryUsed
    #expect(held - before > 60 * 16384)
    try runtime.evaluate("for _, f in ipairs(kept) do f:close() end kept = nil", as: Value.self)
    runtime.lua.collectGarbage()
    #expect(held - runtime.memoryUsed > 60 * 16384)
  }

  final class Document: DataObject {
    @Property var text = ""
  }

  @Test func `the host's own objects do not count`() throws {
    let runtime = try runtime()
    let document = Document()
    document.text = String(repeating: "long ", count: 10 << 20)
    try runtime.register("document", document)
    #expect(runtime.memoryUsed < 8 << 20)
    try runtime.evaluate(
      "local l = list {} for i = 1, 1000 do l:append('some text of ' .. i) end", as: Value.self)
  }

  @Test func `text that several share counts once`() throws {
    let runtime = try runtime()
    try bindMegabyte(to: 200, by: "s -> s", in: runtime)
    #expect(runtime.memoryUsed < 8 << 20)
  }

  @Test func `an error's endless message is cut`() throws {
    let runtime = try runtime()
    try runtime.evaluate("after(0, function() error(('x'):rep(1000000)) end)", as: Value.self)
    runtime.settle()
    let error = try #require(runtime.errors.first)
    #expect(error.message.utf8.count < 10_000)
    #expect(error.message.hasSuffix("… (1000000 bytes in all)"))
  }
}
