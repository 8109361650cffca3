import AttackFiles
import FoundationEssentials
import Glibc
import Testing
import TideBindings
import TideLua
import TideScript
import TideStore

/// Every script of the folder `Attacks` is run as an app with little time and memory, whose
/// database is in memory; the runtime must stay usable. `DoorTests` lets them in at every door.
@Suite(.serialized) struct `Attacks on a database` {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Attacks").path
  static let all = Attack.all(in: folder)
  private static let turn = 0.1

  @Test func `there are attacks`() { #expect(Self.all.count > 20) }

  @Test(.serialized, .timeLimit(.minutes(10)), arguments: all)
  func `ends as it should`(_ attack: Attack) throws {
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.takesStubs = true
    configuration.lua.turn = attack.isTimed ? .seconds(Self.turn) : .seconds(60)
    configuration.lua.memory = 32 << 20
    let runtime = try Runtime(file: attack.path, configuration: configuration)
    var failures: [TideError] = []
    runtime.onError = { if failures.count < 100 { failures.append($0) } }
    let started = processorTime()
    do { try runtime.load() } catch {
      failures.append(TideError(wrapping: error, graph: runtime.graph))
    }
    let spent = processorTime() - started
    let outcomes = failures.isEmpty ? [.fine] : failures.map(\.outcome)
    #expect(
      attack.expected.contains { wanted in outcomes.contains { wanted.covers($0) } },
      "\(outcomes.prefix(5))")
    #expect(runtime.memoryUsed <= 32 << 20)
    // The thread's own time, which a busy machine does not stretch.
    if attack.isTimed, getenv("TIDELOCK_SANITIZER") == nil {
      #expect(spent < Self.turn + 0.15, "\(spent) seconds")
    }
    #expect(
      try runtime.evaluate(
        "store.open('after.db'):value('SELECT count(*) FROM (SELECT 1 ORDER BY 1)').value",
        as: Int.self) == 1)
  }
}

extension TideError {
  fileprivate var outcome: Attack.Outcome {
    switch code {
    case .scriptTime: .time
    case .scriptMemory: .memory
    case .scriptDepth: .depth
    default: .error(containing: "\(code.name) \(message)")
    }
  }
}

/// Seconds that the calling thread has run.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
