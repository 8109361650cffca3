import TideBindings
import TideGraph
import TideLua
import TideScript
import Testing

private class Account: DataObject {
  @Property var balance = 0
  @Property var last = 0
}

private final class Savings: Account {
  @Property var rate = 2
}

private struct Overdrawn: Error, CustomStringConvertible {
  var description: String { "overdrawn" }
}

@Suite struct ObjectMethodTests {
  private func makeRuntime() throws -> Runtime {
    let runtime = try Runtime(file: "test.lua")
    try runtime.methods(of: Account.self).define("deposit") { (account: Account, amount: Int) in
      account.last = amount
      account.balance += amount
      return account.balance
    }
    try runtime.methods(of: Account.self).define("withdraw") { (account: Account, amount: Int) in
      guard amount <= account.balance else { throw Overdrawn() }
      account.balance -= amount
    }
    return runtime
  }

  @Test func `a script calls a Swift method with typed arguments`() throws {
    let runtime = try makeRuntime()
    let account = Account()
    try runtime.register("account", account)
    #expect(try runtime.evaluate("models.account:deposit(5)", as: Value.self) == 5)
    #expect(account.last == 5)
    try runtime.evaluate("models.account:withdraw(2)", as: Value.self)
    #expect(account.balance == 3)
  }

  @Test func `what a Swift method changes settles when it returns`() throws {
    let runtime = try makeRuntime()
    try runtime.register("account", Account())
    try runtime.evaluate(
      """
      seen = {}
      local a = models.account
      observe(a, "last", function(new) seen[#seen + 1] = new .. "/" .. a.balance end)
      a:deposit(5)
      """, as: Value.self)
    #expect(try runtime.evaluate("table.concat(seen, ' ')", as: Value.self) == "5/5")
  }

  @Test func `a subclass has its superclass's methods and may replace them`() throws {
    let runtime = try makeRuntime()
    try runtime.register("savings", Savings())
    #expect(try runtime.evaluate("models.savings:deposit(5)", as: Value.self) == 5)
    // Defined after a script has seen the class.
    try runtime.methods(of: Savings.self).define("deposit") { (account: Savings, amount: Int) in
      account.balance += amount * account.rate
      return account.balance
    }
    #expect(try runtime.evaluate("models.savings:deposit(5)", as: Value.self) == 15)
  }

  @Test func `wrong arguments, wrong objects and thrown errors are raised at the call`() throws {
    let runtime = try makeRuntime()
    try runtime.register("account", Account())
    try runtime.register("other", DataObject())
    func message(_ code: String) throws -> String? {
      let text = try runtime.evaluate(
        "tostring(select(2, pcall(function() \(code) end)))", as: Value.self)
      guard case .string(let message) = text else { return nil }
      return message
    }
    #expect(
      try message("models.account:deposit('x')")?.contains(
        "bad argument #1 to 'deposit' (number expected, got string)") == true)
    #expect(try message("models.account:withdraw(1)")?.contains("overdrawn") == true)
    #expect(
      try message("local d = models.account.deposit d(models.other, 1)")?.contains(
        "Account expected") == true)
    #expect(
      try message("models.account:deposti(1)")?.contains("did you mean \"deposit\"") == true)
  }

  @Test func `an object is of its Swift class and of those above`() throws {
    let runtime = try makeRuntime()
    try runtime.register("savings", Savings())
    #expect(try runtime.evaluate("isa(models.savings, 'Savings')", as: Value.self) == true)
    #expect(try runtime.evaluate("isa(models.savings, 'Account')", as: Value.self) == true)
    #expect(try runtime.evaluate("isa(models.savings, 'Loan')", as: Value.self) == false)
    #expect(throws: TideError.self) {
      try runtime.evaluate("isa(models.savings, 'Acount')", as: Value.self)
    }
  }

  @Test func `a method may give an object that nothing else keeps`() throws {
    let runtime = try makeRuntime()
    let account = Account()
    try runtime.register("account", account)
    try runtime.methods(of: Account.self).define("twin") { (account: Account) in
      let twin = Account()
      twin.balance = account.balance
      return twin
    }
    account.balance = 7
    #expect(try runtime.evaluate("models.account:twin().balance", as: Value.self) == 7)
  }
}
