import Testing
import TideLua

private final class Account {
  static nonisolated(unsafe) var live = 0
  var total = 0
  init() { Account.live += 1 }
  deinit { Account.live -= 1 }
}

@Suite(.serialized) struct `Owned and lent objects` {
  private let state: LuaState
  private let meta: LuaTable

  init() throws {
    Account.live = 0
    state = try LuaState()
    let deposit = try state.function(named: "deposit") { call in
      let account = try call.instance(0, of: Account.self)
      account.total += try call.integer(1)
      call.return(account.total)
    }
    meta = try state.table(["__index": .table(try state.table(["deposit": .function(deposit)]))])
  }

  @Test func `a script keeps what it was given`() throws {
    try state.globals.set("a", .userdata(state.userdata(for: Account(), metatable: meta)))
    state.collectGarbage()
    #expect(Account.live == 1)
    #expect(try state.run("return a:deposit(5)", name: "=t") == [5])
    try state.run("a = nil", name: "=t")
    state.collectGarbage()
    #expect(Account.live == 0)
  }

  @Test func `an object given again with another metatable has that one`() throws {
    let account = Account()
    let given = try state.userdata(for: account)
    try state.globals.set("a", .userdata(given))
    #expect(throws: LuaError.self) { try state.run("return a:deposit(5)", name: "=t") }
    for _ in 0..<2 {
      #expect(try state.userdata(for: account, metatable: meta) == given)
      #expect(try state.userdata(for: account) == given)
    }
    #expect(try state.run("return a:deposit(5)", name: "=t") == [5])
    try state.run("a = nil", name: "=t")
  }

  @Test func `a lent object is the host's, and a clear error once it is gone`() throws {
    var account: Account? = Account()
    do {
      let lent = try state.userdata(lending: try #require(account), metatable: meta)
      #expect(lent.object === account)
      #expect(try state.userdata(lending: try #require(account)) == lent)
      try state.globals.set("a", .userdata(lent))
    }
    #expect(try state.run("return a:deposit(5)", name: "=t") == [5])
    state.collectGarbage()
    #expect(account?.total == 5)
    account = nil
    #expect(Account.live == 0)
    let error = #expect(throws: LuaError.self) { try state.run("\na:deposit(5)", name: "@a.lua") }
    #expect(
      error?.description == "a.lua:2: calling 'deposit' on bad self (the Account is gone)")
    #expect(try state.globals["a"].userdata?.object == nil)
    let wrong = #expect(throws: LuaError.self) { try state.run("a.deposit({})", name: "=t") }
    #expect(wrong?.message == "bad argument #1 to 'deposit' (Account expected, got table)")
  }

  @Test func `an object at the address of a lent one that is gone is another`() throws {
    try state.run("seen = setmetatable({}, { __mode = 'k' })", name: "=t")
    let seen = try #require(try state.globals["seen"].table)
    for _ in 0..<2000 {
      let account = Account()
      let lent = try state.userdata(lending: account, metatable: meta)
      #expect(lent.object === account)
      #expect(try seen[.userdata(lent)] == nil)
      try seen.set(.userdata(lent), true)
    }
    state.collectGarbage()
    #expect(Account.live == 0)
  }

  @Test func `a value of another state is refused`() throws {
    let other = try LuaState()
    let table = try other.table([1])
    let function = try other.load("return 1", name: "=o")
    let echo = try state.evaluate("function(...) return ... end", as: LuaFunction.self)
    func message(_ body: () throws -> Void) -> String? {
      #expect(throws: LuaError.self) { try body() }?.message
    }
    let expected = "the value belongs to another Lua state"
    #expect(message { try echo.call([1, .table(table)]) } == expected)
    #expect(message { _ = try echo(.function(function)) } == expected)
    #expect(message { try state.globals.set("x", .table(table)) } == expected)
    #expect(message { try state.globals.setMetatable(table) } == expected)
    #expect(message { _ = try state.load("", name: "=t", environment: table) } == expected)
    #expect(message { _ = try state.thread(running: function) } == expected)
    #expect(message { _ = try state.userdata(for: Account(), metatable: table) } == expected)
    try state.register("give") { call in call.return(.table(table)) }
    #expect(message { try state.run("give()", name: "=t") } == expected)
    #expect(try table[1] == 1)
  }

  @Test func `warnings come whole, and can be switched`() throws {
    var warnings: [String] = []
    state.onWarning = { warnings.append($0) }
    try state.run(
      """
      warn('first') warn('in ', 'three ', 'pieces') warn('@off') warn('unheard') warn('un', 'heard')
      warn('@on') warn('@unknown') warn('@on', ' is no control') warn('last')
      """, name: "=t")
    #expect(warnings == ["first", "in three pieces", "@on is no control", "last"])
  }
}
