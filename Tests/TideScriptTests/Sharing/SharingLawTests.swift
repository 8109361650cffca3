import Fuzzing
import Testing
import TideBindings

@testable import TideScript

/// Runtimes that write the same model over lines that are cut, and a server that loses everything.
@Suite struct SharingLawTests {
  private static let script = """
    Card = class "Card" { text = "", column = "todo", votes = 0 }
    board = shared("board", { title = "none", topic = "none", names = list {}, cards = list {} })
    lost = {}
    on(board, "conflict", function(event)
      lost[#lost + 1] = event.property .. "=" .. tostring(event.theirs)
    end)
    function shown()
      local parts = { board.title, board.topic, table.concat(board.names:totable(), ",") }
      for index = 1, #board.cards do
        local card = board.cards[index]
        parts[#parts + 1] = table.concat({ card.text, card.column, card.votes }, "/")
      end
      return table.concat(parts, ";")
    end
    """

  /// A disk.
  private final class Keeper: SharedKeeper {
    private var entries: [SharingKey: [UInt8]] = [:]
    private var origin: SharingOrigin?

    func load(_ model: String) -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]]) {
      (origin, entries)
    }

    func save(_ model: String, _ origin: SharingOrigin?, _ changes: [SharingKey: [UInt8]?]) {
      self.origin = origin ?? self.origin
      for (key, bytes) in changes { entries[key] = bytes }
    }
  }

  private final class World {
    let engine: UnreliableEngine
    let clock = VirtualClock()
    var runtimes: [Runtime] = []
    /// The number of each one's line.
    var lines: [Int] = []
    var keepers: [Keeper] = []
    var random: SeededGenerator
    var story: [String] = []
    /// Of rows that somebody has added, those that nobody has removed.
    var added: Set<String> = []
    var removed: Set<String> = []

    init(seed: UInt64, count: Int, isSlow: Bool) throws {
      random = SeededGenerator(seed: seed)
      engine = UnreliableEngine(isSlow: isSlow)
      for _ in 0..<count {
        keepers.append(Keeper())
        runtimes.append(try start(runtimes.count))
        lines.append(engine.lastJoined)
      }
    }

    func start(_ number: Int) throws -> Runtime {
      var configuration = Runtime.Configuration()
      configuration.shared = engine
      configuration.clock = clock
      let runtime = try Runtime(file: "board.lua", configuration: configuration)
      runtime.sharedKeeper = keepers[number]
      try runtime.evaluate(SharingLawTests.script, as: Value.self)
      return runtime
    }

    /// Kills a program and starts it again, with what it has kept. What it wrote last may be lost
    /// with it.
    func restart(_ number: Int) throws {
      let runtime = runtimes[number]
      // The end of a turn: what is written is on the disk.
      runtime.turn(timeout: 0)
      engine.cut(lines[number], &random)
      runtimes[number] = try start(number)
      lines[number] = engine.lastJoined
    }

    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    func write(_ number: Int, _ step: Int) throws {
      let runtime = runtimes[number]
      let value = "v\(number)_\(step)"
      let count = try runtime.evaluate("#board.cards", as: Int.self)
      let names = try runtime.evaluate("#board.names", as: Int.self)
      let card = "board.cards[\(count > 0 ? self.number(1..<count + 1) : 1)]"
      var edit = "board.title = '\(value)'"
      switch self.number(0..<10) {
      case 0: break
      case 1: edit = "board.topic = '\(value)'"
      case 2 where names < 6:
        edit = "board.names:insert(\(self.number(1..<names + 2)), '\(value)')"
      case 3 where names > 0: edit = "board.names:remove(\(self.number(1..<names + 1)))"
      case 4 where count < 6, 5 where count < 6:
        edit = "board.cards:insert(\(self.number(1..<count + 2)), Card { text = '\(value)' })"
        added.insert(value)
      case 6 where count > 0: edit = "\(card).column = '\(value)'"
      case 7 where count > 0: edit = "\(card).votes = \(card).votes + 1"
      case 8 where count > 1:
        edit = "board.cards:move(\(self.number(1..<count + 1)), \(self.number(1..<count + 1)))"
      case 9 where count > 0:
        let index = self.number(1..<count + 1)
        removed.insert(try runtime.evaluate("board.cards[\(index)].text", as: String.self))
        edit = "board.cards:remove(\(index))"
      default: break
      }
      story.append("\(number): \(edit)")
      try runtime.evaluate(edit, as: Value.self)
    }

    func step(_ step: Int, forgetting: Bool) throws {
      let index = number(0..<runtimes.count)
      switch number(0..<21) {
      case 0..<8: try write(index, step)
      case 8..<12: runtimes[index].turn(timeout: 0)
      case 12..<17: _ = engine.deliver(lines[index], &random)
      case 17:
        story.append("\(index) is cut")
        engine.cut(lines[index], &random)
      case 18:
        story.append("\(index) is connected again")
        engine.mend(lines[index])
      case 19:
        story.append("\(index) is killed and started again")
        try restart(index)
      default:
        if forgetting, number(0..<4) == 0 {
          story.append("the server loses everything")
          engine.forget(&random)
        }
      }
    }

    /// Everybody has a connection, all that was sent arrives, and what was put off is done.
    func calm() throws -> [String] {
      for index in runtimes.indices { engine.mend(lines[index]) }
      var quiet = 0
      for _ in 0..<400 where quiet < 15 {
        quiet += 1
        for index in runtimes.indices {
          if runtimes[index].loop.turn(timeout: 0) { quiet = 0 }
          runtimes[index].turn(timeout: 0)
          while engine.deliver(lines[index], &random) { quiet = 0 }
          runtimes[index].loop.advance(by: 1)
        }
      }
      return try runtimes.map { try $0.evaluate("shown()", as: String.self) }
    }
  }

  /// - Parameters:
  ///   - forgetting: whether the server may lose everything.
  ///   - isSlow: whether listings come message by message, and are cut.
  private func play(seed: UInt64, forgetting: Bool, isSlow: Bool) throws {
    let world = try World(seed: seed, count: 3, isSlow: isSlow)
    world.story.append("forgetting: \(forgetting), slow: \(isSlow)")
    for step in 0..<120 { try world.step(step, forgetting: forgetting) }
    let shown = try world.calm()
    let story = world.story.joined(separator: "\n")
    #expect(Set(shown).count == 1, "seed \(seed):\n\(shown.joined(separator: "\n"))\n\(story)")
    for runtime in world.runtimes {
      #expect(
        try runtime.evaluate("board.sync.pending", as: Int.self) == 0, "seed \(seed)\n\(story)")
      #expect(try runtime.evaluate("board.sync.state", as: String.self) == "live")
    }
    let texts = Set(
      shown[0].split(separator: ";").compactMap { $0.split(separator: "/").first.map(String.init) })
    let missing = world.added.subtracting(world.removed).subtracting(texts)
    #expect(missing.isEmpty, "seed \(seed): \(missing) are gone\n\(shown[0])\n\(story)")
    if !forgetting {
      let again = world.removed.intersection(texts)
      #expect(again.isEmpty, "seed \(seed): \(again) have come back\n\(shown[0])\n\(story)")
    }
    for runtime in world.runtimes {
      #expect(runtime.errors.isEmpty, "seed \(seed): \(runtime.errors.map(\.message))")
    }
  }

  @Test(arguments: 0..<60)
  func
    `over lines that are cut, all come to the same, and no row is lost or comes back, also of programs that are killed`(
      seed: Int
    ) throws
  {
    try play(seed: UInt64(seed), forgetting: false, isSlow: seed % 2 == 1)
  }

  @Test(arguments: 0..<60)
  func
    `a server that loses everything gets it from those who know it, also of programs that are killed`(
      seed: Int
    ) throws
  {
    try play(seed: UInt64(seed), forgetting: true, isSlow: seed % 2 == 1)
  }

  @Test func `holds for as many random runs as a search has time for`() throws {
    var random = SeededGenerator(seed: FuzzRun.seed(of: "peers", otherwise: 1))
    var run = FuzzRun("peers", stepsInSuite: 4)
    while run.goesOn() {
      try play(
        seed: random.next(), forgetting: .random(using: &random), isSlow: .random(using: &random))
    }
  }
}
