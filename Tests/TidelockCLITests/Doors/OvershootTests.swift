import TestFolders
import AttackFiles
import Foundation
import Fuzzing
import Testing

/// Measures how long attacks go on beyond their time at each door that a timer enters, with the
/// program that `TIDELOCK_PROGRAM` names. `scripts/fuzz overshoot` runs it; it judges nothing,
/// because a machine that does other things too delays everything.
@Suite struct OvershootTests {
  static let isWanted =
    ProcessInfo.processInfo.environment["TIDELOCK_FUZZ_LAST"] != nil
    && ProcessInfo.processInfo.environment["TIDELOCK_PROGRAM"] != nil

  private struct Overshoot {
    let assault: Assault
    let memory: Int
    let milliseconds: Double
  }

  @Test(.enabled(if: Self.isWanted), .timeLimit(.minutes(600))) func `the worst doors and attacks`()
    throws
  {
    var random = SeededGenerator(seed: FuzzRun.seed(of: "overshoot"))
    let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    var run = FuzzRun("overshoot", corpus: corpus, stepsInSuite: 0)
    let timed = Assault.all { $0.entry == .ticks }.filter {
      $0.attacks.allSatisfy { $0.expected.first == .time }
    }.shuffled(using: &random)
    // A full heap is what takes longest to unwind.
    let isHeap = { (assault: Assault) in assault.attacks[0].name.hasPrefix("heap-") }
    let heaps = timed.filter(isHeap)
    let cases =
      heaps.map { ($0, 32) } + heaps.map { ($0, 256) }
      + timed.filter { !isHeap($0) }.map { ($0, 32) }
    var found: [Overshoot] = []
    for (assault, memory) in cases.shuffled(using: &random) {
      guard run.goesOn() else { break }
      if let overshoot = try Self.least(assault, memory) { found.append(overshoot) }
    }
    for memory in [32, 256] {
      let worst = found.filter { $0.memory == memory }.sorted { $0.milliseconds > $1.milliseconds }
      let median = worst.isEmpty ? 0 : worst[worst.count / 2].milliseconds
      print("overshoot with \(memory) MiB: \(worst.count) cases, median \(Self.text(median)) ms")
      for one in worst.prefix(15) {
        print("overshoot with \(memory) MiB: \(Self.text(one.milliseconds)) ms, \(one.assault)")
      }
    }
  }

  /// Of three tries the least, where the first one is bad: others use the machine, too.
  private static func least(_ assault: Assault, _ memory: Int) throws -> Overshoot? {
    var least: Double?
    for _ in 0..<3 where least ?? .infinity > 15 {
      guard let one = try measure(assault, memory) else { break }
      least = min(least ?? .infinity, one)
    }
    return least.map { Overshoot(assault: assault, memory: memory, milliseconds: $0) }
  }

  /// Nil where it was not the time that ended it.
  private static func measure(_ assault: Assault, _ memory: Int) throws -> Double? {
    let folder = try ScratchFolder()
    folder.write(assault.app, to: "app.lua")
    // A large heap takes a while to fill.
    let turn = memory > 32 ? 2.0 : assault.attacks[0].name.hasPrefix("heap-") ? 0.5 : 0.1
    let outcome = try Program.run(
      ["run", "app.lua", "--turn", "\(turn)", "--memory", "\(memory)M"], in: folder)
    guard outcome.errors.contains("E0404") else { return nil }
    let took = outcome.outputLines.first { $0.hasPrefix("took ") }.flatMap {
      Double($0.dropFirst(5))
    }
    return took.map { max(0, $0 - turn) * 1000 }
  }

  private static func text(_ number: Double) -> String {
    "\((number * 10).rounded() / 10)"
  }
}
