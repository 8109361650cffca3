import TideBindings
import TideScript
import TideSystem

/// Reads and parses scripts, and caches each until its text changes.
///
/// The result depends only on the script's own text. The workspace determines how the scripts of an
/// app are related.
final class ScriptReader {
  enum Outcome {
    /// A file that cannot be read or parsed.
    case failed(Problem)
    /// A script, which may have a syntax error.
    case script(Script)
  }

  /// Identifies a version of a script, to detect changes.
  enum Stamp: Equatable {
    case text(String)
    case file(FileStamp)

    /// Nil if there is neither a text nor a file.
    init?(_ text: String?, _ path: String) {
      if let text {
        self = .text(text)
      } else if let stamp = FileStamp(path) {
        self = .file(stamp)
      } else {
        return nil
      }
    }

    /// Whether the file may still change without getting another stamp.
    var isRecent: Bool {
      if case .file(let stamp) = self { stamp.isRecent } else { false }
    }
  }

  private struct Kept {
    let stamp: Stamp
    let path: String
    let isSpec: Bool
    let outcome: Outcome
  }

  private let builder: ScriptBuilder
  private let finder: ScriptFinder
  private var kept: [PathKey: Kept] = [:]

  init(names: KnownNames, syntax: SyntaxCheck, finder: ScriptFinder) {
    builder = ScriptBuilder(names: names, syntax: syntax)
    self.finder = finder
  }

  /// Reads a script, unless it is unchanged since the last time.
  ///
  /// - Parameters:
  ///   - identity: the file's real path.
  ///   - text: the text in an editor; nil for the file's content.
  func script(at path: String, identity: String, text: String?) -> Outcome {
    let isSpec = finder.isSpec(path)
    let stamp = Stamp(text, path)
    let isRecent = stamp?.isRecent ?? false
    if let stamp, let known = kept[path: identity], known.stamp == stamp,
      PathKey(known.path) == PathKey(path),
      known.isSpec == isSpec
    {
      return known.outcome
    }
    let outcome = builder.read(path, text, isSpec)
    if let stamp, !isRecent {
      kept[path: identity] = Kept(stamp: stamp, path: path, isSpec: isSpec, outcome: outcome)
    }
    return outcome
  }

  /// Removes all other scripts from the cache.
  func keep(only identities: some Sequence<PathKey>) {
    let wanted = Set(identities)
    kept = kept.filter { wanted.contains($0.key) }
  }

  /// Parses a text as a script with a given name.
  func parse(_ text: String, path: String) -> Outcome {
    builder.outcome(of: text, path, isSpec: finder.isSpec(path))
  }

  // MARK: Parallel reading

  /// The number of scripts that justify another thread.
  private static let scriptsPerThread = 8
  private static let mostThreads = 8

  /// Reads scripts on several processors, so that later requests are answered from the cache. Does
  /// nothing if the cache is not empty.
  func readAhead(_ files: [(path: String, identity: String, text: String?)]) {
    guard kept.isEmpty else { return }
    let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let threads = min(processors, files.count / Self.scriptsPerThread, Self.mostThreads)
    if threads < 2 { return }
    let requests = files.map { file in
      ReadAhead.Request(
        path: file.path, identity: file.identity, text: file.text,
        isSpec: finder.isSpec(file.path))
    }
    for read in ReadAhead(requests).results(on: threads, builder) where !read.stamp.isRecent {
      let request = read.request
      kept[path: request.identity] = Kept(
        stamp: read.stamp, path: request.path, isSpec: request.isSpec, outcome: read.outcome)
    }
  }
}

extension Problem {
  /// A warning about a part that is not checked.
  static func unchecked(
    _ message: String, _ path: String, _ location: SourceLocation? = nil
  ) -> Problem {
    let location = location ?? SourceLocation(file: path, line: 1)
    return Problem(.warning, TideError(.notChecked, message, location: location))
  }

  /// An error that prevents a script from being read.
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
