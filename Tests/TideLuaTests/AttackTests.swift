import AttackFiles
import CTideLua
import FoundationEssentials
import Glibc
import Testing
@testable import TideLua

/// Every script of the folder `Attacks` is run with little time and memory, and must leave the
/// state as it was: stopped where it must be, within its memory, usable, and nothing held.
@Suite struct `Attacks` {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Attacks").path
  /// Also those that use a published fault of an older release, which come in at no other door: the
  /// interpreter is the same behind each.
  static let all = Attack.all(in: folder) + Attack.all(in: folder + "/Faults")
  static let memory = 32 << 20
  // Under a sanitizer one way takes long enough.
  static let waysToStop = getenv("TIDELOCK_SANITIZER") == nil ? [false, true] : [false]

  @Test func `there are attacks`() { #expect(Self.all.count > 150) }

  @Test(.serialized, .timeLimit(.minutes(60)), arguments: all, waysToStop)
  func `ends as it should`(_ attack: Attack, countingSteps: Bool) throws {
    var configuration = LuaConfiguration()
    // What must not run out of time may take its time on a busy machine.
    configuration.turn = attack.isTimed ? .milliseconds(100) : .seconds(60)
    configuration.memory = Self.memory
    configuration.countsSteps = countingSteps
    let state = try LuaState(configuration)
    state.onPrint = { _ in }
    state.onWarning = { _ in }
    // Only the signal gets a script out of an operation that never ends.
    if attack.expected.contains(.givenUp) && tide_turn_counts_steps(state.raw) { return }
    let check = try #require(try state.run(Self.check, name: "=check").first?.function)
    let height = tide_state_height(state.raw)
    let references = tide_reference_count(state.raw)

    let started = processorTime()
    let outcome = run(attack, in: state)
    let spent = processorTime() - started

    let isAllowed = attack.allowed.contains { $0.covers(outcome) }
    #expect(isAllowed, "\(outcome)")
    #expect(tide_memory_peak(state.raw) <= UInt64(Self.memory + Self.memoryOvershoot))
    // No measurement, which the benchmarks have: only that it did not hang.
    #expect(!attack.isTimed || spent < 5)
    if outcome == .givenUp {
      #expect(!state.isOpen)
      #expect(throws: LuaError.self) { try check.call([]) }
      return
    }
    #expect(tide_state_height(state.raw) == height)
    #expect(tide_reference_count(state.raw) == references)
    #expect(try check.call([]) == [.integer(5050), "x"])
  }

  private static let memoryOvershoot = 1 << 20

  private func run(_ attack: Attack, in state: LuaState) -> Attack.Outcome {
    do {
      try state.run(attack.source, name: "@" + attack.name)
      return .fine
    } catch {
      return switch error.kind {
      case .time: state.isOpen ? .time : .givenUp
      case .memory: .memory
      case .depth: .depth
      default: .error(containing: "\(error.kind) \(error)")
      }
    }
  }

  /// Uses tables, texts, functions, errors and coroutines, whatever became of the globals.
  private static let check = """
    local pcall, error, insert, concat = pcall, error, table.insert, table.concat
    local wrap, yield = coroutine.wrap, coroutine.yield
    return function()
      local t, sum = {}, 0
      for i = 1, 100 do insert(t, i .. "") end
      for word in concat(t, " "):gmatch("%d+") do sum = sum + word end
      local co = wrap(function() yield(sum) end)
      local _, message = pcall(error, "x")
      return co() // 1, message
    end
    """
}

/// Seconds that the calling thread has run.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
