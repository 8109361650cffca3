import TideBindings
import TideGraph
import TideLua
import TideSystem

/// What stands in for the run of a program.
struct ProgramAnswer {
  var output: [UInt8] = []
  var errors: [UInt8] = []
  var ending = ProgramEnding(code: 0)
  /// In seconds of the virtual clock.
  var delay = 0.0

  /// - Parameter given: text, a table, or a function that gives one of these.
  init(_ given: LuaValue, _ request: ProgramRequest, _ input: [UInt8]?) throws {
    var given = given
    if case .function(let function) = given, let state = function.state {
      let arguments = try state.table(request.arguments.dropFirst().map { .string($0) })
      given =
        try function.call([
          .table(arguments), input.map { Runtime.luaText($0) } ?? .nil,
        ]).first ?? .nil
    }
    switch given {
    case .string(let text): output = Array(text.utf8)
    case .bytes(let bytes): output = bytes
    case .nil: break
    case .table(let table):
      let options = try CallOptions(
        table, of: "a program's stub", ["output", "error", "code", "delay"])
      output = Array((try options.text("output") ?? "").utf8)
      errors = Array((try options.text("error") ?? "").utf8)
      ending = ProgramEnding(code: try options.integer("code") ?? 0)
      delay = try options.seconds("delay", orNone: true) ?? 0
    default:
      throw TideError(
        .badArgument,
        "a program's stub gives text or { output =, error =, code =, delay = }, not "
          + given.preview)
    }
  }
}

/// The lines of a program's stub in a stream.
final class PretendedStream: StreamSource {
  private let feed: LineFeed
  private let answer: ProgramAnswer
  private let request: ProgramRequest
  private let home: Home
  private let context: BindingContext
  private var timer: LoopTimer?
  private var entry: ContextEntry?

  init(
    _ feed: LineFeed, _ answer: ProgramAnswer, _ request: ProgramRequest, in runtime: Runtime
  ) {
    self.feed = feed
    self.answer = answer
    self.request = request
    home = runtime.home
    context = runtime.context
  }

  func begin() {
    feed.begin()
    entry = entry ?? context.own { [weak self] in self?.cancel() }
    timer = home.runtime?.loop.after(answer.delay) { [weak self] in
      guard let self else { return }
      answer.output.withUnsafeBytes { _ = feed.receive($0) }
      let isGood = answer.ending.code == 0
      feed.finish(isGood ? nil : answer.ending.error(of: request, answer.errors))
    }
  }

  func cancel() {
    timer?.cancel()
    feed.end()
  }

  func refresh() throws {
    cancel()
    try feed.list.restart()
    begin()
  }
}
