import TideREPL
import TideSystem
import TideValues

/// The workspace's running app, seen through an attached session: the values of its properties,
/// their causes, and its errors.
///
/// ```swift
/// let file = "/app/app.lua"
/// live.follow([FollowedApp(script: file, files: [file], paths: ["fruit.count"])])
/// live.value(of: "fruit.count", in: file)        // "3", once the app has said so
/// ```
///
/// A separate thread finds the app and requests values twice a second. Only `ask` waits for that
/// thread, with a short timeout.
final class LiveApp: Sendable {
  /// A request to the app, whose caller waits for the answer.
  private struct Question: Sendable {
    let number: Int
    let message: Message
  }

  /// The outcome of a request.
  private enum Outcome {
    case answered(Message)
    /// The app ended before it answered.
    case gone
  }

  private struct State {
    var isEnabled = true
    var hasEnded = false
    /// The apps to look for.
    var apps: [FollowedApp] = []
    /// The main script of the attached app.
    var attached: String?
    var values: [String: String] = [:]
    var errors: [String] = []
    var questions: [Question] = []
    var asked = 0
    /// The numbers of requests whose callers are waiting.
    var awaited: Set<Int> = []
    var outcomes: [Int: Outcome] = [:]
  }

  private let state = Guarded(State())
  private let hasQuestion = Condition()
  private let hasAnswer = Condition()
  /// Called on the thread when a value or an error has changed.
  private let onChange: @Sendable () -> Void

  private static let interval = 0.5
  /// The maximum number of paths requested at a time.
  private static let pathLimit = 100

