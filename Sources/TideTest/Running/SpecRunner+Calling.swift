import TideBindings
import TideLua
import TideScript

extension SpecRunner {
  /// Runs one function of a spec; gives what went wrong.
  func call(
    _ word: String, _ function: LuaFunction?, in block: SpecElement, _ context: BindingContext?
  ) -> SpecProblem? {
    guard let run = specs.words[word], let scope = block.scope, let context else { return nil }
    noted = nil
    let limit = options.timeLimit
    let deadline = Seconds.monotonic + limit
    let clockEnd = specs.runtime.loop.now() + SpecRuntime.longestWait + 1
    var isLate = false
    do {
      let results = try specs.runtime.callTest(
        run, [function.map { .function($0) } ?? .nil, .table(scope)], in: context,
        isOver: { [unowned self] in
          isLate = Seconds.monotonic > deadline || specs.runtime.loop.now() > clockEnd
          return isLate
        })
      if let results { return noted ?? SpecProblem(results) }
      return noted
        ?? SpecProblem(
          status: .error,
          message: isLate
            ? "it still waits at its time limit" : "it waits for what never comes")
    } catch {
      var problem = noted ?? SpecProblem(error, limit: limit)
      // What was tried when a law's function was stopped, which cannot tell of it any more.
      if let tried = try? specs.words["tried"]?.call([]).first?.text {
        problem.message = (problem.message ?? "") + tried
      }
      return problem
    }
  }

  /// An assertion that fails in a timer or an observer fails the test; in a test that waits for
  /// `done()`, so does any error, since `done` may never be called.
  func note(_ error: TideError) {
    specs.listed.append(error)
    guard noted == nil, let cause = error.cause as? LuaError else { return }
    let kind = cause.value.flatMap { value in
      (try? specs.words["kind"]?.call([value]).first?.text) ?? nil
    }
    let isAsync = (try? specs.words["isAsync"]?.call([]).first?.boolean) == true
    guard kind == "failure" || isAsync else { return }
    var problem = SpecProblem(error, limit: options.timeLimit)
    if kind == "failure" {
      problem.status = .failure
      // It says itself where it was raised.
      let text = cause.value.flatMap { try? specs.words["textOf"]?.call([$0]).first?.text } ?? nil
      problem.message = text ?? problem.message
    }
    noted = problem
  }
}
