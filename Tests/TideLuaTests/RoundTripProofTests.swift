import Fuzzing
import Testing
import TideLua

/// Random values of every kind, sent into Lua and back along every way that there is, and compared
/// with what was sent.
@Suite struct `Random values across the border` {
  /// Fixed seeds, and a fresh one that a failure names.
  static let seeds: [UInt64] = [1, 2, 3, 4, .random(in: 5 ... .max)]

  /// A value as Swift knows it without Lua. Equality is of bits, so NaN equals itself and the two
  /// zeros differ.
  indirect enum Model: Hashable {
    case `nil`
    case boolean(Bool)
    case integer(Int)
    case number(UInt64)
    case text([UInt8])
    case table([Model: Model])
    /// Something that Lua keeps, by its index in the list of them.
    case kept(Int)
  }

  /// Makes values of models, and models of values.
  private struct Workshop {
    let state: LuaState
    var random: SeededGenerator
    private let kept: [LuaValue]

    init(seed: UInt64) throws {
      state = try LuaState()
      random = SeededGenerator(seed: seed)
      kept =
        try state.run(
          """
          local co = coroutine.create(function() coroutine.yield() end)
          coroutine.resume(co)
          return print, function() end, function(...) return ... end, coroutine.create(print), co
          """, name: "=kept") + [.userdata(try state.userdata(for: Box()))]
    }

    private final class Box {}

    mutating func scalar() -> Model {
      switch Int.random(in: 0...8, using: &random) {
      case 0: return .boolean(.random(using: &random))
      case 1: return .integer([.max, .min, 0, -1, 1 << 53].randomElement(using: &random) ?? 0)
      case 2: return .integer(.random(in: .min ... .max, using: &random))
      case 3:
        let odd = [0.0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e308, 3.0]
        return .number((odd.randomElement(using: &random) ?? 0).bitPattern)
      case 4: return .number(Double.random(in: -1e6...1e6, using: &random).bitPattern)
      case 5: return .kept(.random(in: kept.indices, using: &random))
      case 6: return .text([])
      default: return text()
      }
    }

    /// Text with zeros, broken UTF-8 and all lengths, short ones most.
    mutating func text() -> Model {
      let count = Int.random(in: 0...(Bool.random(using: &random) ? 12 : 400), using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if Bool.random(using: &random) { return .text(bytes) }
      return .text(Array(String(decoding: bytes, as: UTF8.self).utf8))
    }

    mutating func value(depth: Int = 0) -> Model {
      guard depth < 4, Int.random(in: 0...2, using: &random) == 0 else { return scalar() }
      var entries: [Model: Model] = [:]
      let count = Int.random(in: 0...8, using: &random)
      let isSequence = Bool.random(using: &random)
      for number in 0..<count {
        let key = isSequence ? .integer(number + 1) : key()
        entries[key] = value(depth: depth + 1)
      }
      return .table(entries)
    }

    /// A key that comes back as it is: not NaN, and no number that Lua makes an integer.
    mutating func key() -> Model {
      let key = scalar()
      if case .number(let bits) = key {
        let number = Double(bitPattern: bits)
        if number.isNaN || Int(exactly: number) != nil { return .boolean(true) }
      }
      return key
    }

    func lower(_ model: Model) throws -> LuaValue {
      switch model {
      case .nil: return .nil
      case .boolean(let flag): return .boolean(flag)
      case .integer(let integer): return .integer(integer)
      case .number(let bits): return .number(Double(bitPattern: bits))
      case .text(let bytes): return .bytes(bytes)
      case .kept(let index): return kept[index]
      case .table(let entries):
        let table = try state.table(fields: entries.count)
        for (key, value) in entries { try table.rawSet(lower(key), lower(value)) }
        return .table(table)
      }
    }

    func lift(_ value: LuaValue) throws -> Model {
      switch value {
      case .nil: return .nil
      case .boolean(let flag): return .boolean(flag)
      case .integer(let integer): return .integer(integer)
      case .number(let number): return .number(number.bitPattern)
      case .string(let string): return .text(Array(string.utf8))
      case .bytes(let bytes):
        #expect(String(validating: bytes, as: UTF8.self) == nil, "bytes that are UTF-8")
        return .text(bytes)
      case .table(let table):
        var entries: [Model: Model] = [:]
        for (key, value) in try table.entries() { entries[try lift(key)] = try lift(value) }
        return .table(entries)
      case .function, .thread, .userdata, .object:
        return .kept(kept.firstIndex(of: value) ?? -1)
      }
    }
  }

