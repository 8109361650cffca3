import TideBindings
import TideScript

// Functions that wait where nothing can wait.
extension ScriptChecker {
  /// The functions of the API that wait for their results.
  private static let waiting: Set = [
    "sleep", "ask", "ask.text", "ask.choice", "stdin.read",
    "file.read", "file.write", "file.append", "file.list", "file.exists", "file.info",
    "file.remove", "file.rename", "process.run",
    "http.get", "http.put", "http.post", "http.patch", "http.delete", "http.request",
  ]

  /// Whether the script names the error, and so waits on purpose.
  private var expectsRefusedWait: Bool {
    script.source.bytes.contains(Array("has to wait".utf8))
  }

  /// Reports `effect(function() sleep(1) end)`.
  ///
  /// - Parameter use: what calls the function, and cannot wait for it.
  func check(waitsIn value: LuaExpression?, _ use: String) {
    guard mentions == nil, let value, let body = inference.functionBody(of: value),
      !script.isSpec, !script.isDefinitions
    else { return }
    SyntaxWalker(
      visit: { [self] expression, position in
        guard position.depth == 0, !position.mayFail,
          case .call(let callee, _) = expression.kind,
          let function = inference.function(callee), Self.waiting.contains(function),
          !expectsRefusedWait
        else { return }
        report(
          .async,
          "\(function) has to wait, which \(use) cannot; begin a task with "
            + "spawn(function() … end)", at: callee.range.lowerBound)
      }, looksForFailure: true
    ).walk(body.block)
  }
}
