import TideBindings
import TideLua
import TideScript
import TideSystem
package import TideViews

/// What the host of a driven app does for `tidelock drive`.
package struct DriveHost {
  /// Changes the size of the app's scene. Throws if the app is shown by something that has its own
  /// size.
  package var resize: (Size) throws -> Void = { _ in
    throw TideError(
      .badArgument, "the app is shown in a terminal or a page, which has its own size")
  }
  /// Quits the app, as Ctrl-C does.
  package var quit: () -> Void = {}
  /// A frame with the escape sequences of a terminal; nil if the host cannot write them.
  package var ansi: ((Frame) -> String)?
  /// Fields of `status` that only the host knows.
  package var status: () -> [(name: String, value: Message.Field)] = { [] }
  /// Whether nobody else uses the app, so that whoever drives has the scene's own focus.
  package var isAlone = false
  /// Shared by all clients of the app.
  let pacer = DrivePacer()

  package init() {}
}

/// The answer to a verb.
enum DriveAnswer {
  /// Lines for people, and the value for programs as a JSON text.
  case done([String], json: String? = nil)
  case failed(TideError)
}

/// Performs the verbs of one driving connection, on the app's thread.
///
/// Acts are those of a person with a focus of their own. The causes of changes name `drive`.
final class Driver {
  let session: Session
  let host: DriveHost
  private let person: ScenePerson
  /// The view with this person's own focus.
  var focus: View? { person.focus }
  /// Ends the present wait, or the present typing.
  var cancel: (() -> Void)?
  /// Whether a verb waits for its turn, and whether it is interrupted meanwhile.
  private var isQueued = false
  private var isInterrupted = false
  private var hasEnded = false

  var runtime: Runtime { session.runtime }

  /// - Parameter number: distinguishes the persons of connections.
  init(_ session: Session, number: Int, host: DriveHost) {
    self.session = session
    self.host = host
    person = ScenePerson(Self.firstPerson + number)
  }

  /// Smaller numbers belong to the terminal and to pages.
  private static let firstPerson = 1 << 30

  /// In characters.
  private static let longestMessage = 4000

  /// The longest wait without `--timeout`, in seconds.
  private static let patience = 10.0

  func perform(_ message: Message, then: @escaping (DriveAnswer) -> Void) {
    isQueued = true
    host.pacer.run(on: runtime.loop) { [self] in
      if hasEnded { return }
      isQueued = false
      if isInterrupted {
        isInterrupted = false
        return then(.failed(Self.interrupted))
      }
      performNow(message, then)
    }
  }

  static let interrupted = TideError(.interrupted, "interrupted")

  private func performNow(_ message: Message, _ then: @escaping (DriveAnswer) -> Void) {
    let verb = message.text("verb") ?? ""
    let arguments = message.texts("arguments") ?? []
    do {
      let verb = try DriveVerb.find(verb)
      guard verb.count.contains(arguments.count) else {
        throw TideError(.driveUsage, "write \(verb.heading)")
      }
      switch verb.name {
      case "eval": return evaluate(arguments[0], then)
      case "keys", "type": return try enter(verb.name, arguments, then)
      case "wait":
        let given = message.text("timeout").map { Double($0) ?? .nan }
        let seconds = given ?? message.number("timeout").map(Double.init) ?? Self.patience
        guard seconds >= 0, seconds.isFinite else {
          throw TideError(.driveUsage, "a timeout is a number of seconds")
        }
        return try wait(arguments[0], seconds, then)
      default:
        let answer = try answer(verb.name, arguments, message)
        // After the next frame was drawn.
        _ = runtime.loop.after(0, keepsRunning: false) { then(answer) }
      }
    } catch {
      then(.failed(failure(error)))
    }
  }

  func failure(_ error: any Error) -> TideError {
    var failure = error as? TideError ?? session.failure(error)
    // A path or an expression is in no file.
    if failure.location?.file == "repl" { failure.location = nil }
    // It may name an argument of any length.
    failure.message = failure.message.beginning(Self.longestMessage)
    return failure
  }

  /// Interrupts the verb that waits or types.
  func stop() {
    if isQueued { isInterrupted = true }
    cancel?()
  }

  /// Ends everything, because the client has gone.
  func end() {
    hasEnded = true
    cancel?()
  }