  init(onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

  /// Starts searching for the app. Returns false if no thread can be created.
  func start() -> Bool {
    guard let thread = SystemThread({ [self] in run() }) else { return false }
    thread.detach()
    return true
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    hasQuestion.signal()
  }

  var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      state.withLock { $0.isEnabled = newValue }
      hasQuestion.signal()
    }
  }

  /// Searches for one of these apps, and requests the values of the running app's paths.
  func follow(_ apps: [FollowedApp]) {
    state.withLock { state in
      state.apps = apps.map { app in
        var app = app
        app.paths = Array(app.paths.filter(Self.isPlain).prefix(Self.pathLimit))
        return app
      }
    }
    hasQuestion.signal()
  }

  /// Whether a path consists of names only. It becomes part of a chunk that the app runs, but comes
  /// from arbitrary documents, so anything else could be a code injection.
  static func isPlain(_ path: String) -> Bool {
    path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { step in
      guard let first = step.utf8.first, first == UInt8(ascii: "_") || isLetter(first) else {
        return false
      }
      return step.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || isLetter(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  // MARK: Answers

  /// The value of a property in the app to which a file belongs.
  func value(of path: String, in file: String) -> String? {
    state.withLock { state in
      let app = state.apps.first { $0.script == state.attached }
      return app?.files.contains(file) == true ? state.values[path] : nil
    }
  }

  var isAttached: Bool { state.withLock { $0.attached != nil } }

  /// The errors listed by the app, as the prompt shows them.
  var errors: [String] { state.withLock { $0.errors } }

  /// Evaluates a text in the app, as at the prompt, and waits for the answer; nil if no app is
  /// running, or it does not answer in time.
  func evaluate(_ text: String, seconds: Double) -> String? {
    ask(Self.evaluation(of: text), seconds: seconds).map(Self.text)
  }

  /// The bindings made by a line of a script; empty if no app is running, or it does not answer in
  /// time.
  func bindings(madeIn file: String, line: Int, seconds: Double) -> [LiveBinding] {
    let message = Self.question(aboutBindingsIn: file, line)
    return (ask(message, seconds: seconds)?.texts("items") ?? []).compactMap(LiveBinding.init)
  }

  private func ask(_ message: Message, seconds: Double) -> Message? {
    let number = state.withLock { state -> Int? in
      guard state.isEnabled, state.attached != nil else { return nil }
      state.asked += 1
      state.questions.append(Question(number: state.asked, message: message))
      state.awaited.insert(state.asked)
      return state.asked
    }
    guard let number else { return nil }
    let end = ContinuousClock.now + .seconds(seconds)
    hasQuestion.signal()
    while true {
      let known = hasAnswer.count
      switch state.withLock({ $0.outcomes.removeValue(forKey: number) }) {
      case .answered(let answer): return answer
      case .gone: return nil
      case nil: break
      }
      let left = end - ContinuousClock.now
      if left <= .zero {
        state.withLock { state in
          // A request reported as failed must not run later.
          state.questions.removeAll { $0.number == number }
          state.awaited.remove(number)
          state.outcomes[number] = nil
        }
        return nil
      }
      _ = hasAnswer.wait(beyond: known, seconds: Double(left.components.attoseconds) / 1e18 + 0.001)
    }
  }

  // MARK: The thread

  private func run() {
    var client: AttachClient?
    while !state.withLock({ $0.hasEnded }) {
      let known = hasQuestion.count
      let apps = state.withLock { $0.isEnabled ? $0.apps : [] }
      if client == nil, !apps.isEmpty, let found = Self.attach(to: apps.map(\.script)) {
        client = found.client
        // The first such request makes the app measure the cost of its bindings.
        try? found.client.send(Self.question(aboutBindingsIn: "", 0))
        state.withLock { $0.attached = found.script }
      }
      if let open = client {
        do {
          let attached = state.withLock { $0.attached }
          guard apps.contains(where: { $0.script == attached }) else { throw Gone() }
          try answer(open)
          try renew(open)
        } catch {
          client = nil
          forget()
        }
      }
      // Without an app to search for, there is nothing to poll.
      if apps.isEmpty {
        hasQuestion.wait(beyond: known)
      } else {
        _ = hasQuestion.wait(beyond: known, seconds: Self.interval)
      }
    }
    forget()
  }

  private struct Gone: Error {}

  /// Connects to an app that is running one of the scripts; nil if there is none.
  private static func attach(
    to scripts: [String]
  ) -> (client: AttachClient, script: String)? {
    let names = Set(scripts.map { RunningApp.name(ofScript: $0) })
    for app in RunningApp.all() where names.contains(app.name) {
      guard let client = try? AttachClient(app), let script = client.greeting.text("script"),
        let found = scripts.first(where: { $0 == script || SystemPath.real($0) == script })
      else { continue }
      return (client, found)
    }
    return nil
  }

  private func answer(_ client: AttachClient) throws {
    let questions = state.withLock { state in
      defer { state.questions = [] }
      return state.questions
    }
    for question in questions {
      guard let answer = try client.ask(question.message, seconds: 5) else { throw Gone() }
      state.withLock { state in
        if state.awaited.remove(question.number) != nil {
          state.outcomes[question.number] = .answered(answer)
        }
      }
      hasAnswer.signal()
    }
  }

  private static func evaluation(of text: String) -> Message {
    Message("evaluate", ["text": .text(text), "width": 100])
  }

  private static func question(aboutBindingsIn file: String, _ line: Int) -> Message {
    Message("inspect", ["ask": "bindings", "file": .text(file), "line": .number(line)])
  }

  private static func text(_ answer: Message) -> String {
    answer.texts("values")?.joined(separator: "\n") ?? answer.text("message")
      ?? answer.text("text") ?? ""
  }

  /// Requests all values at once.
  private func renew(_ client: AttachClient) throws {
    let paths = state.withLock { state in
      state.apps.first { $0.script == state.attached }?.paths ?? []
    }
    var values: [String: String] = [:]
    if !paths.isEmpty {
      let request = Message("evaluate", ["text": .text(Self.chunk(reading: paths)), "width": 40])
      guard let answer = try client.ask(request, seconds: 5) else { throw Gone() }
      let found = answer.texts("values") ?? []
      if found.count == paths.count {
        let shown = found.map(Self.shortened)
        values = Dictionary(zip(paths, shown), uniquingKeysWith: { first, _ in first })
      }
    }
    guard let told = try client.ask(Self.evaluation(of: ":errors"), seconds: 5) else {
      throw Gone()
    }
    let errors = Self.text(told).split(separator: "\n").map(String.init)
    let isNew = state.withLock { state in
      defer { (state.values, state.errors) = (values, errors) }
      return state.values != values || state.errors != errors
    }
    if isNew { onChange() }
  }

  /// The maximum length of a value shown beside the text.
  private static let valueLimit = 40

  /// A value on one short line.
  private static func shortened(_ value: String) -> String {
    let line = value.split(whereSeparator: \.isWhitespace).prefix(Self.valueLimit)
      .joined(separator: " ")
    return line.count > valueLimit ? line.prefix(valueLimit) + "…" : line
  }

  /// Reads each path in a protected call, because an object on the path may no longer exist.
  private static func chunk(reading paths: [String]) -> String {
    let reads = paths.map { path in
      let steps = path.split(separator: ".").map { "[\"\($0)\"]" }.joined()
      return "read(function() return models\(steps) end)"
    }
    return """
      local function read(get)
        local ok, value = pcall(get)
        if ok then return value end
        return nil
      end
      return \(reads.joined(separator: ", "))
      """
  }

  private func forget() {
    let hadValues = state.withLock { state in
      defer { (state.values, state.errors, state.attached, state.questions) = ([:], [], nil, []) }
      for number in state.awaited { state.outcomes[number] = .gone }
      state.awaited = []
      return !state.values.isEmpty || !state.errors.isEmpty
    }
    hasAnswer.signal()
    if hadValues { onChange() }
  }
}
