import TideBindings
import TideScript

/// Creates scripts from texts: parses each text and collects its declarations.
struct ScriptBuilder {
  let names: KnownNames
  let syntax: SyntaxCheck

  /// Creates a script from the given text, or from the file if the text is nil.
  func read(_ path: String, _ text: String?, _ isSpec: Bool) -> ScriptReader.Outcome {
    do {
      return outcome(of: try text ?? ScriptFile.read(path), path, isSpec: isSpec)
    } catch {
      return .failed(Problem.failure(error, path))
    }
  }

  /// Parses a text as a script with a given name.
  func outcome(of text: String, _ path: String, isSpec: Bool) -> ScriptReader.Outcome {
    if text.utf8.allSatisfy({ $0 <= 0x20 }), !isSpec {
      let error = TideError(
        .scriptError, "the script is empty; declare a model, or return a view",
        location: SourceLocation(file: path, line: 1))
      return .failed(Problem(.error, error))
    }
    let source = LuaSource(path: path, bytes: Array(text.utf8))
    var failure: Problem?
    do { try syntax.check(text, path: path) } catch {
      let error = TideError(script: error)
      // A script that takes the interpreter too long is not read further.
      if error.code == .scriptTime { return .failed(Problem(.error, error)) }
      failure = Problem.failure(SyntaxErrorLocator.located(error, in: source), path, source)
    }
    guard source.bytes.count <= ScriptCheck.sizeLimit else {
      let limit = "beyond \(ScriptCheck.sizeLimit >> 20) MiB only the syntax is checked"
      return .failed(
        failure
          ?? .unchecked("the script has \(source.bytes.count >> 20) MiB; \(limit)", path))
    }
    return parse(source, isSpec, failure)
  }

  private func parse(
    _ source: LuaSource, _ isSpec: Bool, _ failure: Problem?
  ) -> ScriptReader.Outcome {
    do throws(LuaParser.Failure) {
      var parser = try LuaParser(source.bytes, isTolerant: failure != nil)
      let script = Script(source, try parser.script(), isSpec: isSpec, failure: failure)
      DeclarationCollector.take(script, names: names)
      return .script(script)
    } catch {
      let offset =
        switch error {
        case .unexpected(let offset), .tooDeep(let offset): offset
        }
      let message =
        "the script is nested too deeply here to be checked; only its syntax is"
      return .failed(
        failure ?? .unchecked(message, source.path, source.location(of: offset)))
    }
  }
}
