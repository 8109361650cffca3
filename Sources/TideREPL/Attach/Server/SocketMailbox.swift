import CTideSystem
import TideBindings
import TideGraph
import TideLua
import TideSystem
import TideValues

/// The state that the socket thread and the app's thread share: what is to be written, and what
/// runs.
///
/// ```
///   app's thread                     thread of the sockets
///   ──────────── send ─▶ outboxes ─▶ writes ─────────────▶ clients
///   ◀─ inbox of the loop ◀────────── reads, and interrupts what runs
/// ```
///
/// The app's thread never waits for a socket, and a client that reads nothing costs it no more than
/// an outbox holds.
final class SocketMailbox: Sendable {
  /// An event of a connection, reported on the socket thread.
  enum Event: Sendable {
    case attached
    case request(Message)
    case interrupted
    case gone
  }

  private struct State {
    var outboxes: [Int: Outbox] = [:]
    /// The connection for which the app's thread runs a script.
    var running: Int?
    var isAsleep = false
    /// Whether something was sent since `clearPending`.
    var hasPending = false
    /// How the app ended; the thread then ends as well.
    var ending: Message?
    var isEnding = false
  }

  private let state = Guarded(State())
  let waker: Int32
  private let interrupter: LuaInterrupter

  /// The most requests of one connection that wait.
  static let pendingLimit = 100

  init(_ interrupter: LuaInterrupter) throws(TideError) {
    self.interrupter = interrupter
    waker = tide_waker_make()
    if waker < 0 { throw TideError(.attach, "no event descriptor can be made") }
  }

  deinit { closeDescriptor(waker) }

  // MARK: The app's thread

  func send(_ message: Message, to number: Int) {
    let line = message.bytes
    change(number) { $0.add(line) }
  }

  /// A line that the app printed: left out where too much waits.
  func sendOutput(_ message: @autoclosure () -> Message, to number: Int) {
    change(number) { $0.addOutput(message()) }
  }

  /// Answers a request.
  func answer(_ message: Message, to number: Int) {
    let line = message.bytes
    change(number) { outbox in
      outbox.pending -= 1
      // One that came as the last ended is not for what is asked next.
      if outbox.pending == 0 { outbox.isInterrupted = false }
      outbox.add(line)
    }
  }

  private func change(_ number: Int, _ body: (inout Outbox) -> Void) {
    let wakes = state.withLock { state in
      guard let index = state.outboxes.index(forKey: number) else { return false }
      // In place: a copy of what waits would be made otherwise.
      body(&state.outboxes.values[index])
      state.hasPending = true
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes { tide_waker_wake(waker) }
  }

  /// Says that a script of a connection's runs from here on, until the next call.
  func setRunning(_ number: Int?) {
    state.withLock { $0.running = number }
  }

  /// Whether somebody wanted what a connection runs to stop; asked once.
  func takeInterrupt(of number: Int) -> Bool {
    state.withLock { state in
      guard state.outboxes[number]?.isInterrupted == true else { return false }
      state.outboxes[number]?.isInterrupted = false
      return true
    }
  }

  /// Lets the thread say good-bye to all, and end.
  func end(_ message: Message?) {
    state.withLock { state in
      state.ending = message
      state.isEnding = true
    }
    tide_waker_wake(waker)
  }

  // MARK: The thread of the sockets

  func open(_ number: Int) { state.withLock { $0.outboxes[number] = Outbox() } }

  func close(_ number: Int) {
    state.withLock { state in
      state.outboxes[number] = nil
      if state.running == number { interrupter.interrupt() }
    }
  }

  /// Counts a request that is handed on; false where too many wait.
  func expect(_ number: Int) -> Bool {
    state.withLock { state in
      guard let outbox = state.outboxes[number], outbox.pending < Self.pendingLimit else {
        return false
      }
      state.outboxes[number]?.pending += 1
      return true
    }
  }

  /// Stops what a connection runs; nothing where it runs nothing.
  func interrupt(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.outboxes[number]?.pending ?? 0 > 0 else { return false }
      state.outboxes[number]?.isInterrupted = true
      if state.running == number { interrupter.interrupt() }
      return true
    }
  }

  /// Interrupts once more what has begun just as it was interrupted, whose beginning forgot it.
  /// True where something is to be stopped yet.
  func repeatInterrupts() -> Bool {
    state.withLock { state in
      let isStopping = state.running.map { state.outboxes[$0]?.isInterrupted ?? true } ?? false
      if isStopping { interrupter.interrupt() }
      return isStopping || state.outboxes.values.contains(where: \.isInterrupted)
    }
  }

  func takeBytes(for number: Int) -> [UInt8] {
    state.withLock { $0.outboxes[number]?.take() ?? [] }
  }

  func note(written count: Int, to number: Int) {
    state.withLock { $0.outboxes[number]?.underWay -= count }
  }

  struct Standing {
    var hasBytes = false
    var isIdle = true
    var isOverfull = false
  }

  func standing(of number: Int) -> Standing {
    state.withLock { state in
      guard let outbox = state.outboxes[number] else { return Standing() }
      return Standing(
        hasBytes: !outbox.bytes.isEmpty, isIdle: outbox.pending == 0,
        isOverfull: outbox.isOverfull)
    }
  }

  /// The good-bye, once the app ends.
  var ending: (isEnding: Bool, message: Message?) {
    state.withLock { ($0.isEnding, $0.ending) }
  }

  /// Forgets that something was sent, before the outboxes are read.
  func clearPending() { state.withLock { $0.hasPending = false } }

  /// Makes the next `send` wake the thread; false when there is something to write first.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      state.isAsleep = !state.isEnding && !state.hasPending
      return state.isAsleep
    }
  }
}

/// The system's `close`, which the mailbox's own hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
