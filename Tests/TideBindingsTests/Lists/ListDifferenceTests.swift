import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct ListDifferenceTests {
  func values(_ text: String) -> [Value] { text.map { .string(String($0)) } }

  func changes(_ old: String, _ new: String) throws -> [String] {
    try ListDifference.changes(from: values(old), to: values(new)).map { change in
      "\(change.kind) \(change.indexes) \(change.objects.map { $0.text ?? "" }.joined())"
    }
  }

  @Test(
    arguments: [
      ("", "", []), ("abc", "abc", []), ("", "ab", ["insertion [0, 1] ab"]),
      ("ab", "", ["removal [0, 1] ab"]),
      ("ac", "abc", ["insertion [1] b"]), ("abc", "ac", ["removal [1] b"]),
      ("abc", "axc", ["replacement [1] x"]), ("abcd", "bcda", ["move [0, 3] a"]),
      ("abcd", "dabc", ["move [3, 0] d"]), ("abcdef", "xbcdez", ["replacement [0, 5] xz"]),
      ("abcdef", "bcdefg", ["removal [0] a", "insertion [5] g"]),
      ("abcdef", "aefbcd", ["move [4, 1] e", "move [5, 2] f"]),
      ("aaa", "aa", ["removal [2] a"]), ("ab", "ba", ["move [0, 1] a"]),
    ] as [(String, String, [String])])
  func `the smallest edit is found`(old: String, new: String, expected: [String]) throws {
    #expect(try changes(old, new) == expected)
  }

  /// The length of a longest common subsequence, by the textbook.
  func commonLength(_ a: [Value], _ b: [Value]) -> Int {
    var row = [Int](repeating: 0, count: b.count + 1)
    for x in a {
      var diagonal = 0
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = x == y ? diagonal + 1 : max(above, row[j])
        diagonal = above
      }
    }
    return row[b.count]
  }

  @Test func `random lists become each other, and few elements move`() throws {
    var random = SeededGenerator("list difference")
    for _ in 0..<3000 {
      let letters = Int.random(in: 1...12, using: &random)
      func list() -> [Value] {
        (0..<Int.random(in: 0...14, using: &random)).map { _ in
          .integer(Int.random(in: 0..<letters, using: &random))
        }
      }
      let old = list()
      let new = list()
      var result = old
      let changes = try ListDifference.changes(from: old, to: new)
      for change in changes { try change.apply(to: &result) }
      #expect(result == new, "\(old) to \(new) by \(changes)")
      // A replacement stands for a removal and an insertion, a move too.
      let cost = changes.reduce(0) { sum, change in
        sum + (change.kind == .move ? 2 : change.kind == .replacement ? 2 : 1)
          * change.objects.count
      }
      #expect(
        cost <= old.count + new.count - 2 * commonLength(old, new), "\(old) to \(new) by \(changes)"
      )
    }
  }

  @Test func `lists that differ too much for the shortest edit still become each other`() throws {
    var random = SeededGenerator("large difference")
    let old = (0..<2000).map { Value.integer($0) }
    for new in [
      old.shuffled(using: &random), Array(old.reversed()), (1000..<3500).map { Value.integer($0) },
      [],
      old.map { _ in 7 }, old.filter { _ in Bool.random(using: &random) }.shuffled(using: &random),
    ] {
      var result = old
      for change in try ListDifference.changes(from: old, to: new) { try change.apply(to: &result) }
      #expect(result == new)
    }
  }

  @Test func `ten changes among ten thousand are all that is reported`() throws {
    var random = SeededGenerator("ten changes")
    let old = (0..<10_000).map { Value.integer($0) }
    var new = old
    for step in 0..<10 {
      let index = Int.random(in: new.indices, using: &random)
      switch step % 3 {
      case 0: new.insert(.integer(100_000 + step), at: index)
      case 1: new.remove(at: index)
      default: new[index] = .integer(200_000 + step)
      }
    }
    let changes = try ListDifference.changes(from: old, to: new)
    #expect(changes.reduce(0) { $0 + $1.indexes.count } <= 10)
    var result = old
    for change in changes { try change.apply(to: &result) }
    #expect(result == new)
  }
}
