import TideBindings
package import TideScript
import TideValues

/// The private sessions of a served app, for inspectors of the same process. Each inspector
/// examines one session at a time, and may switch to another.
///
///     inspector ──ask──▶ InspectedSessions ──▶ InspectedApp of its session
///
/// An inspector without a session is switched to the next one that begins.
package final class InspectedSessions: InspectionSource {
  private let name: String
  private let state = Guarded(State())

  private struct State {
    var lastNumber = 0
    /// The oldest first.
    var sessions: [(title: String, app: InspectedApp)] = []
    /// By their numbers.
    var inspectors: [Int: Inspector] = [:]
  }

  private struct Inspector {
    let take: @Sendable (Message) -> Void
    /// The title of the session that it examines; nil for none.
    var title: String?
  }

  /// - Parameter name: the app's name.
  package init(name: String) { self.name = name }

  // MARK: Sessions

  /// Adds a session, on its own thread.
  ///
  /// - Parameter person: the person who uses it; empty if unknown.
  /// - Returns: the app that inspectors examine, and the session's title for its removal.
  package func add(_ runtime: Runtime, of person: String) -> (app: InspectedApp, title: String) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let title = person.isEmpty ? "session \(number)" : "\(person) (\(number))"
    let app = InspectedApp(runtime, name: "\(name), \(title)")
    state.withLock { state in
      state.sessions.append((title, app))
      for (number, inspector) in state.inspectors where inspector.title == nil {
        choose(title, for: number, in: &state)
      }
    }
    tellAll()
    return (app, title)
  }

  /// Removes a session that has ended, on its own thread.
  package func remove(_ title: String) {
    let app = state.withLock { state -> InspectedApp? in
      guard let index = state.sessions.firstIndex(where: { $0.title == title }) else { return nil }
      for (number, inspector) in state.inspectors where inspector.title == title {
        state.inspectors[number]?.title = nil
      }
      return state.sessions.remove(at: index).app
    }
    app?.end()
    tellAll()
  }

  // MARK: Inspectors

  package func connect(_ number: Int, take: @escaping @Sendable (Message) -> Void) {
    let isConnected = state.withLock { state in
      state.inspectors[number] = Inspector(take: take)
      guard let latest = state.sessions.last?.title else { return false }
      return choose(latest, for: number, in: &state)
    }
    if !isConnected { take(Message("hello", ["name": .text(name)])) }
    tell(number)
  }

  package func ask(_ number: Int, _ message: Message) {
    let (inspector, app) = state.withLock { state in
      let inspector = state.inspectors[number]
      return (inspector, state.sessions.first { $0.title == inspector?.title }?.app)
    }
    guard let inspector else { return }
    if message.text("ask") != "session", let app { return app.ask(number, message) }
    var answer = Message("inspection")
    answer["id"] = message["id"]
    if message.text("ask") != "session" {
      answer["error"] = .text("no session is chosen; open the app's address, or choose a session")
    } else if state.withLock({ choose(message.text("node") ?? "", for: number, in: &$0) }) {
      answer["items"] = .texts([])
    } else {
      answer["error"] = .text("that session has ended; choose another one")
    }
    inspector.take(answer)
    tell(number)
  }

  package func disconnect(_ number: Int) {
    state.withLock { state in
      let title = state.inspectors.removeValue(forKey: number)?.title
      state.sessions.first { $0.title == title }?.app.disconnect(number)
    }
  }

  /// Switches an inspector to a session; false if no session has that title.
  ///
  /// The lock is held, so that sessions are left and entered in one order. Both only post to the
  /// sessions' threads.
  @discardableResult
  private func choose(_ title: String, for number: Int, in state: inout State) -> Bool {
    guard let app = state.sessions.first(where: { $0.title == title })?.app,
      let inspector = state.inspectors[number]
    else { return false }
    if inspector.title == title { return true }
    state.sessions.first { $0.title == inspector.title }?.app.disconnect(number)
    state.inspectors[number]?.title = title
    app.connect(number) { [weak self] in self?.pass($0, of: title, to: number) }
    return true
  }

  /// Forwards a session's message to an inspector that is still switched to it.
  private func pass(_ message: Message, of title: String, to number: Int) {
    let inspector = state.withLock { $0.inspectors[number] }
    // The list of sessions reports the end.
    guard let inspector, inspector.title == title, message.kind != "ended" else { return }
    inspector.take(message)
  }

  private func tellAll() {
    for number in state.withLock({ Array($0.inspectors.keys) }) { tell(number) }
  }

  /// Sends an inspector the titles of all sessions, and that of its own.
  private func tell(_ number: Int) {
    let (inspector, titles) = state.withLock { state in
      (state.inspectors[number], state.sessions.map(\.title))
    }
    var message = Message("sessions", ["items": .texts(titles)])
    if let title = inspector?.title { message["chosen"] = .text(title) }
    inspector?.take(message)
  }
}
