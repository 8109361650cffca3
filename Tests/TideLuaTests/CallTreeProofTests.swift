import Fuzzing
import Testing
import TideLua

/// Random trees of calls that go from Swift to Lua and back at every level, with errors, catches
/// and waits, compared with what the tree means.
@Suite struct `Random calls across the border` {
  enum Side: Int, CaseIterable {
    /// A script's function, one's coroutine, a Swift function, and one that waits.
    case script, coroutine, swift, waiting
  }

  /// What a call does. Children are called in order.
  indirect enum Call {
    case give(Int)
    case fail(Int)
    case sum(Side, [Call])
    /// Catches its child's error, and gives what was thrown instead.
    case guarded(Side, Call)
    /// Waits before its child.
    case wait(Call)
  }

  struct Refusal: Error, Equatable {
    var number: Int
  }

  /// What an error counts as that says that a call cannot wait.
  static let cannotWait = -1

  // MARK: What a tree means

  /// `mayWait` says whether nothing between the run and this call forbids to wait.
  private static func meaning(_ call: Call, mayWait: Bool) throws(Refusal) -> Int {
    switch call {
    case .give(let number): return number
    case .fail(let number): throw Refusal(number: number)
    case .wait(let child):
      guard mayWait else { throw Refusal(number: cannotWait) }
      return try meaning(child, mayWait: mayWait)
    case .sum(let side, let children):
      let inside = try mayWaitInside(side, mayWait)
      var sum = 1
      for child in children { sum &+= try meaning(child, mayWait: inside) &* 3 }
      return sum
    case .guarded(let side, let child):
      let inside = try mayWaitInside(side, mayWait)
      do { return try meaning(child, mayWait: inside) } catch { return error.number &+ 1000 }
    }
  }

  private static func mayWaitInside(_ side: Side, _ mayWait: Bool) throws(Refusal) -> Bool {
    switch side {
    case .script, .coroutine: return mayWait
    // Lua that a Swift function calls cannot wait.
    case .swift: return false
    case .waiting:
      guard mayWait else { throw Refusal(number: cannotWait) }
      return true
    }
  }

  // MARK: The same with Lua

  /// Runs trees: each call is a node that both sides know by its number.
  private final class Machine {
    let state: LuaState
    private var nodes: [Call] = []

    init() throws {
      state = try LuaState()
    }

    func open() throws {
      try state.register("nap") { () in await Task.yield() }
      try state.register("refuse") { (number: Int) in throw Refusal(number: number) }
      try state.register("number") { (error: LuaValue) in Machine.number(error) }
      try state.register("swift") { [unowned self] (number: Int) in try self.perform(number) }
      try state.register("waiting") { [unowned self] (number: Int) in
        try await self.performWaiting(number)
      }
      try state.run(
        """
        nodes = {}
        function perform(number)
          local node = nodes[number]
          local side = node.side
          if side == 'coroutine' then return coroutine.wrap(evaluate)(node) end
          if side == 'swift' then return swift(number) end
          if side == 'waiting' then return waiting(number) end
          return evaluate(node)
        end
        function evaluate(node)
          if node.kind == 'give' then return node.value end
          if node.kind == 'fail' then refuse(node.value) end
          if node.kind == 'wait' then nap() return perform(node[1]) end
          if node.kind == 'guarded' then
            local ok, result = pcall(perform, node[1])
            return ok and result or number(result) + 1000
          end
          local sum = 1
          for i = 1, #node do sum = sum + perform(node[i]) * 3 end
          return sum
        end
        """, name: "@machine.lua")
    }

    private static func number(_ error: LuaValue) -> Int {
      if let error = error.userdata?.error { return number(error) }
      return -2
    }

    static func number(_ error: any Error) -> Int {
      switch error {
      case let error as Refusal: return error.number
      case let error as LuaError:
        if let cause = error.cause { return number(cause) }
        return error.message.contains("has to wait") ? cannotWait : -3
      default: return -4
      }
    }

