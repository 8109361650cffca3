package import TideBindings
package import TideScript
import TideSystem
import TideValues

/// Finds the mistake in a script that made a running app fail.
///
/// ```swift
/// let locator = MistakeLocator { try ScriptCheck() }
/// ErrorLocator.use { locator.mistake(of: $0) }
/// ```
///
/// The interpreter knows the line on which a call begins. The mistake may be lines below in the
/// call's table, or above in a table that is passed to it. A check knows the exact place: if it finds
/// the same mistake, the error gets its location. Scripts are checked on the first error after they
/// were read.
///
/// A script must neither delay nor influence the app by its own check. So the check runs on a thread
/// with a graph of its own, an error waits for it only for a limited time, and after the first half
/// minute checks take at most a tenth of the time.
package final class MistakeLocator: Sendable {
  private struct Checked {
    let script: Script
    let problems: [Problem]
  }

  private struct Cache {
    /// The number of reads after which the scripts were checked.
    var reads = 0
    /// By the paths of files; nil for what cannot be checked.
    var files: [String: Checked?] = [:]
    /// The thread that checks, if any.
    var checker: pthread_t?
    /// The time that checks have taken.
    var spent: Duration = .zero
  }

  /// How long an error waits for a check. A debug build takes ten times as long.
  #if DEBUG
    private static let patience = 20.0
  #else
    private static let patience = 2.0
  #endif
  /// The largest script that is checked, in bytes.
  private static let largest = 256 << 10

  private let makeCheck: @Sendable () throws -> ScriptCheck
  private let cache = Guarded(Cache())
  private let start = ContinuousClock.now
  private let ended = Condition()

  package init(_ makeCheck: @escaping @Sendable () throws -> ScriptCheck) {
    self.makeCheck = makeCheck
  }

  /// The code and the location of the mistake, which may be in another line than the error's; nil if
  /// the check does not find it.
  package func mistake(of error: TideError) -> ErrorLocator.Found? {
    guard let place = error.location, let checked = checked(place.file) else { return nil }
    let found = problem(of: error, in: checked, line: place.line)?.error
    return found.flatMap { found in found.location.map { (found.code, $0) } }
  }

  private func problem(of error: TideError, in checked: Checked, line: Int) -> Problem? {
    if let (_, name) = MissingNameHint.missing(in: error.message) {
      return checked.problems.first { $0.line == line && $0.reports(missing: name) }
    }
    if let function = Self.function(refusing: error.message) {
      let call = checked.script.call(of: function, at: line)
      return call.flatMap { call in
        checked.problems.first {
          $0.line == line && $0.reportsCall && checked.script.contains($0, in: call)
        }
      }
    }
    let problems = checked.problems.filter { $0.reports(error) }
    let last = checked.script.lastLine(ofCallsAt: line)
    // The same message is nearer than the same name.
    for found in [problems.filter { $0.hasMessage(of: error) }, problems] {
      if let problem = found.first(where: { $0.line == line })
        ?? found.first(where: { line < $0.line && $0.line <= last })
      {
        return problem
      }
    }
    // A path of a column or the key of a sort, in a table of its own.
    let rows = problems.filter { $0.hasMessage(of: error) || $0.isOfRow }
    return rows.count == 1 ? rows[0] : nil
  }

  /// `bind` of `bad argument #1 to 'bind' (…)`.
  private static func function(refusing message: String) -> Substring? {
    guard message.hasPrefix("bad argument #") else { return nil }
    let parts = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? parts[1] : nil
  }

  private func checked(_ file: String) -> Checked? {
    let end = ContinuousClock.now + .seconds(Self.patience)
    var hasWaited = false
    while true {
      let known = ended.count
      switch begin(file, again: !hasWaited) {
      case .known(let checked): return checked
      case .running: break
      }
      let left = end - ContinuousClock.now
      guard ended.wait(beyond: known, seconds: left / .seconds(1)) else { return nil }
      hasWaited = true
    }
  }

  private enum Begun {
    case known(Checked?)
    case running
  }

  /// Starts a check, unless the file was checked, a check runs, or the next one may not begin yet.
  /// With `again` the file is checked anew if scripts were read since.
  private func begin(_ file: String, again: Bool) -> Begun {
    let reads = ReadSources.count
    return cache.withLock { cache in
      if !again || cache.reads == reads, let checked = cache.files[file] { return .known(checked) }
      if let checker = cache.checker {
        // The check reports errors of its own.
        return pthread_equal(checker, pthread_self()) != 0 ? .known(nil) : .running
      }
      let allowed = .seconds(30) + (ContinuousClock.now - start) / 10
      guard cache.spent <= allowed, let stamp = FileStamp(file), stamp.size <= Self.largest,
        let thread = SystemThread({ [self] in run(file) })
      else { return .known(nil) }
      cache.checker = thread.id
      thread.detach()
      return .running
    }
  }

  private func run(_ file: String) {
    let start = ContinuousClock.now
    let checked = try? check(file)
    cache.withLock {
      $0.spent += ContinuousClock.now - start
      if $0.reads != ReadSources.count { $0.files = [:] }
      $0.files[file] = .some(checked)
      $0.reads = ReadSources.count
      $0.checker = nil
    }
    ended.signal()
  }

  private func check(_ file: String) throws -> Checked? {
    let snapshot = try EditedWorkspace(makeCheck()).snapshot(of: [file])
    let problems = snapshot.problems(in: file)
    return snapshot.script(of: file).map { Checked(script: $0, problems: problems) }
  }
}

