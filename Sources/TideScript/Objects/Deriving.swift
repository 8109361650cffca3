import TideBindings
import TideGraph
import TideLua

// Evaluates scripts' computed values that depend on each other too deeply for the stack. Each runs
// on a coroutine. If it reads another computed value that is stale, it waits for that value.

extension Runtime {
  /// Evaluates a computed value that may depend on a chain of any number of other computed values.
  func deriveWaiting(_ computed: ScriptComputed, _ slot: Slot) throws -> Bool {
    let stack = try LuaDerivations(in: lua)
    var argument = computed.argument
    try stack.fill(0, with: computed.function, &argument)
    var waiting: [(computed: ScriptComputed, evaluation: Graph.Evaluation)] = []
    defer { calls.justEvaluated = nil }
    var isFirst = true
    while true {
      let (runs, target) =
        waiting.last.map { ($0.computed, $0.evaluation.slot) } ?? (computed, slot)
      do {
        switch try stack.run(waiting.count, of: runs.function, isFirst: isFirst) {
        case .returned(let result):
          let before = graph.contents(of: target)
          let changed = try runs.store(result, in: target, self)
          // The caller records the outermost evaluation.
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

  /// Whether an evaluation on a coroutine has to wait for a slot.
  func waits(for slot: Slot) -> Bool {
    graph.needsEvaluation(slot) && slot != calls.justEvaluated
      && (graph.body(of: slot) as? ScriptComputed)?.isDerived(in: self) == true
  }

  /// Starts the evaluation that another one waits for. Returns false if that fails; the waiting one
  /// gets the error when it continues.
  private func begin(
    _ slot: Slot, after count: Int, _ stack: borrowing LuaDerivations,
    _ waiting: inout [(computed: ScriptComputed, evaluation: Graph.Evaluation)]
  ) -> Bool {
    guard let computed = graph.body(of: slot) as? ScriptComputed,
      let evaluation = graph.beginEvaluation(of: slot)
    else {
      calls.justEvaluated = slot
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
    calls.justEvaluated = evaluation.slot
  }

  /// Ends the waiting evaluations, innermost first, in a turn whose time is over.
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

// Validators of scripts. Their result is written; nil and a message refuse the value. Any other
// result is an error of the script, not of the person who entered the value.
extension Runtime {
  /// Calls the validator of a property.
  ///
  /// - Parameter admit: throws if the property cannot hold the validator's result.
  func validate(
    _ value: Value, for object: DataObject, _ name: String, by function: LuaFunction,
    admit: (Value) throws -> Value
  ) throws -> Value {
    let results = try perform {
      try function.call([luaValue(.object(object)), luaValue(value)])
    }
    let validator = "the validator of \(object.label).\(name)"
    let verdict = try verdict(
      results, on: value, of: function, called: validator,
      refusing: "\(object.label).\(name) refuses \(value.literal)")
    do {
      return try admit(verdict)
    } catch {
      let reason = (error as? TideError)?.message ?? "\(error)"
      throw misuse(of: function, "\(validator) gave what it cannot hold: \(reason)")
    }
  }

  /// The function for a binding's option `validate`.
  func judge(_ function: LuaFunction) -> (Value) throws -> Value {
    { [home] value in
      let runtime = try home.requireRuntime()
      let results = try runtime.perform { try function.call([runtime.luaValue(value)]) }
      return try runtime.verdict(
        results, on: value, of: function, called: "the binding's validator",
        refusing: "the binding's validator refuses \(value.literal)")
    }
  }

  /// Reads what a validator has returned.
  private func verdict(
    _ results: [LuaValue], on value: Value, of function: LuaFunction, called validator: String,
    refusing refusal: String
  ) throws -> Value {
    guard let first = results.first else {
      throw misuse(
        of: function, "\(validator) returned nothing; return the value, or nil and a message")
    }
    let second = results.dropFirst().first ?? .nil
    if case .boolean(let flag) = first {
      // A boolean is a valid result only for a boolean value.
      if case .boolean = value, second.isNil { return .boolean(flag) }
      let more = second.isNil ? "" : ", \(second.preview)"
      throw misuse(
        of: function,
        "\(validator) returned \(flag)\(more) for \(value.literal); return the value, or nil and a message"
      )
    }
    if !first.isNil { return try self.value(from: first) }
    if let message = second.string { throw TideError(.refused, message) }
    guard second.isNil else {
      throw misuse(
        of: function, "\(validator) returned nil and \(second.preview), where the message is a text"
      )
    }
    if value == .null { return value }
    throw TideError(.refused, refusal, cause: WordlessRefusal())
  }

  private func misuse(of function: LuaFunction, _ message: String) -> TideError {
    TideError(
      .scriptError, message, location: function.location.map { SourceLocation($0) })
  }
}
