import Synchronization
import TideBindings
public import TideScript
import TideSystem
import TideValues

/// Synchronizes models between programs and machines, over a key-value bucket of NATS JetStream.
///
/// ```swift
/// let engine = try NatsEngine(NatsOptions("nats://127.0.0.1:4222"), name: "board")
/// var configuration = Runtime.Configuration()
/// configuration.shared = engine
/// ```
///
/// It runs on a thread of its own, which starts with the first model. Any thread may use it, and
/// several runtimes may share one engine. libnats must be installed (`libnats3.4` on Debian).
public final class NatsEngine: SharingEngine {
  private let inbox: LoopInbox
  private let relay: Relay<NatsLink>
  private let state = Guarded(State())
  private let most: MostBytes
  /// Whether the options forbid writing.
  public let isReadOnly: Bool

  /// The server's limit of bytes in one message; 0 until the server has announced it.
  private final class MostBytes: Sendable {
    let count = Atomic(0)
  }

  /// Signalled once, when the thread has ended.
  private let ending = Condition()

  private struct State {
    var lastNumber = 0
    var thread: SystemThread?
    var hasEnded = false
  }

  /// Additional seconds for the thread to end, after the time to send.
  private static let patience = 0.5
  /// Room for the headers and the subject of a message.
  private static let roomForHeaders = 512

  /// Opens libnats. The first model starts the connection.
  ///
  /// - Parameters:
  ///   - options: the servers, the bucket and the credentials.
  ///   - name: the program's name at the server.
  /// - Throws: ``NatsOptionsError`` if libnats is missing or too old, or the bucket's name is
  ///   invalid; `SystemError` if the system has no descriptor left.
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

  /// The most bytes of one update: the server's limit without the room for headers; nil before the
  /// server has announced its limit.
  public var largestUpdate: Int? {
    let bytes = most.count.load(ordering: .relaxed)
    return bytes > 0 ? bytes - Self.roomForHeaders : nil
  }

  /// Joins a model, which is received once there is a connection.
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
    // Retained until the last runtime has released it.
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

  /// Ends the connection when all sent updates have reached the server, or after a time limit in
  /// seconds.
  public func close(within seconds: Double = 2) {
    let thread = state.withLock { state in
      state.hasEnded = true
      defer { state.thread = nil }
      return state.thread
    }
    guard let thread else { return }
    inbox.post { [relay] in relay.content?.end(within: seconds) }
    // The thread may be waiting for a server that does not answer. It is then left to end by
    // itself.
    guard ending.wait(beyond: 0, seconds: max(0, min(seconds, 3600)) + Self.patience) else {
      return thread.detach()
    }
    thread.join()
  }
}
