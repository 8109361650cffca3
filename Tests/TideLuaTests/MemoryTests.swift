import CTideLua
import Testing
@testable import TideLua

@Suite(.serialized) struct `Memory` {
  @Test func `a script that takes all memory gets an error and the state stays usable`() throws {
    var configuration = LuaConfiguration()
    configuration.memory = 8 << 20
    configuration.turn = nil
    let state = try LuaState(configuration)
    for source in [
      "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
      "local s = 'x' while true do s = s .. s end",
      "return ('x'):rep(100 << 20)",
      "local t = {} while true do t = { t } end",
      "return table.concat({ ('x'):rep(4 << 20), ('y'):rep(4 << 20) })",
      "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(print) end",
    ] {
      let error = #expect(throws: LuaError.self) { try state.run(source, name: "=m") }
      #expect(
        error?.kind == .memory || error?.kind == .runtime || error?.kind == .depth,
        "\(source): \(error as Any)")
      #expect(state.memoryUsed <= 8 << 20)
      #expect(try state.run("return #('x'):rep(1000)", name: "=t") == [1000])
    }
    let caught = try state.run(
      "local ok, e = pcall(function() return ('x'):rep(9 << 20) end) return ok, e", name: "=m")
    #expect(caught[0] == false)
    #expect(caught[1].string?.hasSuffix("not enough memory") == true)
  }

  @Test func `less than no memory is no memory, and never no limit`() throws {
    var configuration = LuaConfiguration()
    configuration.memory = -1
    let error = #expect(throws: LuaError.self) { _ = try LuaState(configuration) }
    #expect(error?.kind == .memory)
    #expect(error?.message.contains("-1 bytes of memory") == true)

    let state = try LuaState()
    state.setMemoryLimit(.min)
    #expect(throws: LuaError.self) { try state.run("return ('x'):rep(1 << 20)", name: "=m") }
    state.setMemoryLimit(64 << 20)
    for memory in [0, -1, Int.min] {
      #expect(throws: LuaError.self) {
        try state.evaluate(
          "#('x'):rep(1 << 20)", as: Int.self, budget: LuaBudget(memory: memory))
      }
    }
    #expect(try state.evaluate("#('x'):rep(1 << 20)", as: Int.self) == 1 << 20)
  }

  @Test func `print has a limit in each second`() throws {
    var configuration = LuaConfiguration()
    configuration.printedBytes = 100
    let state = try LuaState(configuration)
    var printed = 0
    state.onPrint = { printed += $0.utf8.count }
    let error = #expect(throws: LuaError.self) {
      try state.run("for i = 1, 100 do print('0123456789') end", name: "=p")
    }
    #expect(error?.message.contains("more than 100 bytes printed within a second") == true)
    #expect(printed <= 180)
  }

  @Test func `closing a coroutine in a full heap collects nothing`() throws {
    var configuration = LuaConfiguration()
    configuration.memory = 64 << 20
    configuration.turn = nil
    let state = try LuaState(configuration)
    try state.run(
      """
      many, texts, waiting = {}, {}, {}
      for i = 1, 20 do
        waiting[i] = coroutine.create(function() coroutine.yield() end)
        coroutine.resume(waiting[i])
      end
      function close() for i = 1, 20 do coroutine.close(waiting[i]) end end
      for i = 1, 300000 do many[i] = {} end
      local count = 0
      local function add(length)
        texts[count + 1] = string.char(count % 256, count // 256 % 256, count // 65536):rep(length)
        count = count + 1
      end
      for length = 16, 5, -1 do while pcall(add, 1 << length) do end end
      """, name: "=t")
    let close = try #require(try state.globals["close"].function)
    let began = processorTime()
    _ = try close.call([])
    let closed = processorTime()
    try state.run("collectgarbage()", name: "=t")
    #expect(closed - began < processorTime() - closed)
  }

  private struct Refusal: Error {}

  private final class Live {
    nonisolated(unsafe) static var count = 0
    init() { Live.count += 1 }
    deinit { Live.count -= 1 }
  }

  /// Uses the whole host API once; true when it got to its end.
  private func useEverything(_ state: LuaState) -> Bool {
    do {
      let live = Live()
      try state.register("add") { call in
        _ = live
        call.return(try call.number(0) + 1)
      }
      try state.register("refuse") { _ in throw Refusal() }
      try state.register("texts") { call in
        call.return(String(repeating: "long", count: 100))
        call.return(.table(try call.state.table([1, "two"])))
        for index in 0..<20 { call.return(index) }
      }
      try state.register("wait") { call in try call.suspend(yielding: ["waits"]) }
      let table = try state.table(["a": 1, "b": "text"])
      try table.set("c", .bytes([0xff]))
      _ = try table.entries()
      try state.globals.rawSet("host", .table(table.sealed(as: "host")))
      try state.globals.rawSet("live", .userdata(try state.userdata(for: Live())))
      let main = try state.load(
        """
        local t = {}
        for i = 1, 20 do t[i] = ('item %d'):format(i) .. add(i) end
        table.sort(t)
        local ok, e = pcall(refuse)
        local s = tostring(e) .. table.concat(t, ',') .. select('#', texts())
        for w in s:gmatch('%w+') do t[#t + 1] = w end
        s = s:gsub('item', { item = 'x' }):upper()
        local co = coroutine.wrap(function(...) return coroutine.yield(...) end)
        co(1, 2) co(3)
        xpcall(function() error({}) end, function(e) return e end)
        assert(load('return ...'))(s)
        return wait(), s
        """, name: "=everything")
      let thread = try state.thread(running: main)
      guard case .suspended = try thread.resume() else { return false }
      _ = try thread.resume(["go on"])
      let other = try state.thread(running: main)
      _ = try other.resume()
      _ = try? other.resume(throwing: Refusal())
      _ = try state.describe(.table(table))
      _ = try? state.run(
        "error(setmetatable({}, { __tostring = function() return 'x' end }))", name: "=e")
      _ = try? state.load("x x", name: "=e")
      return try state.run("return 'end'", name: "=t") == ["end"]
    } catch {
      return false
    }
  }

  @Test(arguments: [false, true])
  func `failing the n-th allocation, or all from there, harms nothing`(forever: Bool) throws {
    let before = Live.count
    var nth: UInt64 = 1
    var finished = 0
    while finished < 3, nth < 5000 {
      do {
        let state = try LuaState()
        let height = tide_state_height(state.raw)
        tide_memory_refuse(state.raw, nth, forever)
        let passed = useEverything(state)
        let reached = tide_memory_allocations(state.raw)
        tide_memory_refuse(state.raw, 0, false)
        #expect(tide_state_height(state.raw) == height)
        #expect(useEverything(state), "usable after the failure of allocation \(nth)")
        if passed, forever || reached < nth { finished += 1 } else { finished = 0 }
        state.close()
      }
      nth += nth < 400 ? 1 : 7
    }
    #expect(finished == 3)
    #expect(Live.count == before)
  }

  @Test func `a state that cannot be made is an error`() throws {
    var configuration = LuaConfiguration()
    for limit in stride(from: 100, through: 30_000, by: 700) {
      configuration.memory = limit
      if let state = try? LuaState(configuration) { #expect(state.isOpen) }
    }
    configuration.memory = 1000
    #expect(throws: LuaError.self) { try LuaState(configuration) }
  }

  @Test func `nothing is left after closing`() throws {
    for _ in 0..<50 {
      let state = try LuaState()
      _ = useEverything(state)
    }
    #expect(Live.count == 0)
  }
}
