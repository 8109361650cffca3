import Testing
import TideLua

@Suite struct `Swift classes that scripts see` {
  class Account: TideConvertible {
    let owner: String
    var balance = 0
    let onEnd: () -> Void
    init(owner: String, onEnd: @escaping () -> Void = {}) {
      self.owner = owner
      self.onEnd = onEnd
    }
    deinit { onEnd() }
  }
  final class Savings: Account {}
  final class Stranger: TideConvertible {}
  struct Overdrawn: Error, Equatable { let by: Int }

  private let state: LuaState
  private let counter = Counter()
  final class Counter { var count = 0 }

  private static func description(_ counter: Counter) -> LuaUserType<Account> {
    let type = LuaUserType<Account>("Account")
    type.property("owner", \.owner)
    type.property("balance", \.balance)
    type.property("double") {
      $0.balance * 2
    } set: { (account: Account, amount: Int) in
      guard amount % 2 == 0 else { throw LuaError(.runtime, "only even amounts") }
      account.balance = amount / 2
    }
    type.method("withdraw") { (account: Account, amount: Int) in
      guard amount <= account.balance else { throw Overdrawn(by: amount - account.balance) }
      account.balance -= amount
    }
    type.method("transfer") { (account: Account, amount: Int, other: Account) in
      account.balance -= amount
      other.balance += amount
      return account.balance
    }
    type.function("new") { (owner: String) in Account(owner: owner) { counter.count += 1 } }
    type.function("savings") { (owner: String) -> Account in Savings(owner: owner) }
    type.operator(.equal) { (left: Account, right: Account) in left.owner == right.owner }
    type.operator(.lessThan) { (left: Account, right: Account) in left.balance < right.balance }
    type.operator(.add) { (account: Account, amount: Int) in
      account.balance += amount
      return account
    }
    type.operator(.length) { (account: Account) in account.balance }
    type.operator(.call) { (account: Account, amount: Int) in amount }
    type.operator(.description) { (account: Account) in "account of \(account.owner)" }
    return type
  }

  init() throws {
    state = try LuaState()
    try state.register(Self.description(counter))
    try state.register("stranger") { () -> Stranger in Stranger() }
    try state.register("ownerOf") { (account: Account) in account.owner }
  }

  private func message(_ script: String) -> String {
    do {
      try state.run(script, name: "@a.lua")
      return "no error"
    } catch { return error.description }
  }

