import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct `Observers of a list` {
  private let context = BindingContext()

  /// What an observer knows of a list from its changes alone.
  private final class Mirror {
    var values: [Value]
    var calls = 0

    init(_ list: ValueList) { values = list.values }

    func follow(_ changes: [ListChange]) throws {
      calls += 1
      for change in changes { try change.apply(to: &values) }
    }
  }

  @discardableResult
  private func mirror(_ list: ValueList, batch: Bool = false) -> (Mirror, ContextEntry) {
    let mirror = Mirror(list)
    let options = ListObservationOptions(batch: batch)
    return (mirror, context.observe(list, options) { try mirror.follow($0) })
  }

  @Test(arguments: ["red", "green", "blue"])
  func `know what it holds after any edits, whenever they came`(_ seed: String) throws {
    defer { context.removeAll() }
    var random = SeededGenerator(seed)
    let list = ValueList((0..<20).map { .integer($0) })
    let long = String(repeating: "x", count: 200_000)
    var mirrors = [mirror(list), mirror(list, batch: true)]
    for _ in 0..<40 {
      try list.graph.batch {
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
          let count = list.count
          func index() -> Int { Int.random(in: 0..<count, using: &random) }
          switch Int.random(in: 0..<8, using: &random) {
          case 0: try list.append(.string(long + String(Int.random(in: 0..<1000, using: &random))))
          case 1:
            try list.insert(
              .integer(Int.random(in: 0..<100, using: &random)),
              at: Int.random(in: 0...count, using: &random))
          case 2 where count > 0: try list.remove(at: index())
          case 3 where count > 1: try list.move(from: index(), to: index())
          case 4 where count > 0: try list.replace(at: index(), with: .string(long + "!"))
          case 5:
            try list.set((0..<Int.random(in: 0..<30, using: &random)).map { .integer($0 / 2) })
          case 6 where mirrors.count < 6:
            mirrors.append(mirror(list, batch: Int.random(in: 0..<2, using: &random) == 0))
          case 7 where mirrors.count > 2:
            mirrors.remove(at: Int.random(in: 0..<mirrors.count, using: &random)).1.cancel()
          default: break
          }
        }
      }
      for (mirror, _) in mirrors { #expect(mirror.values == list.values) }
    }
  }

  @Test func `are told of ten thousand edits of a batch one by one`() throws {
    defer { context.removeAll() }
    let list = ValueList([0])
    let (mirror, _) = mirror(list)
    try list.graph.batch {
      for number in 1...10_000 { try list.replace(at: 0, with: .integer(number)) }
    }
    #expect(mirror.calls == 10_000)
    #expect(mirror.values == [10_000])
  }

  @Test func `are told of the difference where more wait than are worth keeping`() throws {
    defer { context.removeAll() }
    let list = ValueList([1, 2, 3])
    let (mirror, _) = mirror(list)
    try list.graph.batch {
      for _ in 0..<100 {
        try list.insert(.string(String(repeating: "x", count: 100_000)), at: 1)
        try list.remove(at: 1)
      }
      try list.append(4)
    }
    #expect(mirror.calls == 1)
    #expect(mirror.values == [1, 2, 3, 4])
  }

  @Test func `that fail are told of the changes that follow, unless the turn is over`() throws {
    defer { context.removeAll() }
    struct Fault: Error {}
    let list = ValueList()
    var calls = 0
    context.observe(list) { _ in
      calls += 1
      throw Fault()
    }
    try list.graph.batch { for number in 0..<5 { try list.append(.integer(number)) } }
    #expect(calls == 5)
    context.observe(list, ListObservationOptions()) { _ in
      calls += 1
      throw WorkError.time
    }
    calls = 0
    try list.graph.batch { for number in 0..<5 { try list.append(.integer(number)) } }
    #expect(calls == 5 + 1)
  }
}
