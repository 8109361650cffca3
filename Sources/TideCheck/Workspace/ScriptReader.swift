import TideBindings
import TideScript
import TideSystem

/// Reads and parses scripts, and keeps each for as long as its text stays the same.
///
/// What it makes of a script depends on the script's text alone; what the scripts of an app have to do
/// with each other is up to the workspace.
final class ScriptReader {
  enum Outcome {
    /// What no tree can be made of.
    case failed(Problem)
    /// A script, which may have a mistake of syntax.
    case script(Script)
  }

  /// What tells whether a script has changed.
  private enum Stamp: Equatable {
    case text(String)
    case file(FileStamp)
  }

  private struct Kept {
    let stamp: Stamp
    let path: String
    let isSpec: Bool
    let outcome: Outcome
  }

  private let names: KnownNames
  private let syntax: SyntaxCheck
  private let finder: ScriptFinder
  private var kept: [String: Kept] = [:]
  /// Whether a file that has been looked at contains a word, by its real path.
  private var requiring: [String: (stamp: FileStamp, answer: Bool)] = [:]

  init(names: KnownNames, syntax: SyntaxCheck, finder: ScriptFinder) {
    self.names = names
    self.syntax = syntax
    self.finder = finder
  }

  /// Reads a script, unless it is still the same as the last time.
  ///
  /// - Parameters:
  ///   - identity: the file's real path.
  ///   - text: what an editor shows; without it what is on the disk.
  func script(at path: String, identity: String, text: String?) -> Outcome {
    let isSpec = finder.isSpec(path)
    let stamp = text.map { Stamp.text($0) } ?? FileStamp(path).map { .file($0) }
    if let stamp, let known = kept[identity], known.stamp == stamp, known.path == path,
      known.isSpec == isSpec
    {
      return known.outcome
    }
    let outcome = read(path, text, isSpec)
    if let stamp {
      kept[identity] = Kept(stamp: stamp, path: path, isSpec: isSpec, outcome: outcome)
    }
    return outcome
  }

  /// Forgets all scripts but some.
  func keep(only identities: some Sequence<String>) {
    let wanted = Set(identities)
    kept = kept.filter { wanted.contains($0.key) }
  }

  /// Whether a file is worth a look: folders may hold large files of data beside an app.
  func mayRequire(_ file: String, identity: String) -> Bool {
    let stamp = FileStamp(file)
    if let stamp, let known = requiring[identity], known.stamp == stamp { return known.answer }
    let bytes = try? ScriptFile.bytes(of: file, limit: ScriptCheck.sizeLimit, "a script file")
    let answer = bytes?.contains(word: "require") ?? false
    if let stamp { requiring[identity] = (stamp, answer) }
    return answer
  }

  private func read(_ path: String, _ text: String?, _ isSpec: Bool) -> Outcome {
    do {
      return parse(try text ?? ScriptFile.read(path), path: path, isSpec: isSpec)
    } catch {
      return .failed(Problem.failure(error, path))
    }
  }

  /// Parses a text as if it were a script of that name.
  func parse(_ text: String, path: String) -> Outcome {
    parse(text, path: path, isSpec: finder.isSpec(path))
  }

  private func parse(_ text: String, path: String, isSpec: Bool) -> Outcome {
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
      // Of a script that takes too long no more is read.
      if error.code == .scriptTime { return .failed(Problem(.error, error)) }
      failure = Problem.failure(SyntaxErrorLocator.located(error, in: source), path, source)
    }
    guard source.bytes.count <= ScriptCheck.sizeLimit else {
      let limit = "of more than \(ScriptCheck.sizeLimit >> 20) only the syntax is checked"
      return .failed(
        failure
          ?? .unchecked("the script has \(source.bytes.count >> 20) MiB; \(limit)", path))
    }
    return parse(source, isSpec, failure)
  }

  private func parse(_ source: LuaSource, _ isSpec: Bool, _ failure: Problem?) -> Outcome {
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
        "the script goes deeper here than a check follows; only its syntax is checked"
      return .failed(
        failure ?? .unchecked(message, source.path, source.location(of: offset)))
    }
  }
}

/// What changes with a file's contents.
struct FileStamp: Equatable {
  private let device: UInt
  private let number: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// The stamp of a file; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }
}

extension Problem {
  /// The message about what is not checked, or only in part.
  static func unchecked(
    _ message: String, _ path: String, _ location: SourceLocation? = nil
  ) -> Problem {
    let location = location ?? SourceLocation(file: path, line: 1)
    return Problem(.warning, TideError(.notChecked, message, location: location))
  }

  /// What keeps a script from being read.
  static func failure(
    _ error: any Error, _ path: String, _ source: LuaSource? = nil
  ) -> Problem {
    var error = error as? TideError ?? TideError(.unexpected, "\(error)")
    error.traceback = nil
    error.location = error.location ?? SourceLocation(file: path, line: 1)
    let line = source.flatMap { $0.lines.text(of: error.location?.line ?? 1) }
    return Problem(.error, error, line: line)
  }
}
