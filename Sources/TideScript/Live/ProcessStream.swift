import TideBindings
import TideGraph
import TideLua
import TideSystem

/// Puts the output lines of a program into a stream.
final class ProcessStream: StreamSource {
  private let feed: LineFeed
  private let request: ProgramRequest
  private let input: [UInt8]?
  private let home: Home
  private let context: BindingContext
  private var program: RunningProgram?
  private var entry: ContextEntry?
  var isHandedOver = false
  /// The end of its standard error.
  private var complaint: [UInt8] = []
  private static let longestComplaint = 500

  init(_ feed: LineFeed, _ request: ProgramRequest, _ input: [UInt8]?, in runtime: Runtime) {
    self.feed = feed
    self.request = request
    self.input = input
    home = runtime.home
    context = runtime.context
  }

  func begin() throws {
    guard let runtime = home.runtime else { return }
    feed.begin()
    own()
    let program: RunningProgram
    do { program = try runtime.start(request, input) } catch {
      return feed.end(TideError(script: error))
    }
    listen(to: program)
    if input != nil { program.closeInput() }
  }

  private func own() {
    entry = entry ?? context.own { [weak self] in if self?.isHandedOver != true { self?.cancel() } }
  }

  func resembles(_ former: any StreamSource) -> Bool {
    guard let former = former as? ProcessStream else { return false }
    return former.request == request && former.input == input
  }

  func takeOver(_ former: any StreamSource) {
    own()
    guard let former = former as? ProcessStream, let program = former.program else { return }
    former.program = nil
    complaint = former.complaint
    feed.takeRest(of: former.feed)
    feed.goOn()
    listen(to: program)
  }

  private func listen(to program: RunningProgram) {
    self.program = program
    program.onOutput = { [weak self] bytes in
      guard let self else { return }
      if !feed.receive(bytes) { cancel() }
    }
    program.onErrors = { [weak self] in self?.note($0) }
    program.onEnd = { [weak self] in self?.finish($0) }
  }

  private func note(_ bytes: UnsafeRawBufferPointer) {
    complaint += bytes.suffix(Self.longestComplaint)
    complaint = complaint.suffix(Self.longestComplaint)
  }

  private func finish(_ ending: ProgramEnding) {
    program = nil
    feed.finish(ending.code == 0 ? nil : ending.error(of: request, complaint))
  }

  func cancel() {
    program?.end()
    program = nil
    feed.end()
  }

  func refresh() throws {
    cancel()
    complaint = []
    try feed.list.restart()
    try begin()
  }
}

extension ProgramEnding {
  /// The error for a failed program.
  func error(of request: ProgramRequest, _ complaint: [UInt8]) -> TideError {
    let name = request.arguments.first ?? ""
    let said = String(decoding: complaint, as: UTF8.self).split(separator: "\n").last
    let end = signal.map { "was ended by signal \($0)" } ?? "ended with code \(code)"
    return TideError(
      .source, "\"\(name.inMessage)\" \(end)" + (said.map { ": \(String($0).inMessage)" } ?? ""))
  }
}

/// A program that a script has started and references.
///
/// ```lua
/// local server = process.start("python3", { "-m", "http.server" })
/// view.label { text = function() return server.running and "runs" or "ended" end }
/// server:kill()
/// ```
final class ScriptProgram: LiveObject {
  static let programShape = Shape(
    name: "program",
    properties: [
      PropertyDescription("running", .boolean, initial: .boolean(true), isReadOnly: true),
      PropertyDescription("code", .integer, isReadOnly: true),
      PropertyDescription("id", .integer, isReadOnly: true),
      PropertyDescription("output", .list, isReadOnly: true),
      PropertyDescription("errors", .list, isReadOnly: true),
    ], swiftClasses: [])

  private enum Index: Int {
    case running, code, id, output, errors
  }

  let request: ProgramRequest
  private let home: Home
  private let output: LineFeed
  private let errors: LineFeed
  private(set) var program: RunningProgram?
  private(set) var ending: ProgramEnding?
  private var waiting = NumberedList<(ProgramEnding?) -> Void>()

  init(_ request: ProgramRequest, limit: Int?, in runtime: Runtime) {
    self.request = request
    home = runtime.home
    output = LineFeed(StreamList(limit: limit), in: runtime)
    errors = LineFeed(StreamList(limit: limit), in: runtime)
    super.init(shape: Self.programShape)
    put(.output, .object(output.list))
    put(.errors, .object(errors.list))
  }

  func begin(_ input: [UInt8]?, in runtime: Runtime) throws {
    output.begin()
    errors.begin()
    let program = try runtime.start(request, input)
    self.program = program
    put(.id, .integer(program.id))
    program.onOutput = { [weak self] in self?.output.receive($0) }
    program.onErrors = { [weak self] in self?.errors.receive($0) }
    program.onEnd = { [weak self] in self?.finish($0) }
    runtime.context.own { [self] in end() }
  }

  /// Makes it appear as a program that has written output and ended.
  func pretend(_ written: [UInt8], _ complaint: [UInt8], _ ending: ProgramEnding) {
    output.begin()
    errors.begin()
    written.withUnsafeBytes { _ = output.receive($0) }
    complaint.withUnsafeBytes { _ = errors.receive($0) }
    finish(ending)
  }

  private func finish(_ ending: ProgramEnding) {
    program = nil
    self.ending = ending
    home.runWithinBudget {
      graph.batch {
        output.finish()
        errors.finish()
        put(.code, .integer(ending.code))
        put(.running, .boolean(false))
      }
    }
    tell(ending)
  }

  private func end() {
    guard let program else { return }
    program.end()
    self.program = nil
    graph.batch {
      output.end()
      errors.end()
      put(.running, .boolean(false))
    }
    tell(nil)
  }

  private func tell(_ ending: ProgramEnding?) {
    let told = waiting
    waiting = NumberedList()
    for tell in told { tell(ending) }
  }

  /// Calls a function at the program's end, or with nil if the context ends it. Returns a function
  /// that cancels the call.
  func whenEnded(_ body: @escaping (ProgramEnding?) -> Void) -> () -> Void {
    let number = waiting.append(body)
    return { [weak self] in self?.waiting.remove(number) }
  }

  private func put(_ index: Index, _ value: Value) { put(index.rawValue, value) }
}
