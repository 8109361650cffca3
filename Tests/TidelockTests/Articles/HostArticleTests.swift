import Foundation
import Testing
import Tidelock

/// The examples of the article on what a host gives its scripts, word for word, so that they
/// compile and run.
@MainActor @Suite struct `Examples of functions, types and async` {
  enum Fruit: String, TideConvertible { case fig, pear }
  struct Point: Codable, Equatable, TideConvertible { var x, y: Double }

  final class Basket: DataObject {
    @Property var fruit = Fruit.fig
    @Property var pieces: UInt8 = 1
    @Property var bought: Date?
    @Property var notes: [String] = []
  }
  class Account: TideConvertible {
    let owner: String
    var balance = 0
    init(owner: String) { self.owner = owner }
  }
  struct Overdrawn: Error {}
  final class Savings: Account {}
  final class Bag: TideConvertible { var counts: [String: Int] = [:] }
  struct Vector: LuaStruct { var x = 0.0, y = 0.0 }
  actor Ledger: TideConvertible {
    private var entries: [String: Int] = [:]
    func note(_ name: String, _ sum: Int) -> Int {
      entries[name, default: 0] += sum
      return entries.count
    }
  }

  @Test func `go together`() async throws {
    let runtime = try Runtime(app: URL(filePath: "app.lua"))
    try runtime.register("distance") { (from: Point, to: Point) in
      ((from.x - to.x) * (from.x - to.x) + (from.y - to.y) * (from.y - to.y)).squareRoot()
    }
    try runtime.register("price") { (fruit: Fruit, pieces: Int?) in
      (fruit == .fig ? 2 : 3) * (pieces ?? 1)
    }
    let basket = Basket()
    try runtime.register("basket", basket)
    try await runtime.evaluate("models.basket.fruit = 'pear'", as: Void.self)
    let error = await #expect(throws: TideError.self) {
      try await runtime.evaluate("models.basket.pieces = 300", as: Void.self)
    }
    #expect(error?.code == .wrongType && basket.pieces == 1 && basket.fruit == .pear)
    try await runtime.evaluate("models.basket.notes[1] = 'ripe'", as: Void.self)
    try await runtime.evaluate("table.insert(models.basket.notes, 'soft')", as: Void.self)
    #expect(basket.notes == ["ripe", "soft"])
    let total = try await runtime.evaluate("price('pear', 4) + price('fig')", as: Int.self)
    #expect(total == 14)
    try runtime.register("divide") { (a: Int, b: Int) in (a / b, a % b) }
    let parts = try await runtime.evaluate("select('#', divide(17, 5))", as: Int.self)
    #expect(parts == 2)
    try runtime.register("fetch") { (name: String) async throws -> String in
      try await Task.sleep(for: .milliseconds(1))
      return "contents of \(name)"
    }
    let page = try await runtime.evaluate("fetch('a')", as: String.self)
    #expect(page == "contents of a")
    let shop = try Runtime(
      source: """
        local shop = {}
        function shop.total(prices, pieces) return prices[1] * pieces end
        function shop.pay(sum) sleep(0.001) return sum - 1, true end
        return shop
        """)
    try shop.load()
    let sum = try await shop.call("total", [2.5, 3], 4, as: Double.self)
    let (rest, isPaid) = try await shop.call("pay", 20, as: (Int, Bool).self)
    #expect(sum == 10 && rest == 19 && isPaid)
    let rates = ["shop.rates": "return { vat = 0.2 }"]
    runtime.register(searcher: { name in
      if name == "shop.limits" { return .value(["pieces": 12]) }
      return rates[name].map { .text($0) }
    })
    let vat = try await runtime.evaluate("require('shop.rates').vat", as: Double.self)
    #expect(vat == 0.2)
    let accounts = LuaUserType<Account>("Account")
    accounts.property("owner", \.owner)
    accounts.property("balance", \.balance)
    accounts.method("withdraw") { (account: Account, amount: Int) in
      guard amount <= account.balance else { throw Overdrawn() }
      account.balance -= amount
    }
    accounts.function("new") { (owner: String) in Account(owner: owner) }
    accounts.operator(.description) { (account: Account) in "\(account.owner)'s account" }
    try runtime.register(accounts)
    try runtime.register("audit") { (account: Account) in account.balance >= 0 }