  private func answer(
    _ verb: String, _ arguments: [String], _ message: Message
  ) throws -> DriveAnswer {
    switch verb {
    case "capture": return try capture(arguments.first, message)
    case "tree": return try tree(arguments.first)
    case "get": return try get(arguments[0])
    case "set": return .done(try lines(session.set("\(arguments[0]) \(arguments[1])")))
    case "why": return try why(arguments[0])
    case "errors": return listErrors()
    case "assert":
      let (isTrue, failure) = try test(arguments[0])()
      if isTrue { return .done([]) }
      throw notTrue("it is not true: \(arguments[0])", arguments[0], failure)
    case "settle":
      runtime.settle()
      try runtime.scene?.commit()
      return .done([])
    case "reload": return .done(try lines(session.reload(arguments.first ?? "")))
    case "status": return status()
    case "quit":
      host.quit()
      return .done([])
    default:
      let listed = runtime.listedErrors
      return .done(try finishAct(act(verb, arguments), listedBefore: listed))
    }
  }

  /// Settles after an act, and adds to its lines that errors were listed.
  func finishAct(_ lines: [String], listedBefore listed: Int) throws -> [String] {
    runtime.settle()
    try runtime.scene?.commit()
    let count = runtime.listedErrors - listed
    if count == 0 { return lines }
    return lines + [
      count == 1 ? "An error was listed; see errors." : "\(count) errors were listed; see errors."
    ]
  }

  private func lines(_ result: ChunkResult) throws -> [String] {
    switch result {
    case .values(let lines): return lines
    case .failed(let error): throw error
    case .unfinished, .quit: return []
    }
  }

  // MARK: Acting

  /// Runs an act in the shown scene, as the driving person.
  func acting<Result>(_ body: (Scene) throws -> Result) throws -> Result {
    runtime.settle()
    guard let scene = runtime.scene else { throw TideError(.unknownView, "the app shows nothing") }
    try scene.commit()
    var result: Swift.Result<Result, any Error>?
    // A handler may loop, whatever called it.
    scene.withinBudget {
      result = Swift.Result {
        try scene.acting(through: "drive") {
          if host.isAlone { return try body(scene) }
          return try scene.withFocus(of: person) { try body(scene) }
        }
      }
    }
    guard let result else { throw TideError(.unknownView, "the app has ended") }
    return try result.get()
  }

  // MARK: Values

  private func get(_ path: String) throws -> DriveAnswer {
    let value: LuaValue
    if let end = try? session.resolve(path) {
      value =
        end.path.steps.isEmpty
        ? try runtime.luaValue(.object(end.object))
        : try property(at: end) ?? session.watchedValue(path)()
    } else {
      // As at the prompt. Other expressions than paths are for `eval`.
      _ = try Path(path)
      value = try session.watchedValue(path)()
    }
    let secrets = secretTexts()
    if secrets.contains(value.string) { throw Self.isSecret(path) }
    let text = secrets.removed(fromPrinted: session.printer.text(of: value)) {
      session.printer.text(of: .string($0))
    }
    let json = json(of: value, printed: text)
    return .done([text], json: secrets.removed(fromJSON: json) ?? json)
  }

  private func secretTexts() -> SecretTexts {
    runtime.graph.untracked { SecretTexts(of: runtime.scene) }
  }

  private static func isSecret(_ path: String) -> TideError {
    TideError(.badArgument, "\"\(path)\" is the text of a secure field")
  }

  /// The value of a property; nil for a path that ends otherwise, for instance with an index.
  private func property(at end: Session.ResolvedPath) throws -> LuaValue? {
    guard let name = end.path.steps.last?.propertyName, let owner = try session.owner(of: end)
    else { return nil }
    if owner.shape.index(of: name) == nil { return nil }
    return try runtime.luaValue(runtime.graph.untracked { owner[name] })
  }

  private func evaluate(_ code: String, _ then: @escaping (DriveAnswer) -> Void) {
    session.start(code) { [self] result in
      switch result {
      case .failed(let error): then(.failed(error))
      case .values(let lines):
        let values = session.results.map {
          session.variable("_\($0)").map { json(of: $0) } ?? "null"
        }
        then(
          .done(lines, json: values.count == 1 ? values[0] : "[\(values.joined(separator: ","))]"))
      case .unfinished, .quit: then(.done([]))
      }
    }
  }

  /// The value in JSON; its printed text for what JSON cannot express.
  private func json(of value: LuaValue, printed: String? = nil) -> String {
    let encode = try? runtime.lua.globals["json"].table?["encode"].function
    let text = try? encode?.call([value]).first?.string
    return text ?? (printed ?? session.printer.text(of: value)).quotedForJSON
  }

  private func why(_ path: String) throws -> DriveAnswer {
    let causes = try session.causes(of: path)
    let secrets = secretTexts()
    if causes.contains(where: { secrets.contains($0.new.text) || secrets.contains($0.old?.text) }) {
      throw Self.isSecret(path)
    }
    let lines = causes.map { "\($0)".escapingControls }
    return .done(lines.isEmpty ? ["No cause is recorded."] : lines, json: list(lines))
  }

