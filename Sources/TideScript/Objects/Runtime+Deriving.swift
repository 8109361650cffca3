import TideBindings
import TideGraph
import TideLua

// Computed values of scripts that nest too deep for the stack: each runs on a coroutine and, where it
// reads another one that is to be evaluated first, waits for that.

extension Runtime {
  /// Evaluates a computed value whose function may come to need any number of others, each of which
  /// comes to need the next.
  func deriveWaiting(_ computed: ScriptComputed, _ slot: Slot) throws -> Bool {
    let stack = try LuaDerivations(in: lua)
    var argument = computed.argument
    try stack.fill(0, with: computed.function, &argument)
    var waiting: [(computed: ScriptComputed, evaluation: Graph.Evaluation)] = []
    defer { justEvaluated = nil }
    var isFirst = true
    while true {
      let (runs, target) =
        waiting.last.map { ($0.computed, $0.evaluation.slot) } ?? (computed, slot)
      do {
        switch try stack.run(waiting.count, of: runs.function, isFirst: isFirst) {
        case .returned(let result):
          let before = graph.contents(of: target)
          let changed = try runs.store(result, in: target, self)
          // The outermost one's is noted by whoever has asked for it.
          if changed, !waiting.isEmpty { graph.noteChange(of: target, from: before) }
          guard let ended = waiting.popLast() else { return changed }
          end(ended.evaluation, .success(changed))
          isFirst = false
        case .waits(let wanted):
          isFirst = begin(wanted, after: waiting.count, stack, &waiting)
        }
      } catch {
        let error: any Error = (error as? LuaError).map { TideError($0) } ?? error
        guard let failed = waiting.popLast() else { throw error }
        end(failed.evaluation, .failure(error))
        if lua.isTurnOver {
          giveUp(&waiting, stack, error)
          throw error
        }
        isFirst = false
      }
    }
  }

  /// Whether an evaluation that runs on a coroutine is to wait for a slot.
  func waits(for slot: Slot) -> Bool {
    graph.isToBeEvaluated(slot) && slot != justEvaluated
      && (graph.body(of: slot) as? ScriptComputed)?.isDerived(in: self) == true
  }

  /// Begins to evaluate what one waits for. False where that is not possible, which the one that
  /// waits is told when it goes on.
  private func begin(
    _ slot: Slot, after count: Int, _ stack: borrowing LuaDerivations,
    _ waiting: inout [(computed: ScriptComputed, evaluation: Graph.Evaluation)]
  ) -> Bool {
    guard let computed = graph.body(of: slot) as? ScriptComputed,
      let evaluation = graph.beginEvaluation(of: slot)
    else {
      justEvaluated = slot
      return false
    }
    do {
      var argument = computed.argument
      try stack.fill(count + 1, with: computed.function, &argument)
    } catch {
      end(evaluation, .failure(TideError(error)))
      return false
    }
    waiting.append((computed, evaluation))
    return true
  }

  private func end(_ evaluation: Graph.Evaluation, _ result: Result<Bool, any Error>) {
    graph.end(evaluation, result)
    justEvaluated = evaluation.slot
  }

  /// Ends what still waits, innermost first, in a turn in which nothing of it would get any further.
  private func giveUp(
    _ waiting: inout [(computed: ScriptComputed, evaluation: Graph.Evaluation)],
    _ stack: borrowing LuaDerivations, _ error: any Error
  ) {
    while let last = waiting.popLast() {
      stack.giveUp(waiting.count + 1)
      graph.end(last.evaluation, .failure(error))
    }
    stack.giveUp(0)
  }
}
