import AttackFiles
import Foundation
import Fuzzing
import Glibc
import OwnThread
import Synchronization

/// The combinations of doors and attacks that a search tries, in an order that depends only on a
/// seed.
///
/// In the suite each door comes once, and some doors once more with two attacks. While
/// `scripts/fuzz` searches, every combination comes once, and then pairs until the time is over.
struct AssaultRun {
  /// The only combination to try, if `TIDELOCK_CASE` names one.
  static let single = ProcessInfo.processInfo.environment["TIDELOCK_CASE"]

  private static let pairsInSuite = 30

  private var random: SeededGenerator
  private var waiting: [Assault]
  private let doors: [Door]
  static let isSearch = ProcessInfo.processInfo.environment["TIDELOCK_FUZZ_SECONDS"] != nil
  private var run: FuzzRun

  init(_ name: String, seed: UInt64, _ isMeant: (Door) -> Bool) {
    random = SeededGenerator(seed: seed)
    doors = Door.all.filter(isMeant)
    run = FuzzRun(name, stepsInSuite: doors.count + Self.pairsInSuite)
    waiting = []
    if Self.isSearch {
      waiting = Assault.all(where: isMeant).shuffled(using: &random)
    } else {
      for door in doors { waiting.append(Assault(door, [attack()])) }
      for _ in 0..<Self.pairsInSuite { waiting.append(pair()) }
    }
    waiting.reverse()
  }

  /// What is to be tried next; nil when that was all.
  mutating func next() -> Assault? {
    guard run.goesOn() else { return nil }
    if let assault = waiting.popLast() { return assault }
    return Self.isSearch ? pair() : nil
  }

  func note(_ assault: Assault) { run.note(Array("\(assault)\n".utf8)) }
  func save(_ assault: Assault) { if Self.isSearch { run.save(Array("\(assault)\n".utf8)) } }

  private mutating func attack() -> Attack {
    Attack.corpus[Int.random(in: 0..<Attack.corpus.count, using: &random)]
  }

  private mutating func pair() -> Assault {
    let door = doors[Int.random(in: 0..<doors.count, using: &random)]
    return Assault(door, [attack(), attack()])
  }
}

/// Ends the whole process, with a word about what it was doing, when that takes much too long: what
/// hangs within the process cannot be ended otherwise.
final class Watchdog: Sendable {
  private let isOver = Atomic(false)

  init(_ work: String, seconds: Int = 120) {
    let watch = self
    spawnThread {
      for _ in 0..<seconds * 10 {
        usleep(100_000)
        if watch.isOver.load(ordering: .relaxed) { return }
      }
      let text = "it hangs: \(work)\n"
      _ = write(2, text, text.utf8.count)
      abort()
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}
