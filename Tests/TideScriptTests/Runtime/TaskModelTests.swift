import Fuzzing
import TideBindings
import TideScript
import Testing

/// Random tasks that sleep, await each other, fail and are cancelled, against a model that knows
/// only when each of them must end, and how.
@Suite struct `Tasks and their model` {
  enum Step {
    case sleep(Int)
    /// Of a task made before.
    case await(Int)
  }

  struct Plan {
    var steps: [Step] = []
    var fails = false
    /// Seconds; with a fraction of its own, so that nothing else happens at that time.
    var cancelled: Double?
  }

  struct Ending: Equatable {
    var state: String
    var time: Double
  }

  private static func plans(_ generator: inout SeededGenerator) -> [Plan] {
    (0..<10).map { index in
      var plan = Plan()
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let awaits = index > 0 && Bool.random(using: &generator)
        plan.steps.append(
          awaits
            ? .await(Int.random(in: 0..<index, using: &generator))
            : .sleep(Int.random(in: 0...4, using: &generator)))
      }
      plan.fails = Int.random(in: 0..<4, using: &generator) == 0
      if Int.random(in: 0..<3, using: &generator) == 0 {
        plan.cancelled = Double(Int.random(in: 0...8, using: &generator)) + Double(index + 1) / 64
      }
      return plan
    }
  }

  private static func endings(of plans: [Plan]) -> [Ending] {
    var endings: [Ending] = []
    for plan in plans {
      var time = 0.0
      var isCancelled = false
      for step in plan.steps where !isCancelled {
        switch step {
        case .sleep(let seconds): time += Double(seconds)
        case .await(let other): time = max(time, endings[other].time)
        }
        if let end = plan.cancelled, time > end {
          time = end
          isCancelled = true
        }
      }
      let state = isCancelled ? "cancelled" : plan.fails ? "failed" : "finished"
      endings.append(Ending(state: state, time: time))
    }
    return endings
  }

  private static func script(for plans: [Plan]) -> String {
    var lines = ["tasks, ended = {}, {}"]
    for (index, plan) in plans.enumerated() {
      lines.append("tasks[\(index)] = spawn(function()")
      lines.append(
        "  local note <close> = setmetatable({}, { __close = function() ended[\(index)] = now() end })"
      )
      for step in plan.steps {
        switch step {
        case .sleep(let seconds): lines.append("  sleep(\(seconds))")
        case .await(let other):
          lines.append("  local ok, result = pcall(await, tasks[\(other)])")
          lines.append("  assert(ok == (tasks[\(other)].state == 'finished'))")
          lines.append("  assert(not ok or result == \(other))")
        }
      }
      lines.append(plan.fails ? "  error('planned')" : "  return \(index)")
      lines.append("end)")
      if let time = plan.cancelled {
        lines.append("after(\(time), function() tasks[\(index)]:cancel() end)")
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test func `agree on how and when each task ends`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed of tasks: \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let plans = Self.plans(&generator)
      var configuration = Runtime.Configuration()
      configuration.clock = VirtualClock()
      let runtime = try Runtime(file: "test.lua", configuration: configuration)
      let script = Self.script(for: plans)
      try runtime.evaluate(script, as: Value.self)
      runtime.loop.advance(by: 100)
      let found = try plans.indices.map { index in
        Ending(
          state: try runtime.evaluate("tasks[\(index)].state", as: String.self),
          time: try runtime.evaluate("ended[\(index)]", as: Double.self))
      }
      #expect(found == Self.endings(of: plans), "\(script)")
      #expect(runtime.errors.allSatisfy { $0.message == "planned" }, "\(runtime.errors)")
      #expect(!runtime.loop.hasWork)
    }
  }
}
