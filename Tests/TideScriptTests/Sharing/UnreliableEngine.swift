import Fuzzing
import TideScript
import TideValues

/// An engine whose lines lose, delay and cut: each message is delivered when the test says so.
///
/// The order of one line's messages is kept, as that of a connection is; what is on its way when a
/// line is cut is lost, or was accepted and nobody hears of it.
///
/// A slow engine has a joined line's listing come message by message as well.
final class UnreliableEngine: SharingEngine {
  private let state: Guarded<State>
  var largestUpdate: Int? { nil }
  var isReadOnly: Bool { false }

  init(isSlow: Bool = false) { state = Guarded(State(isSlow: isSlow)) }

  private struct State {
    let isSlow: Bool
    var keys: [SharingKey: SharingChange] = [:]
    var revision = 0
    /// Which server this is: another one has lost everything.
    var server = 0
    var lines: [Line] = []
    /// The line that was left last, until a program joins.
    var left: Int?
    var lastJoined = 0
  }

  private enum Answer {
    case change(SharingChange)
    case refusal(SharingKey, Int, SharingRefusal)
    case complete(SharingOrigin)
  }

  private struct Line {
    let mailbox: SharingMailbox
    var isConnected = true
    var sent: [SharingUpdate] = []
    var answers: [Answer] = []
    /// The last revision that has come, and of which server; nil before the first.
    var known: (server: Int, revision: Int)?
  }

  private struct Channel: SharingChannel {
    let engine: UnreliableEngine
    let number: Int

    func send(_ updates: [SharingUpdate]) {
      engine.state.withLock { state in
        if state.lines[number].isConnected {
          state.lines[number].sent += updates
        } else {
          for update in updates {
            state.lines[number].mailbox.refuse(update.key, update.number, .unanswered)
          }
        }
      }
    }

    func leave() { engine.leave(number) }
  }

  func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    state.withLock { state in
      let number = state.left ?? state.lines.count
      state.left = nil
      if number == state.lines.count { state.lines.append(Line(mailbox: mailbox)) }
      state.lines[number] = Line(mailbox: mailbox)
      state.lastJoined = number
      Self.catchUp(number, &state)
      return Channel(engine: self, number: number)
    }
  }

  /// What was sent arrives. A program that leaves a model to join it again keeps its line.
  private func leave(_ number: Int) {
    state.withLock { state in
      for update in state.lines[number].sent { accept(update, from: number, &state) }
      state.lines[number].sent = []
      state.lines[number].isConnected = false
      state.left = number
    }
  }

  /// The line of the program that joined last.
  var lastJoined: Int { state.withLock(\.lastJoined) }

  /// Sends what a line has not had.
  private static func catchUp(_ number: Int, _ state: inout State) {
    let line = state.lines[number]
    let isSame =
      line.known.map { $0.server == state.server && $0.revision <= state.revision } ?? false
    let from = isSame ? line.known?.revision ?? 0 : 0
    line.mailbox.put(.connecting, error: nil)
    if from == 0 { line.mailbox.beginListing(isAnew: !isSame && line.known != nil) }
    let missing = state.keys.values.filter { $0.revision > from }
      .sorted { $0.revision < $1.revision }
    let origin = SharingOrigin(name: "\(state.server)", revision: state.revision)
    state.lines[number].isConnected = true
    if state.isSlow {
      state.lines[number].known = (state.server, from)
      state.lines[number].answers = missing.map(Answer.change) + [.complete(origin)]
    } else {
      state.lines[number].known = (state.server, state.revision)
      line.mailbox.put(missing)
      line.mailbox.complete(origin)
      line.mailbox.put(.live, error: nil)
    }
  }

  // MARK: What happens

  /// Lets one message on a line arrive, one way or the other; false where there is none.
  func deliver(_ number: Int, _ random: inout SeededGenerator) -> Bool {
    state.withLock { state in
      let line = state.lines[number]
      if line.sent.isEmpty, line.answers.isEmpty { return false }
      if line.answers.isEmpty || !line.sent.isEmpty && Bool.random(using: &random) {
        let update = state.lines[number].sent.removeFirst()
        accept(update, from: number, &state)
        return true
      }
      switch state.lines[number].answers.removeFirst() {
      case .change(let change):
        state.lines[number].known?.revision = change.revision
        line.mailbox.put([change])
      case .refusal(let key, let update, let reason): line.mailbox.refuse(key, update, reason)
      case .complete(let origin):
        state.lines[number].known?.revision = origin.revision
        line.mailbox.complete(origin)
        line.mailbox.put(.live, error: nil)
      }
      return true
    }
  }

  private func accept(_ update: SharingUpdate, from number: Int, _ state: inout State) {
    guard update.base == state.keys[update.key]?.revision ?? 0 else {
      state.lines[number].answers.append(.refusal(update.key, update.number, .stale))
      return
    }
    state.revision += 1
    let change = SharingChange(key: update.key, revision: state.revision, bytes: update.bytes)
    state.keys[update.key] = change
    for index in state.lines.indices where state.lines[index].isConnected {
      state.lines[index].answers.append(.change(change))
    }
  }

  /// Cuts a line: of what was sent on it, some arrives.
  func cut(_ number: Int, _ random: inout SeededGenerator) {
    state.withLock { state in
      guard state.lines[number].isConnected else { return }
      let arriving = Int.random(in: 0...state.lines[number].sent.count, using: &random)
      let sent = state.lines[number].sent
      state.lines[number].isConnected = false
      for update in sent.prefix(arriving) { accept(update, from: number, &state) }
      for update in sent {
        state.lines[number].mailbox.refuse(update.key, update.number, .unanswered)
      }
      state.lines[number].sent = []
      state.lines[number].answers = []
      state.lines[number].mailbox.put(.offline, error: "the line is cut")
    }
  }

  func mend(_ number: Int) {
    state.withLock { state in
      if !state.lines[number].isConnected { Self.catchUp(number, &state) }
    }
  }

  /// The server loses all that it had, and everybody their connection.
  func forget(_ random: inout SeededGenerator) {
    for number in 0..<lineCount { cut(number, &random) }
    state.withLock { state in
      state.keys = [:]
      state.revision = 0
      state.server += 1
    }
  }

  var lineCount: Int { state.withLock { $0.lines.count } }
}
