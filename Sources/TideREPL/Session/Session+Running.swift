import TideBindings
import TideGraph
import TideLua
import TideScript

/// The position of a text that a session runs.
package struct ChunkOrigin: Sendable {
  /// The line of its first character, from 1, within the pasted text or standard input.
  package var line = 1
  /// Whether it comes from standard input, so that errors give its line numbers.
  package var isInput = false

  package init(line: Int = 1, isInput: Bool = false) {
    self.line = max(1, line)
    self.isInput = isInput
  }
}

// Runs texts, part by part.
extension Session {
  /// Runs a text: an expression, statements, or a meta command, which begins with a colon. Several
  /// parts run one after another.
  ///
  /// With `isComplete`, an unfinished text is an error.
  public func run(_ text: String, isComplete: Bool = false) -> ChunkResult {
    run(text, isComplete: isComplete, at: ChunkOrigin())
  }

  /// Runs a text that starts at a line of a longer one.
  package func run(_ text: String, isComplete: Bool, at origin: ChunkOrigin) -> ChunkResult {
    guard let parts = parts(of: text, isComplete: isComplete, at: origin) else {
      return .unfinished
    }
    let run = TextRun(parts)
    while let part = run.next() {
      run.take(self.run(part, isComplete: isComplete), in: self)
    }
    return run.result
  }

  private func run(_ part: PromptScript.Part, isComplete: Bool) -> ChunkResult {
    enter(part)
    if let result = runWithoutChunk(part.text) { return result }
    let start = ContinuousClock().now
    do {
      guard let chunk = try chunk(part.text, isComplete: isComplete) else { return .unfinished }
      isRunningChunk = true
      defer { isRunningChunk = false }
      let values = try call(chunk)
      return try leaving ?? timed(.values(show(values)), since: start)
    } catch {
      return ending(with: error)
    }
  }

  /// Runs a text from a callback of the loop, where it cannot block. Calls `then` when the text has
  /// ended, possibly at once. Only one text may run at a time.
  ///
  /// ```swift
  /// session.start("sleep(1) return 'slept'") { result in
  ///   if case .values(let values) = result { print(values) }
  /// }
  /// ```
  public func start(
    _ text: String, isComplete: Bool = true, then: @escaping (ChunkResult) -> Void
  ) {
    start(text, isComplete: isComplete, at: ChunkOrigin(), then: then)
  }

  package func start(
    _ text: String, isComplete: Bool, at origin: ChunkOrigin,
    then: @escaping (ChunkResult) -> Void
  ) {
    guard let parts = parts(of: text, isComplete: isComplete, at: origin) else {
      return then(.unfinished)
    }
    goOn(TextRun(parts), isComplete: isComplete, then: then)
  }

  /// Runs parts until one waits, and continues when it has ended.
  private func goOn(
    _ run: TextRun, isComplete: Bool, then: @escaping (ChunkResult) -> Void
  ) {
    while let part = run.next() {
      var ended: ChunkResult?
      var isWaiting = false
      start(part, isComplete: isComplete) { [self] result in
        if !isWaiting { return ended = result }
        run.take(result, in: self)
        goOn(run, isComplete: isComplete, then: then)
      }
      guard let ended else {
        isWaiting = true
        return
      }
      run.take(ended, in: self)
    }
    then(run.result)
  }

  private func start(
    _ part: PromptScript.Part, isComplete: Bool, then: @escaping (ChunkResult) -> Void
  ) {
    enter(part)
    if let result = runWithoutChunk(part.text) { return then(result) }
    let start = ContinuousClock().now
    let then = { [weak self] in then(self?.timed($0, since: start) ?? $0) }
    do {
      guard let chunk = try chunk(part.text, isComplete: isComplete) else {
        return then(.unfinished)
      }
      begin(chunk, then)
    } catch {
      then(ending(with: error))
    }
  }

  /// Splits a text into parts that run one after another.
  package func parts(of text: String) -> [PromptScript.Part] {
    PromptScript(text).checkedParts(in: runtime.lua)
  }

  /// Splits a text into parts; nil if the text is unfinished.
  private func parts(
    of text: String, isComplete: Bool, at origin: ChunkOrigin
  ) -> [PromptScript.Part]? {
    let isFirst = origin.isInput || origin.line == 1
    if isFirst, !text.allSatisfy(\.isWhitespace) { beginText(isInput: origin.isInput) }
    // Standard input is already split into parts.
    if origin.isInput { return [PromptScript.Part(text: text, line: origin.line)] }
    let parts = self.parts(of: text).map {
      PromptScript.Part(text: $0.text, line: $0.line + origin.line - 1)
    }
    if parts.count > 1, !isComplete, !isFinished(text) { return nil }
    return parts
  }

  /// Handles a command, or a word that ends the session; nil for Lua.
  private func runWithoutChunk(_ text: String) -> ChunkResult? {
    if let command = MetaCommand.text(in: text) { return runCommand(command) }
    let word = text.utf8.count < 80 ? text.split(whereSeparator: \.isWhitespace) : []
    guard word == ["exit"] || word == ["quit"] else { return nil }
    let name = String(word[0])
    if variable(name) != nil { return nil }
    // `exit` alone leaves the session instead of showing the API's function.
    let isTaken = (try? runtime.lua.globals.rawGet(.string(name)))?.isNil == false
    return name == "quit" && isTaken ? nil : .quit
  }
}

/// A text that runs in a session, part by part.
private final class TextRun {
  private var rest: ArraySlice<PromptScript.Part>
  private var values: [String] = []
  private var ending: ChunkResult?

  init(_ parts: [PromptScript.Part]) { rest = parts[...] }

  /// The next part to run; nil after the last one, or after a failure.
  func next() -> PromptScript.Part? { ending == nil ? rest.popFirst() : nil }

  func take(_ result: ChunkResult, in session: Session) {
    if case .values(let lines) = result {
      // Result numbers refer to the lines of a single part.
      if !values.isEmpty { session.forgetResults() }
      values += lines
      // The app has ended.
      if session.runtime.exitCode != nil { rest = [] }
    } else {
      // Shows the values that precede the failure.
      for line in values { session.onOutput(line) }
      values = []
      ending = result
    }
  }

  var result: ChunkResult { ending ?? .values(values) }
}

// MARK: Timing

// Measures chunks: once with `:time`, or each one with `:timing on`.
extension Session {
  func setTiming(_ choice: String) throws -> ChunkResult {
    switch choice {
    case "on": showsTiming = true
    case "off": showsTiming = false
    case "": break
    default: throw TideError(.metaCommand, "write :timing on or :timing off")
    }
    return .values(["Timing is \(showsTiming ? "on" : "off")."])
  }

  /// Adds the elapsed time to a result if timing is on.
  func timed(_ result: ChunkResult, since start: ContinuousClock.Instant) -> ChunkResult {
    guard showsTiming, case .values(let lines) = result else { return result }
    return .values(lines + [Self.text(of: start.duration(to: ContinuousClock().now))])
  }

  static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    let scale = milliseconds < 1 ? 1e4 : 1e2
    return "\((milliseconds * scale).rounded() / scale) ms"
  }
}