  @Test func `have properties, methods, operators and functions of their own`() throws {
    let results = try state.run(
      """
      local a, b = Account.new("Ann"), Account.new("Bob")
      a.balance = 10
      a:withdraw(3)
      b.double = 8
      return a.owner, a.balance, a:transfer(2, b), b.balance, a == b, a == Account.new("Ann"),
        a < b, #(a + 5), a(3), tostring(a), ownerOf(b), a.double
      """, name: "=t")
    #expect(
      results == ["Ann", 7, 5, 6, false, true, true, 10, 3, "account of Ann", "Bob", 20])
  }

  @Test func `are arguments, results and contents like any other value`() throws {
    let account = Account(owner: "Eve")
    try state.globals.set("eve", to: account)
    #expect(try state.evaluate("eve", as: Account.self) === account)
    #expect(try state.globals["eve", as: Account.self] === account)
    #expect(try state.evaluate("{ eve, eve }", as: [Account].self).count == 2)
    #expect(try state.evaluate("nil", as: Account?.self) == nil)
    let same = try state.evaluate("function(a) return rawequal(a, eve) end", as: LuaFunction.self)
    #expect(try same.call(account, as: Bool.self))
    try state.globals.set("all", to: ["e": [account]])
    #expect(try state.evaluate("all.e[1].owner", as: String.self) == "Eve")
  }

  @Test func `give what they inherit to subclasses`() throws {
    let owner = try state.evaluate("Account.savings('Sue').owner", as: String.self)
    #expect(owner == "Sue")
    #expect(try state.evaluate("Account.savings('Sue')", as: Savings.self).owner == "Sue")
  }

  @Test func `tell wrong receivers, arguments and names from right ones`() {
    #expect(
      message("local a = Account.new('A') a.withdraw({}, 1)").contains(
        "bad argument #1 to 'withdraw' (Account expected, got table)"))
    #expect(
      message("local a = Account.new('A') local w = { w = a.withdraw } w:w(1)").contains(
        "calling 'w' on bad self (Account expected, got table)"))
    #expect(
      message("local a = Account.new('A') a.withdraw(stranger(), 1)").contains(
        "(Account expected, got"))
    #expect(
      message("Account.new('A'):withdraw('x')").contains(
        "a.lua:1: bad argument #1 to 'withdraw' (number expected, got string)"))
    #expect(
      message("Account.new('A').balance = 'x'").contains(
        "a.lua:1: bad value for Account.balance (number expected, got string)"))
    #expect(message("Account.new('A').owner = 'B'").contains("a.lua:1: Account.owner is read only"))
    #expect(message("Account.new('A').withdraw = 1").contains("Account.withdraw is read only"))
    #expect(
      message("return Account.new('A').blance").contains(
        "a.lua:1: Account has no property or method 'blance'"))
    #expect(message("Account.new('A').x = 1").contains("Account has no property 'x'"))
    #expect(message("Account.new('A').double = 3").contains("only even amounts"))
    #expect(message("Account.new = nil") != "no error")
    #expect(message("getmetatable(Account.new('A')).__index = nil") != "no error")
    #expect(message("return Account.new('A') + 'x'").contains("number expected, got string"))
  }

  @Test func `throw errors that scripts catch and hosts know again`() throws {
    let caught = try state.run(
      "local ok, e = pcall(function() Account.new('A'):withdraw(3) end) return ok, tostring(e)",
      name: "=t")
    #expect(caught[0] == false && caught[1].string?.contains("Overdrawn") == true)
    let error = #expect(throws: LuaError.self) {
      try state.run("Account.new('A'):withdraw(3)", name: "@a.lua")
    }
    #expect(error?.cause as? Overdrawn == Overdrawn(by: 3))
    #expect(error?.location?.line == 1)
  }

  @Test func `take too long at the script's line`() throws {
    let slow = LuaUserType<Stranger>("Entity")
    slow.function("new") { Stranger() }
    slow.property("turns", get: { _ in try self.state.run("while true do end", name: "=t").count })
    slow.method("wait") { (_: Stranger) in 1 }
    try state.register(slow)
    state.setTurnLimit(.milliseconds(20))
    for script in [
      "local e = Entity.new()\n\nwhile true do local x = e.wait end",
      "local e = Entity.new()\n\nwhile true do e:wait() end",
      "local e = Entity.new()\n\nreturn e.turns",
    ] {
      let error = #expect(throws: LuaError.self) { try state.run(script, name: "@game.lua") }
      #expect(error?.kind == .time)
      let chunk = error?.location?.chunk
      #expect(chunk == "game.lua" && error?.location?.line == 3 || chunk == "t", "\(script)")
      #expect(error?.traceback.contains("Entity:") == false)
    }
  }

  @Test func `are refused where an operator of theirs is described twice`() throws {
    let type = LuaUserType<Stranger>("Entity")
    type.operator(.add) { (_: Stranger, right: Int) in right }
    type.operator(.add) { (_: Stranger, right: Int) in right + 1 }
    let error = #expect(throws: LuaError.self) { try state.register(type) }
    #expect(error?.message.hasPrefix("Entity.__add is described twice") == true)
  }

  @Test func `live as long as a script holds them`() throws {
    try state.run("kept = Account.new('A') Account.new('B')", name: "=t")
    state.collectGarbage()
    state.collectGarbage()
    try state.run("kept.balance = 4", name: "=t")
    #expect(counter.count == 1)
    #expect(try state.evaluate("kept.balance", as: Int.self) == 4)
    try state.run("kept = nil", name: "=t")
    state.collectGarbage()
    state.collectGarbage()
    try state.run("return 1", name: "=t")
    #expect(counter.count == 2)
  }

  @Test func `are registered in any number of states, and not under Lua's names`() throws {
    let other = try LuaState()
    try other.register(Self.description(counter))
    #expect(try other.evaluate("Account.new('A').owner", as: String.self) == "A")
    #expect(throws: LuaError.self) { try state.register(LuaUserType<Stranger>("string")) }
    for name in ["print", "end", "require"] {
      let error = #expect(throws: LuaError.self) { try state.register(name) { () -> Int in 1 } }
      #expect(error?.message.contains("'\(name)' is") == true)
    }
    #expect(
      try state.evaluate("type(string.rep) .. type(print)", as: String.self) == "functionfunction")
  }

  @Test func `are registered under names that a script can write`() {
    for name in ["", "a b", "1st", "a.b", "größe", "a\0"] {
      let error = #expect(throws: LuaError.self) { try state.register(name) { () -> Int in 1 } }
      #expect(error?.message.contains("invalid name") == true)
    }
  }

  @Test func `refuse two members or two functions that are called alike`() throws {
    func refusal(_ describe: (LuaUserType<Stranger>) -> Void) -> String? {
      let type = LuaUserType<Stranger>("Stranger")
      describe(type)
      return #expect(throws: LuaError.self) { try state.register(type) }?.message
    }
    let twice = [
      refusal { type in
        type.function("new") { Stranger() }
        type.function("new") { Stranger() }
      },
      refusal { type in
        type.function("new") { Stranger() }
        type.constant("new", 1)
      },
      refusal { type in
        type.property("new") { (_: Stranger) in 1 }
        type.method("new") { (_: Stranger, n: Int) in n }
      },
      refusal { type in
        type.method("new") { (_: Stranger) in 1 }
        type.method("new") { (_: Stranger) in (1, 2) }
      },
      refusal { type in
        type.method("new") { (_: Stranger) in 1 }
        type.property("new") { (_: Stranger) in 1 }
      },
    ]
    for message in twice {
      #expect(message?.contains("Stranger.new is described twice") == true, "\(message as Any)")
    }
    let type = LuaUserType<Stranger>("Stranger")
    type.function("new") { Stranger() }
    type.method("new") { (_: Stranger) in 1 }
    try state.register(type)
  }

  @Test func `are lent with what is registered for them`() throws {
    var account: Account? = Account(owner: "Ann")
    try state.globals.set("lent", to: state.userdata(lending: #require(account)))
    #expect(try state.evaluate("lent.owner .. lent:transfer(0, lent)", as: String.self) == "Ann0")
    account = nil
    #expect(counter.count == 0)
    #expect(message("return lent.owner").contains("(the Account is gone)"))
  }

  @Test func `are lent by functions`() throws {
    final class Host { var account: Account? }
    let host = Host()
    host.account = Account(owner: "Ann")
    try state.register("lend") { host.account.map { LuaLent($0) } }
    try state.register("isLent") { (account: LuaLent<Account>) in account.object === host.account }
    try state.run("lent = lend()", name: "=t")
    #expect(
      try state.run("return lent.owner, rawequal(lent, lend()), isLent(lent)", name: "=t")
        == ["Ann", true, true])
    host.account = nil
    #expect(message("lent:withdraw(1)").contains("calling 'withdraw' on bad self"))
    #expect(try state.evaluate("lend()", as: LuaValue.self) == .nil)
  }
}
