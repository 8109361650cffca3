import Synchronization
import TideBindings
public import TideScript
import TideSystem
import TideValues

/// Keeps models the same between programs and machines, over a key-value bucket of NATS JetStream.
///
/// ```swift
/// let engine = try NatsEngine(NatsOptions("nats://127.0.0.1:4222"), name: "board")
/// var configuration = Runtime.Configuration()
/// configuration.shared = engine
/// ```
///
/// It works on a thread of its own, which begins with the first model. Any thread may use it, and
/// several runtimes may share one. libnats must be installed (`libnats3.4` on Debian).
public final class NatsEngine: SharingEngine {
  private let inbox: LoopInbox
  private let relay: Relay<NatsLink>
  private let state = Guarded(State())
  private let most: MostBytes
  /// Whether its options say that nothing may be written.
  public let isReadOnly: Bool

  /// Of one message, as the server says; 0 before it has.
  private final class MostBytes: Sendable {
    let count = Atomic(0)
  }

  /// Signalled once, when the thread has come to its end.
  private let ending = Condition()

  private struct State {
    var lastNumber = 0
    var thread: SystemThread?
    var hasEnded = false
  }

  /// Seconds that its thread may take to end, once all is done.
  private static let patience = 0.5
  /// Room for the headers and the subject of a message.
  private static let roomForHeaders = 512

  /// Opens libnats, and connects to nothing yet.
  ///
  /// - Parameters:
  ///   - options: where, and as whom.
  ///   - name: what the server calls this program.
  /// - Throws: ``NatsOptionsError`` where libnats is missing or too old, or the bucket's name is
  ///   invalid; `SystemError` where the system has no descriptor left.
  public init(_ options: NatsOptions, name: String) throws {
    do { try NatsConnection.prepare() } catch {
      throw NatsOptionsError(
        "models cannot be shared over NATS without libnats (Debian's package libnats3.4): \(error.message)"
      )
    }
    guard NatsOptions.isBucket(options.bucket) else { throw NatsOptionsError.bucket }
    let most = MostBytes()
    self.most = most
    let link = try NatsLink(options, name: name) { most.count.store($0, ordering: .relaxed) }
    inbox = link.loop.inbox
    relay = Relay(link)
    isReadOnly = options.isReadOnly
  }

  deinit { close(within: 0) }

  /// What the server takes at a time, less what a message needs besides; nil before it is
  /// connected.
  public var largestUpdate: Int? {
    let bytes = most.count.load(ordering: .relaxed)
    return bytes > 0 ? bytes - Self.roomForHeaders : nil
  }

  /// Joins a model; what there is of it comes when there is a connection.
  public func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    let number = state.withLock { state in
      state.lastNumber += 1
      if state.hasEnded {
        mailbox.put(.offline, error: "the connection has been closed")
      } else if state.thread == nil {
        state.thread = SystemThread { [relay, ending] in
          relay.content?.run(relay)
          ending.signal()
        }
        if state.thread == nil { mailbox.put(.offline, error: "the system has no thread left") }
      }
      return state.lastNumber
    }
    inbox.post { [relay] in relay.content?.join(number, model, mailbox) }
    return Channel(engine: self, number: number)
  }

  private struct Channel: SharingChannel {
    // It is let go of with the last runtime that uses it.
    let engine: NatsEngine
    let number: Int

    func send(_ updates: [SharingUpdate]) {
      engine.inbox.post { [relay = engine.relay, number] in
        relay.content?.send(updates, from: number)
      }
    }

    func leave() {
      engine.inbox.post { [relay = engine.relay, number] in relay.content?.leave(number) }
    }
  }

  /// Ends the connection, when what was sent has reached the server or so many seconds have passed.
  public func close(within seconds: Double = 2) {
    let thread = state.withLock { state in
      state.hasEnded = true
      defer { state.thread = nil }
      return state.thread
    }
    guard let thread else { return }
    inbox.post { [relay] in relay.content?.end(within: seconds) }
    // It may be waiting for a server that does not answer, which is not waited for.
    guard ending.wait(beyond: 0, seconds: max(0, min(seconds, 3600)) + Self.patience) else {
      return thread.detach()
    }
    thread.join()
  }
}