    let script = """
      local a = Account.new("Ann")
      a.balance = 5
      local ok = pcall(a.withdraw, a, 7)
      return tostring(a) .. " " .. tostring(ok) .. " " .. a.balance .. " " .. tostring(audit(a))
      """
    #expect(try await runtime.evaluate(script, as: String.self) == "Ann's account false 5 true")
    let ledgers = LuaUserType<Ledger>("Ledger")
    ledgers.function("open") { () async in Ledger() }
    ledgers.method("note") { (ledger: Ledger, name: String, sum: Int) async in
      await ledger.note(name, sum)
    }
    try runtime.register(ledgers)
    let count = try await runtime.evaluate("Ledger.open():note('Ann', 5)", as: Int.self)
    #expect(count == 1)
    let savings = LuaUserType<Savings>("Savings")
    savings.function("new") { (owner: String) in Savings(owner: owner) }
    savings.constant("limit", 1000)
    savings.staticProperty("rate") { 0.03 }
    try runtime.register(savings)
    let interest = try await runtime.evaluate(
      "Savings.limit * Savings.rate .. Savings.new('Bob').owner", as: String.self)
    #expect(interest == "30.0Bob")
    let bags = LuaUserType<Bag>("Bag")
    bags.function("new") { Bag() }
    bags.method("add") { (bag: Bag, count: Int, name: String) in bag.counts[name] = count }
    bags.method("add") { (bag: Bag, names: LuaVariadic<String>) in
      for name in names { bag.counts[name, default: 0] += 1 }
    }
    bags.operator(.pairs) { (bag: Bag) in LuaIterator(pairs: bag.counts) }
    bags.subscript { (bag: Bag, name: String) in bag.counts[name] }
    try runtime.register(bags)
    let counting = """
      local bag, sum = Bag.new(), 0
      bag:add("fig", "pear", "fig")
      bag:add(5, "plum")
      for name, count in pairs(bag) do sum = sum + count end
      return sum + bag.fig
      """
    #expect(try await runtime.evaluate(counting, as: Int.self) == 10)
    let vectors = LuaUserType<Vector>("Vector")
    vectors.property("x", \.x)
    vectors.mutating("scale") { (vector: inout Vector, factor: Double) in
      vector.x *= factor
      vector.y *= factor
    }
    vectors.function("new") { (x: Double, y: Double) in Vector(x: x, y: y) }
    try runtime.register(vectors)
    let vector = try await runtime.evaluate(
      "local v = Vector.new(1, 2)  v.x = 3  v:scale(2)  return v", as: Vector.self)
    #expect(vector.x == 6 && vector.y == 4)
    let globals = try runtime.lua.table(["width": 80, "height": 24])
    let area = try await runtime.evaluate("width * height", as: Int.self, environment: globals)
    #expect(area == 1920)
    let width = try globals["width", as: Int.self]
    #expect(width == 80)
    await #expect(throws: TideError.self) {
      let budget = LuaBudget(time: .milliseconds(5))
      try await runtime.evaluate("while true do end", as: Int.self, budget: budget)
    }
  }
}

@Suite struct `The example of a loop of one's own` {
  final class Ship: DataObject {
    @Property var x = 0.0
    @Property var speed = 1.0
  }

  @Test func `moves a ship until its script stops it`() throws {
    let ship = Ship()
    let runtime = try Runtime(
      source: """
        local ship = models.ship
        function update(seconds) ship.x = ship.x + ship.speed * seconds end
        observe(ship, "x", function(x) if x > 1 then ship.speed = 0 end end)
        """, configuration: .init(memory: .megabytes(64)))
    try runtime.register("ship", ship)
    try runtime.load()
    let update = try runtime.evaluate("update", as: LuaFunction.self)
    for _ in 0..<180 {
      try update.call(1.0 / 60, as: Void.self)
      runtime.settle()
    }
    runtime.end()
    #expect(ship.speed == 0)
    #expect(ship.x > 1 && ship.x < 1.1)
  }
}

@Suite struct `The example of confinement` {
  /// Never called: a test that confined itself could do nothing more.
  private func example() {
    var confinement = Confinement()
    confinement.readable = ["/srv/fruit"]
    confinement.writable = ["/var/lib/fruit"]
    do {
      try confinement.apply()
    } catch {
      print(error)  // the process cannot be confined: files: the kernel has no Landlock
    }
  }

  @Test func `compiles as the article has it`() throws {
    let article = try #require(try Article.all.first { $0.name == "Confinement" })
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let block = try #require(
      article.text.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "\n```").first)
    let indented = block.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    #expect(source.contains(indented))
  }
}