    /// Makes the node known to both sides, and gives its number.
    func add(_ call: Call) throws -> Int {
      let node = try state.table()
      var children: [Call] = []
      switch call {
      case .give(let number):
        try node.rawSet("kind", "give")
        try node.rawSet("value", .integer(number))
      case .fail(let number):
        try node.rawSet("kind", "fail")
        try node.rawSet("value", .integer(number))
      case .wait(let child):
        try node.rawSet("kind", "wait")
        children = [child]
      case .sum(let side, let all):
        try node.rawSet("kind", "sum")
        try node.rawSet("side", .string("\(side)"))
        children = all
      case .guarded(let side, let child):
        try node.rawSet("kind", "guarded")
        try node.rawSet("side", .string("\(side)"))
        children = [child]
      }
      for (index, child) in children.enumerated() {
        try node.rawSet(.integer(index + 1), .integer(try add(child)))
      }
      nodes.append(call)
      try state.globals["nodes"].table?.rawSet(.integer(nodes.count), .table(node))
      return nodes.count
    }

    private func children(_ number: Int) throws -> [Int] {
      try state.globals["nodes"].table?.rawGet(.integer(number)).table?.sequence()
        .compactMap(\.integer) ?? []
    }

    private func lua() throws -> LuaFunction {
      try LuaFunction.fromLua(state.globals["perform"])
    }

    private func perform(_ number: Int) throws -> Int {
      let lua = try lua(), children = try children(number)
      if case .guarded = nodes[number - 1] {
        do { return try lua.call(children[0], as: Int.self) } catch {
          return Machine.number(error) + 1000
        }
      }
      return try children.reduce(1) { $0 &+ (try lua.call($1, as: Int.self)) &* 3 }
    }

    private func performWaiting(
      _ number: Int, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
      let lua = try lua(), children = try children(number)
      if case .guarded = nodes[number - 1] {
        do { return try await lua.run(children[0], as: Int.self) } catch {
          return Machine.number(error) + 1000
        }
      }
      var sum = 1
      for child in children { sum &+= try await lua.run(child, as: Int.self) &* 3 }
      return sum
    }

    func run(_ number: Int, isolation: isolated (any Actor)? = #isolation) async -> Result<
      Int, Refusal
    > {
      do { return .success(try await lua().run(number, as: Int.self)) } catch {
        return .failure(Refusal(number: Machine.number(error)))
      }
    }

    func call(_ number: Int) -> Result<Int, Refusal> {
      do { return .success(try lua().call(number, as: Int.self)) } catch {
        return .failure(Refusal(number: Machine.number(error)))
      }
    }
  }

  private func tree(_ random: inout SeededGenerator, depth: Int) -> Call {
    let side = Side.allCases.randomElement(using: &random) ?? .script
    switch Int.random(in: depth > 0 ? 0...9 : 0...2, using: &random) {
    case 0, 1: return .give(.random(in: 0...99, using: &random))
    case 2: return .fail(.random(in: 0...99, using: &random))
    case 3, 4: return .guarded(side, tree(&random, depth: depth - 1))
    case 5: return .wait(tree(&random, depth: depth - 1))
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .sum(side, (0..<count).map { _ in tree(&random, depth: depth - 1) })
    }
  }

  @Test(arguments: `Random values across the border`.seeds)
  func `a tree of calls gives what it means`(seed: UInt64) async throws {
    let machine = try Machine()
    try machine.open()
    var random = SeededGenerator(seed: seed)
    var failures = 0, successes = 0
    for round in 0..<150 {
      let tree = tree(&random, depth: 7)
      let number = try machine.add(tree)
      let expected = Result { () throws(Refusal) in try Self.meaning(tree, mayWait: true) }
      let awaited = await machine.run(number)
      #expect(awaited == expected, "awaited, round \(round), seed \(seed)")
      let plain = Result { () throws(Refusal) in try Self.meaning(tree, mayWait: false) }
      #expect(machine.call(number) == plain, "called, round \(round), seed \(seed)")
      if case .success = expected { successes += 1 } else { failures += 1 }
    }
    #expect(successes > 10 && failures > 10)
  }
}
