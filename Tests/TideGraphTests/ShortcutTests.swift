import Fuzzing
import Testing
import TideGraph

/// Random operations, done to graphs that differ in nothing but the shortcuts that they take.
@Suite struct `Shortcuts of propagation` {
  @Test(arguments: 0..<60)
  func `tell of the same values and calls as the plain walk`(seed: Int) throws {
    let all = Shortcuts.all.reduce(into: Shortcuts()) { $0.formUnion($1) }
    let wanted = try transcript(of: UInt64(seed), withholding: all)
    for withheld in [[]] + Shortcuts.all {
      let found = try transcript(of: UInt64(seed), withholding: withheld)
      for (step, (found, wanted)) in zip(found, wanted).enumerated() where found != wanted {
        let first = zip(found, wanted).first { $0 != $1 }
        Issue.record(
          "seed \(seed), step \(step), without \(withheld): \(first.map { "\($0)" } ?? "more or less")"
        )
        return
      }
      #expect(found.count == wanted.count, "seed \(seed)")
    }
  }

  @Test(arguments: [[]] + Shortcuts.all)
  func `find the same loops as the plain walk`(withheld: Shortcuts) throws {
    let every = Shortcuts.all.reduce(into: Shortcuts()) { $0.formUnion($1) }
    let logs = try [withheld, every].map { withheld in
      try withOwnGraph { graph in
        let world = World(graph)
        for _ in 0..<3 { world.addSource(0) }
        graph.withhold(withheld)
        for index in 0..<3 { world.connect(index, (index + 1) % 3, .plusOne) }
        graph.write(world.slots[0], .integer(1))
        world.finish()
        return world.takeLog()
      }
    }
    #expect(logs[0].contains { $0.hasPrefix("loop") })
    #expect(logs[0] == logs[1])
  }

  @Test func `are taken where they apply`() throws {
    try withOwnGraph { graph in
      let source = graph.makeSource(.integer(0)), target = graph.makeSource(.integer(0))
      _ = graph.connect(source, to: target)
      let before = graph.latestWave
      graph.write(source, .integer(1))
      #expect(graph.latestWave == before)
      graph.withhold(.loneCopy)
      graph.write(source, .integer(2))
      #expect(target.load() == .integer(2))
      #expect(graph.latestWave == before + 1)
      graph.withhold([])
      graph.write(source, .integer(3))
      #expect(graph.latestWave == before + 1)
      graph.dispose(source)
      graph.dispose(target)
    }
  }

  /// What a graph does in answer to the operations of a seed, step by step.
  private func transcript(of seed: UInt64, withholding withheld: Shortcuts) throws -> [[String]] {
    try withOwnGraph { graph in
      if seed.isMultiple(of: 5) { graph.keepHistory() }
      let world = World(graph)
      var random = SeededGenerator(seed: seed &* 6007 &+ 5)
      for value in 0..<5 { world.addSource(value) }
      var steps: [[String]] = []
      for step in 0..<120 {
        graph.withhold(withheld)
        world.act(&random)
        steps.append(world.takeLog())
        let broken = graph.brokenInvariants()
        #expect(broken == [], "seed \(seed), step \(step), without \(withheld)")
        if !broken.isEmpty { break }
      }
      world.finish()
      return steps
    }
  }

  /// How a binding carries a value.
  enum Carrying: CaseIterable { case copy, plusOne, reading, failing }

  final class World: GraphHost {
    let graph: Graph
    var log: [String] = []
    var slots: [Slot] = []
    private var numbers: [UInt32: Int] = [:]
    /// Bindings, by their target; the target is written by hand as long as there are none.
    private var edges: [(edge: EdgeIndex, source: Int, target: Int)] = []
    private var listeners: [Slot] = []

    init(_ graph: Graph) {
      self.graph = graph
      graph.host = self
    }

    func takeLog() -> [String] {
      defer { log = [] }
      return log
    }

    func finish() {
      for slot in listeners + slots { graph.dispose(slot) }
      #expect(graph.brokenInvariants() == [])
      graph.host = nil
    }

