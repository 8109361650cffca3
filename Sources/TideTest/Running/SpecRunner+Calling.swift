import TideBindings
import TideGraph
import TideLua
import TideScript

extension SpecRunner {
  /// Runs one function of a spec. Returns its problem, or nil.
  func call(
    _ word: String, _ function: LuaFunction?, in block: SpecElement, _ context: BindingContext?
  ) -> SpecProblem? {
    guard let run = specs.words[word], let scope = block.scope, let context, !isInterrupted
    else { return nil }
    noted = nil
    defer { checkInterpreter() }
    let deadline = Seconds.monotonic + options.timeLimit
    let waited = specs.secondsWaited
    let isTooLong = { [unowned self] in
      specs.secondsWaited > waited + SpecRuntime.longestWait + 1
    }
    var isLate = false
    var location: String?
    do {
      let results = try specs.runtime.callTest(
        run, [function.map { .function($0) } ?? .nil, .table(scope)], in: context,
        isOver: { [unowned self] in
          isLate = Seconds.monotonic > deadline
          // After a failure there is no need to wait longer.
          return isLate || noted != nil || isTooLong() || isInterrupted
        },
        onGivingUp: { [unowned self] in
          location = (try? specs.words["waitingLocation"]?.call([]).first?.text) ?? nil
        })
      // The error of a failed task is reported in the next turn, unless the task is awaited by
      // then.
      if noted == nil, word == "runTest" { specs.runtime.loop.drain(limit: 1) }
      let problem = noted ?? results.flatMap { SpecProblem($0) }
      if problem != nil || (results != nil && !isTooLong()) { return problem }
      let message =
        isTooLong()
        ? "it waits for more than a day of the test's clock"
        : isLate ? "it still waits at its time limit" : "it waits for what never comes"
      return SpecProblem(
        status: .error, message: location.map { "\($0): \(message)" } ?? message)
    } catch {
      var problem = noted ?? SpecProblem(error, limit: options.secondsOfTurn)
      // The arguments tried by a law when its function was stopped; it cannot report them itself.
      if let tried = try? specs.words["tried"]?.call([]).first?.text {
        problem.message = (problem.message ?? "") + tried
      }
      return problem
    }
  }

  /// Handles an error in a timer or an observer. A failed assertion fails the test, and `pending`
  /// skips it. In a test that waits for `done()`, any error fails it, since `done` may never be
  /// called.
  func note(_ error: TideError) {
    let cause = error.cause as? LuaError
    let kind = cause?.value.flatMap { value in
      (try? specs.words["kind"]?.call([value]).first?.text) ?? nil
    }
    if kind != "pending" { specs.listed.append(error) }
    guard noted == nil, let cause else { return }
    let isAsync = (try? specs.words["isAsync"]?.call([]).first?.boolean) == true
    guard kind == "failure" || kind == "pending" || isAsync else { return }
    var problem = SpecProblem(error, limit: options.secondsOfTurn)
    if kind == "failure" || kind == "pending" {
      problem.status = kind == "pending" ? .pending : .failure
      // The message includes its own location.
      let text = cause.value.flatMap { try? specs.words["textOf"]?.call([$0]).first?.text } ?? nil
      problem.message = text ?? problem.message
    }
    noted = problem
  }
}

/// Resuming after an interpreter was closed. An endless finalizer, for example, can be stopped only
/// by closing the interpreter. The runner then reports the test at fault, and runs the rest of the
/// file in a new interpreter:
///
///     file ─┬─ 0 block ─┬─ 0 test
///           │           └─ 1 test      closed at [0, 1]
///           └─ 1 block ─── 0 test      the next to run: blocks on the way are declared again, and
///                                      their hooks run again
extension SpecRunner {
  var isOpen: Bool { specs.runtime.lua.isOpen }

  /// Whether the rest of the file must run in another interpreter.
  var isToBeResumed: Bool { closedAt?.isEmpty == false && !isStopped }

  /// Records the position at which the interpreter was closed, if it was.
  func checkInterpreter() {
    if closedAt == nil && !isOpen { closedAt = position }
  }

  /// Runs a block's children; when resuming, only those after the resumption position.
  func runChildren(of block: SpecElement) {
    let finished = resumption
    resumption = []
    for (index, child) in block.children.enumerated() where !isStopped && isOpen {
      if let first = finished.first, index <= first {
        if index < first || finished.count == 1 { continue }
        resumption = Array(finished.dropFirst())
      }
      position.append(index)
      run(child)
      position.removeLast()
    }
  }
}

extension Runtime {
  /// Calls a test's function in a context, where it may wait. While it waits, the loop runs, and a
  /// virtual clock advances to the next event.
  ///
  /// - Parameters:
  ///   - isOver: polled before each turn; if true, the waiting task is cancelled.
  ///   - onGivingUp: called before the cancellation, while the task's location is still known.
  /// - Returns: nil if the task was cancelled, or waits for an event that cannot occur.
  func callTest(
    _ function: LuaFunction, _ arguments: [LuaValue], in context: BindingContext,
    isOver: () -> Bool, onGivingUp: () -> Void
  ) throws -> [LuaValue]? {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    switch try begin(function, arguments, in: context) {
    case .finished(let results): return results
    case .waiting(let task):
      guard let outcome = turn(untilEndOf: task, isStopped: isOver) else {
        onGivingUp()
        task.cancel()
        return nil
      }
      return try outcome.get()
    }
  }

  /// Clears an exit request and the listed errors.
  func beginTest() {
    exitCode = nil
    bindings.clearErrors()
    if loop.timerCount == 0, let clock = loop.clock { clock.skip(to: clock.now.rounded(.up)) }
  }
}