  private func listErrors() -> DriveAnswer {
    let errors = runtime.errors.map { Diagnostic($0) }
    return .done(
      errors.map { $0.text() }, json: "[" + errors.map(\.json).joined(separator: ",") + "]")
  }

  func list(_ lines: [String]) -> String {
    "[" + lines.map(\.quotedForJSON).joined(separator: ",") + "]"
  }

  // MARK: Expressions

  /// Evaluates an expression, recording what it reads. An expression that fails is not true.
  private func test(_ text: String) throws -> () throws -> (isTrue: Bool, failure: TideError?) {
    let value = try session.watchedValue(text)
    return { [session] in
      do {
        let value = try value()
        return (!value.isNil && value != .boolean(false), nil)
      } catch {
        return (false, session.failure(error))
      }
    }
  }

  private func wait(
    _ text: String, _ seconds: Double, _ then: @escaping (DriveAnswer) -> Void
  ) throws {
    let test = try test(text)
    var isOver = false
    var failure: TideError?
    var timer: LoopTimer?
    var effect: ContextEntry?
    func end(_ answer: DriveAnswer) {
      if isOver { return }
      isOver = true
      timer?.cancel()
      cancel = nil
      // Not within its own run.
      _ = runtime.loop.after(0, keepsRunning: false) {
        effect?.cancel()
        then(answer)
      }
    }
    effect = session.context.effect {
      let (isTrue, error) = try test()
      failure = error
      if isTrue { end(.done([])) }
    }
    if isOver { return }
    let giveUp = { [unowned self] (reason: String) in
      end(.failed(notTrue("it \(reason): \(text)", text, failure)))
    }
    cancel = { giveUp("was not true before the wait was cancelled") }
    timer = runtime.loop.after(seconds) { giveUp("did not become true within \(seconds) s") }
  }

  /// The error for an expression that is not true, with the values that it reads.
  private func notTrue(_ message: String, _ text: String, _ failure: TideError?) -> TideError {
    var lines = [message]
    if let failure { lines.append("it fails: \(failure.message)") }
    let secrets = secretTexts()
    lines += pathsRead(in: text).compactMap { path in
      guard let value = try? session.watchedValue(path)() else { return nil }
      let text = secrets.contains(value.string) ? "•••" : session.printer.text(of: value)
      return "\(path) = \(text)"
    }
    return TideError(.notTrue, lines.joined(separator: "\n"))
  }

  /// The paths in an expression: names with the members behind their dots.
  private func pathsRead(in text: String) -> [String] {
    let source = Array(text.utf8)
    var paths: [String] = []
    var path = ""
    var isOpen = false
    for token in LuaTokens(source) {
      let word = String(decoding: source[token.range], as: UTF8.self)
      if token.kind == .name, isOpen || path.isEmpty {
        path += word
        isOpen = false
      } else if word == ".", !path.isEmpty {
        path += word
        isOpen = true
      } else {
        paths.append(path)
        path = token.kind == .name ? word : ""
        isOpen = false
      }
    }
    paths.append(path)
    var seen: Set<String> = []
    return paths.filter { $0.contains(".") && !$0.hasSuffix(".") && seen.insert($0).inserted }
  }

  // MARK: Status

  private static func wholePath(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }

  private func status() -> DriveAnswer {
    var fields: [(name: String, value: Message.Field)] = host.status()
    let shown = runtime.scene.map { "\($0.size.width)x\($0.size.height)" }
    fields += [
      ("process", .number(Int(getpid()))),
      ("files", .texts(runtime.modulePaths.map(Self.wholePath))),
      ("memory", .number(runtime.memoryUsed)), ("memoryLimit", .number(runtime.lua.memoryLimit)),
      (
        "turnLimit",
        .text(runtime.lua.turnLimit.map { "\(Double($0 / .milliseconds(1)) / 1000) s" } ?? "none")
      ),
      ("errors", .number(runtime.errors.count)),
    ]
    if let shown { fields.append(("size", .text(shown))) }
    var object = JSONLine()
    var lines: [String] = []
    for (name, value) in fields {
      switch value {
      case .text(let text):
        object.add(name, text)
        lines.append("\(name): \(text.escapingControls)")
      case .number(let number):
        object.add(name, number)
        lines.append("\(name): \(number)")
      case .flag(let flag):
        object.add(name, flag)
        lines.append("\(name): \(flag)")
      case .texts(let texts):
        object.add(name, texts)
        lines.append("\(name): \(texts.joined(separator: ", ").escapingControls)")
      }
    }
    return .done(lines, json: object.text)
  }
}