    // MARK: What the graph tells

    private func name(_ slot: Slot) -> String { numbers[slot.index].map(String.init) ?? "?" }

    func graph(_ graph: Graph, body slot: Slot, failed error: any Error) {
      log.append("\(name(slot)) failed: \(error)")
    }
    func graph(_ graph: Graph, recovered slot: Slot) { log.append("\(name(slot)) recovered") }
    func graph(_ graph: Graph, foundCycle loop: [Slot]) {
      log.append("loop " + loop.map(name).joined(separator: " "))
    }
    func graphHasSettledAfterCycle(_ graph: Graph) { log.append("settled after a loop") }
    func graph(_ graph: Graph, edgeEnded owner: UInt32) {}

    // MARK: What there is

    private func add(_ slot: Slot) {
      numbers[slot.index] = slots.count
      slots.append(slot)
      if slots.count.isMultiple(of: 4) { graph.watch(slot) }
    }

    func addSource(_ value: Int) { add(graph.makeSource(.integer(value))) }

    private func addComputed(_ reads: [Int]) {
      let number = slots.count, inputs = reads.map { slots[$0] }
      add(
        graph.makeComputed(
          Sum(of: inputs, in: graph) { [unowned self] in log.append("= \(number)") }))
    }

    func connect(_ source: Int, _ target: Int, _ carrying: Carrying, isReverse: Bool = false) {
      let body: TransformBody? =
        switch carrying {
        case .copy: nil
        case .plusOne: Adding(nil)
        // Reads what may be in the middle of settling.
        case .reading: Adding(slots[min(source, target) / 2])
        case .failing: Refusing()
        }
      let edge = graph.connect(
        slots[source], to: slots[target], through: body, isReverse: isReverse)
      edges.append((edge, source, target))
      graph.fire(edge)
    }

    private func listen(to index: Int) {
      let number = listeners.count
      let body = ObserverFunction { [unowned self] old, new in
        log.append("observer \(number): \(old) → \(new)")
      }
      listeners.append(graph.makeObserver(of: slots[index], body))
    }

    /// Runs whenever one of two slots changes, and writes another, which a binding copies.
    private func react(to first: Int, _ second: Int) {
      let number = listeners.count
      let written = graph.makeSource(.integer(0)), copy = graph.makeSource(.integer(0))
      _ = graph.connect(written, to: copy)
      listeners += [written, copy]
      let body = EffectFunction { [unowned self] in
        try graph.refreshTracking(slots[first])
        let value = Sum.number(slots[first].load())
        if value.isMultiple(of: 2) { try graph.refreshTracking(slots[second]) }
        log.append("effect \(number): \(value) \(slots[second].load())")
        for step in 0..<3 { graph.write(written, .integer(value + step)) }
        log.append("effect \(number) has written \(copy.load())")
      }
      listeners.append(graph.makeEffect(body))
    }

    // MARK: Operations

    func act(_ random: inout SeededGenerator) {
      switch Int.random(in: 0..<16, using: &random) {
      case 0 where slots.count < 40: addSource(Int.random(in: 0..<9, using: &random))
      case 1 where slots.count < 40, 2 where slots.count < 40:
        addComputed(
          (0..<Int.random(in: 1..<4, using: &random)).map { _ in anySlot(&random) })
      case 3, 4: bind(&random)
      case 5: unbind(&random)
      case 6 where listeners.count < 20: listen(to: anySlot(&random))
      case 7 where listeners.count < 20:
        react(to: anySlot(&random), anySlot(&random))
      case 8: pause(&random)
      case 9: toggle(&random)
      case 10, 11:
        graph.batch {
          for _ in 0..<Int.random(in: 1..<5, using: &random) {
            write(&random)
            if Bool.random(using: &random) { read(anySlot(&random)) }
          }
        }
      case 12: read(anySlot(&random))
      default: write(&random)
      }
      graph.drainTouched { log.append("touched \(name($0))") }
      log.append("values \(slots.map { $0.isDerived ? "_" : "\($0.load())" })")
      if Bool.random(using: &random) { for index in slots.indices { read(index) } }
    }