extension Problem {
  fileprivate var line: Int { error.location?.line ?? 0 }

  /// Whether it is the mistake of an error with the same code.
  fileprivate func reports(_ error: TideError) -> Bool {
    guard self.error.code == error.code else { return false }
    if hasMessage(of: error) { return true }
    let subject = error.code == .wrongType ? Self.property : Self.quotedName
    return subject(error.message).map { $0 == subject(self.error.message) } ?? false
  }

  /// Whether it reports a variable or a member that is nil.
  fileprivate func reports(missing name: String) -> Bool {
    (error.code == .unknownGlobal || error.code == .unknownMember)
      && (Self.quotedName(error.message) == name[...]
        || error.message.contains("has no \"\(name)\""))
  }

  /// Whether it reports an argument, or how a function is called.
  fileprivate var reportsCall: Bool {
    let codes: [TideError.Code] = [.badArgument, .methodCall, .unknownGlobal, .unknownMember]
    return severity == .error && codes.contains(error.code)
  }

  /// Whether the messages are the same, except for the column within an expression and its text.
  fileprivate func hasMessage(of error: TideError) -> Bool {
    error.message.prefix { $0 != "\n" }.hasSuffix(self.error.message)
  }

  /// Whether it is about the objects of a list, whose class the check may not know.
  fileprivate var isOfRow: Bool { error.message.hasPrefix("object has no ") }

  private static func quotedName(_ message: String) -> Substring? {
    let parts = message.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? parts[1] : nil
  }

  /// The property that holds a value of another type: `width` of `label.width is a number …`.
  private static func property(_ message: String) -> Substring? {
    let subjects = [" is ", " holds "].compactMap { verb in
      message.firstRange(of: verb).map { message[..<$0.lowerBound] }
    }
    return subjects.min { $0.count < $1.count }?.split(separator: ".").last
  }
}

extension Script {
  private func line(of offset: Int) -> Int { source.lines.location(of: offset).line }

  /// The last line of the calls that begin on a line.
  fileprivate func lastLine(ofCallsAt line: Int) -> Int {
    let calls = calls.filter { self.line(of: $0.range.lowerBound) == line }
    return calls.map { self.line(of: max(0, $0.range.upperBound - 1)) }.max() ?? line
  }

  /// The first call on a line of a function or a method with a name.
  fileprivate func call(of name: Substring, at line: Int) -> LuaExpression? {
    calls.first { call in
      guard self.line(of: call.range.lowerBound) == line else { return false }
      switch call.kind {
      case .method(_, let method, _, _): return method == name
      case .call(let callee, _):
        switch callee.kind {
        case .name(let function, _), .member(_, let function, _): return function == name
        default: return false
        }
      default: return false
      }
    }
  }

  fileprivate func contains(_ problem: Problem, in call: LuaExpression) -> Bool {
    guard let location = problem.error.location, let column = location.column else { return false }
    return call.range.contains(source.lines.offset(line: location.line, column: column))
  }
}