  @Test(arguments: seeds) func `everything comes back as it went`(seed: UInt64) async throws {
    var workshop = try Workshop(seed: seed)
    let state = workshop.state
    let echo = try await state.evaluate("function(...) return ... end", as: LuaFunction.self)
    let yielder = try state.load(
      "local n, t = select('#', ...), { ... } while true do t = { coroutine.yield(table.unpack(t, 1, n)) } end",
      name: "=y")
    try state.register("swift") { call in for value in try call.values() { call.return(value) } }
    let viaSwift = try state.load("return swift(...)", name: "=s")
    try state.register("later") { (arguments: LuaArguments) in
      await Task.yield()
      return arguments.values
    }
    let viaWait = try state.load("return later(...)", name: "=w")
    let holder = try state.table()
    for round in 0..<120 {
      let models = (0..<Int.random(in: 1...6, using: &workshop.random)).map { _ in workshop.value()
      }
      let values = try models.map { try workshop.lower($0) }
      let thread = try state.thread(running: yielder)
      guard case .yielded(let yielded) = try thread.resume(values) else {
        Issue.record("no yield, seed \(seed)")
        return
      }
      try thread.close()
      var held: [LuaValue] = []
      for value in values {
        try holder.set("held", value)
        held.append(try holder["held"])
      }
      let ways: [(String, [LuaValue])] = [
        ("a call", try echo.call(values)), ("a yield", yielded), ("a field", held),
        ("a Swift function", try viaSwift.call(values)),
        ("an asynchronous function", try await viaWait.run(values)),
      ]
      for (way, returned) in ways {
        #expect(
          try returned.map { try workshop.lift($0) } == models,
          "along \(way), round \(round), seed \(seed)")
      }
    }
  }

  /// A value that any `Codable` tree can be made of.
  private indirect enum Tree: Codable, Equatable {
    case leaf(Int), text(String), bytes([UInt8]), flag(Bool?), ratio(Double)
    case list([Tree]), names([String: Tree]), numbers([Int: Tree])
  }

  private func tree(_ random: inout SeededGenerator, depth: Int = 0) -> Tree {
    switch Int.random(in: depth < 4 ? 0...7 : 0...4, using: &random) {
    case 0: return .leaf(.random(in: .min ... .max, using: &random))
    case 1:
      return .text(
        String(
          decoding: (0..<Int.random(in: 0...30, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }, as: UTF8.self))
    case 2:
      return .bytes(
        (0..<Int.random(in: 0...30, using: &random)).map { _ in .random(in: 0...255, using: &random)
        })
    case 3: return .flag([true, false, nil].randomElement(using: &random) ?? nil)
    case 4: return .ratio(.random(in: -1e9...1e9, using: &random))
    case 5:
      return .list(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in tree(&random, depth: depth + 1) })
    case 6:
      var names: [String: Tree] = [:]
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        names["\(Int.random(in: 0...99, using: &random))"] = tree(&random, depth: depth + 1)
      }
      return .names(names)
    default:
      var numbers: [Int: Tree] = [:]
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        numbers[.random(in: -3...20, using: &random)] = tree(&random, depth: depth + 1)
      }
      return .numbers(numbers)
    }
  }

  @Test(arguments: seeds) func `Codable values come back as they went`(seed: UInt64) throws {
    let state = try LuaState()
    let echo = try state.evaluate("function(x) return x end", as: LuaFunction.self)
    var random = SeededGenerator(seed: seed)
    for round in 0..<200 {
      let tree = tree(&random)
      let returned = try echo(state.encode(tree)).decode(Tree.self)
      #expect(returned == tree, "round \(round), seed \(seed)")
    }
  }
}