    private var sources: [Int] { slots.indices.filter { !slots[$0].isDerived } }

    private func anySlot(_ random: inout SeededGenerator) -> Int {
      Int.random(in: 0..<slots.count, using: &random)
    }

    private func read(_ index: Int) {
      do {
        try graph.refresh(slots[index])
        log.append("\(index) is \(slots[index].load())")
      } catch {
        log.append("\(index) throws \(error)")
      }
    }

    private func write(_ random: inout SeededGenerator) {
      let free = sources.filter { index in !edges.contains { $0.target == index } }
      guard let index = (free.isEmpty ? sources : free).randomElement(using: &random) else {
        return
      }
      let number = Int.random(in: 0..<9, using: &random)
      graph.write(slots[index], number == 8 ? .string("a text that is counted") : .integer(number))
    }

    /// Bindings lead to later slots, but for the way back of a pair, so that all of them settle.
    private func bind(_ random: inout SeededGenerator) {
      guard let target = sources.filter({ $0 > 0 }).randomElement(using: &random) else { return }
      let source = Int.random(in: 0..<target, using: &random)
      let hasBack = edges.contains { $0.source == target && $0.target < target }
      if !slots[source].isDerived, !hasBack, Bool.random(using: &random),
        !edges.contains(where: { $0.target == source || $0.target == target })
      {
        connect(source, target, .copy)
        return connect(target, source, .copy, isReverse: true)
      }
      let ways = [Carrying.copy, .copy] + Carrying.allCases
      guard let carrying = ways.randomElement(using: &random), !isPaired(target) else { return }
      connect(source, target, carrying)
    }

    private func isPaired(_ target: Int) -> Bool {
      edges.contains { $0.source == target && $0.target < target }
    }

    private func unbind(_ random: inout SeededGenerator) {
      guard let index = edges.indices.randomElement(using: &random) else { return }
      graph.disconnect(edges.remove(at: index).edge)
    }

    private func pause(_ random: inout SeededGenerator) {
      let slot = listeners.randomElement(using: &random)
      if let slot { graph.setEnabled(Bool.random(using: &random), of: slot) }
    }

    private func toggle(_ random: inout SeededGenerator) {
      guard let edge = edges.randomElement(using: &random)?.edge else { return }
      graph.setEnabled(!graph.isEnabled(edge), ofEdge: edge)
    }
  }

  struct Refused: Error {}

  /// Adds up what it reads, which depends on the first number, and refuses some sums.
  final class Sum: ComputedBody {
    private let inputs: [Slot]
    private let graph: Graph
    private let onRun: () -> Void

    init(of inputs: [Slot], in graph: Graph, onRun: @escaping () -> Void) {
      (self.inputs, self.graph, self.onRun) = (inputs, graph, onRun)
    }

    static func number(_ value: Value) -> Int {
      if case .integer(let number) = value { number } else { 100 }
    }

    override func evaluate(_ slot: Slot) throws -> Bool {
      onRun()
      var sum = 0
      for input in inputs {
        try graph.refreshTracking(input)
        sum += Self.number(input.load())
        if sum.isMultiple(of: 3) { break }
      }
      if sum % 13 == 12 { throw Refused() }
      return slot.store(.integer(sum % 50))
    }
  }

  /// Adds one, or what another slot holds.
  final class Adding: TransformBody {
    private let other: Slot?

    init(_ other: Slot?) { self.other = other }

    override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
      var sum = Sum.number(source.load()) + 1
      if let other, (try? Graph.of(other).refresh(other)) != nil {
        sum += Sum.number(other.load())
      }
      return target.store(.integer(sum % 1000))
    }
  }

  /// Keeps what was there, for every other number.
  final class Refusing: TransformBody {
    override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
      Sum.number(source.load()).isMultiple(of: 2) && target.copy(from: source)
    }
  }
}
