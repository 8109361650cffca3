import AttackFiles
import FoundationEssentials
import Glibc
import Testing
import TideBindings
import TideGraph
import TideLua
@testable import TideScript

/// Every script of the folder `Attacks` is loaded as an app with little time and memory and runs
/// for some turns of the loop; what fails is listed, and the runtime must stay usable.
@Suite(.serialized) struct `Attacks on a runtime` {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Attacks").path
  static let all = Attack.all(in: folder)

  @Test func `there are attacks`() { #expect(Self.all.count > 80) }

  /// A sanitizer makes the longest of those that end by themselves take minutes.
  private static let minutes = getenv("TIDELOCK_SANITIZER") == nil ? 2 : 20

  @Test(.serialized, .timeLimit(.minutes(minutes)), arguments: all)
  func `ends as it should`(_ attack: Attack) throws {
    var configuration = Runtime.Configuration()
    configuration.lua.turn = attack.isTimed ? .milliseconds(100) : .seconds(30 * Self.minutes)
    configuration.lua.memory = 32 << 20
    configuration.print = { _ in }
    let runtime = try Runtime(file: attack.path, configuration: configuration)
    var failures: [TideError] = []
    // One that fails for ever must not fill the test's memory.
    runtime.onError = { if failures.count < 100 { failures.append($0) } }
    let started = processorTime()
    do { try runtime.load() } catch {
      failures.append(TideError(wrapping: error, graph: runtime.graph))
    }
    for _ in 0..<10 where runtime.loop.hasWork && runtime.exitCode == nil {
      runtime.turn(timeout: 0.002)
    }
    let spent = processorTime() - started

    let outcomes = failures.isEmpty ? [.fine] : failures.map(\.outcome)
    #expect(
      attack.expected.contains { wanted in outcomes.contains { wanted.covers($0) } },
      "\(outcomes.prefix(5))")
    if attack.expected.count == 1, attack.expected.contains(.fine) { #expect(failures.isEmpty) }
    // No measurement, which the benchmarks have: only that it did not hang.
    #expect(!attack.isTimed || spent < 5)
    #expect(try runtime.evaluate(Self.check, as: Value.self) == 42)
  }

  /// Uses objects, bindings, computed values, observers and lists.
  private static let check = """
    (function()
      local a = object { n = 1, twice = computed(function(self) return self.n * 2 end) }
      local b, seen = object { n = 0 }, 0
      local h = observe(b, "n", function(new) seen = new end)
      local binding = bind("twice -> n", a, b)
      a.n = 20
      local l = list { seen, 2 }
      l:append(a.n - 20)
      binding:unbind()
      h:cancel()
      return l[1] + l[2] + l[3]
    end)()
    """
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
