import CTideSystem
import TideBindings
import TideGraph
import TideLua
import TideSystem
import TideValues

/// The state shared by the socket thread and the app's thread: outgoing messages, and the
/// connection whose chunk runs.
///
/// ```
///   app's thread                     thread of the sockets
///   ──────────── send ─▶ outboxes ─▶ writes ─────────────▶ clients
///   ◀─ inbox of the loop ◀────────── reads, and interrupts what runs
/// ```
///
/// The app's thread never waits for a socket, and a client that reads nothing costs no more memory
/// than its outbox holds.
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
    /// The connection whose script runs on the app's thread.
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

  /// The limit of unanswered requests per connection.
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

  /// Sends a line that the app printed; drops it if too much output is waiting.
  func sendOutput(_ message: @autoclosure () -> Message, to number: Int) {
    change(number) { $0.addOutput(message()) }
  }

  /// Answers a request.
  func answer(_ message: Message, to number: Int) {
    let line = message.bytes
    change(number) { outbox in
      outbox.pending -= 1
      // An interrupt that arrived as the last request ended must not stop the next one.
      if outbox.pending == 0 { outbox.isInterrupted = false }
      outbox.add(line)
    }
  }

  private func change(_ number: Int, _ body: (inout Outbox) -> Void) {
    let wakes = state.withLock { state in
      guard let index = state.outboxes.index(forKey: number) else { return false }
      // In place, to avoid copying the waiting bytes.
      body(&state.outboxes.values[index])
      state.hasPending = true
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes { tide_waker_wake(waker) }
  }

  /// Sets the connection whose script runs from now on.
  func setRunning(_ number: Int?) {
    state.withLock { $0.running = number }
  }

  /// Whether the client wanted to interrupt the connection's request; clears the flag.
  func takeInterrupt(of number: Int) -> Bool {
    state.withLock { state in
      guard state.outboxes[number]?.isInterrupted == true else { return false }
      state.outboxes[number]?.isInterrupted = false
      return true
    }
  }

  /// Makes the socket thread send a final message to all clients, and end.
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

  /// Counts a request that is passed on; returns false when too many are pending.
  func expect(_ number: Int) -> Bool {
    state.withLock { state in
      guard let outbox = state.outboxes[number], outbox.pending < Self.pendingLimit else {
        return false
      }
      state.outboxes[number]?.pending += 1
      return true
    }
  }

  /// Interrupts a connection's request; returns false when none is pending.
  func interrupt(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.outboxes[number]?.pending ?? 0 > 0 else { return false }
      state.outboxes[number]?.isInterrupted = true
      if state.running == number { interrupter.interrupt() }
      return true
    }
  }

  /// Interrupts again: a script that starts while it is interrupted clears the interrupt. Returns
  /// true while an interrupt is still pending.
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

  /// The final message, once the app ends.
  var ending: (isEnding: Bool, message: Message?) {
    state.withLock { ($0.isEnding, $0.ending) }
  }

  /// Clears the pending flag, before the outboxes are read.
  func clearPending() { state.withLock { $0.hasPending = false } }

  /// Makes the next `send` wake the thread; returns false when there is something to write first.
  func prepareToSleep() -> Bool {
    state.withLock { state in
      state.isAsleep = !state.isEnding && !state.hasPending
      return state.isAsleep
    }
  }
}

/// The system's `close`, which the mailbox's own method hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
