import CTideNats
import TideSystem

/// A connection by libnats, which reconnects after interruptions until it is closed.
///
/// The library has threads of its own. Its messages and events are delivered in turns of the loop.
final class NatsConnection {
  private var raw: OpaquePointer?
  private let host: Host

  /// A received message.
  struct Message: Sendable {
    let subject: String
    let reply: String?
    let data: [UInt8]
    /// The number of a status message; nil for other messages.
    let status: Int?
    let isRemoval: Bool
    let stalled: String?
    /// In a heartbeat, the sequence number of the consumer's last message.
    let lastOrder: Int?
  }

  enum Event: Sendable {
    case connected
    case disconnected(String)
    /// The library has stopped trying. A new connection is needed.
    case closed(String)
    case failed(String)
  }

  /// Receives libnats' callbacks. It lives until the connection has been closed.
  fileprivate final class Host: Sendable {
    let inbox: LoopInbox
    let take: @Sendable (Message) -> Void
    let note: @Sendable (Event) -> Void

    init(
      _ inbox: LoopInbox, take: @escaping @Sendable (Message) -> Void,
      note: @escaping @Sendable (Event) -> Void
    ) {
      (self.inbox, self.take, self.note) = (inbox, take, note)
    }
  }

  /// Opens libnats, which reads its own files and those of its libraries. Confinement may forbid
  /// that later.
  ///
  /// - Throws: the reason why it cannot be opened.
  static func prepare() throws(NatsOptionsError) {
    if let reason = tide_nats_load() { throw .init(String(cString: reason)) }
  }

  /// Connects, and waits for the server for at most two seconds.
  ///
  /// - Parameters:
  ///   - take: receives messages, in turns of the loop, as `note` receives the connection's events.
  init(
    _ options: NatsOptions, name: String, _ inbox: LoopInbox,
    take: @escaping @Sendable (Message) -> Void, note: @escaping @Sendable (Event) -> Void
  ) throws(NatsOptionsError) {
    host = Host(inbox, take: take, note: note)
    var reason = [CChar](repeating: 0, count: 512)
    raw = Self.connect(options, name, host, &reason)
    if raw == nil {
      throw .init(Self.text(reason))
    }
  }

  deinit { close() }

  private static func connect(
    _ options: NatsOptions, _ name: String, _ host: Host, _ reason: inout [CChar]
  ) -> OpaquePointer? {
    let texts = [
      options.servers.joined(separator: ","), name, options.user, options.password, options.token,
      options.credentials, options.authorities, options.certificate, options.key,
    ].map { $0.flatMap { strdup($0) } }
    defer { for text in texts { free(text) } }
    var raw = TideNatsOptions()
    raw.servers = UnsafePointer(texts[0])
    raw.name = UnsafePointer(texts[1])
    raw.user = UnsafePointer(texts[2])
    raw.password = UnsafePointer(texts[3])
    raw.token = UnsafePointer(texts[4])
    raw.credentials = UnsafePointer(texts[5])
    raw.authorities = UnsafePointer(texts[6])
    raw.certificate = UnsafePointer(texts[7])
    raw.privateKey = UnsafePointer(texts[8])
    raw.isSecure = options.isSecure
    let calls = TideNatsHost(
      context: Unmanaged.passUnretained(host).toOpaque(),
      message: { context, message in
        guard let context, let message else { return }
        Unmanaged<Host>.fromOpaque(context).takeUnretainedValue().post(message.pointee)
      },
      event: { context, event, text in
        guard let context else { return }
        let text = text.map { String(cString: $0) } ?? ""
        Unmanaged<Host>.fromOpaque(context).takeUnretainedValue().post(event, text)
      })
    return tide_nats_connect(&raw, calls, &reason, reason.count)
  }

  /// The most bytes of one message; nil before the server has announced them.
  var mostBytes: Int? {
    let most = raw.map { tide_nats_most_bytes($0) } ?? 0
    return most > 0 ? Int(most) : nil
  }

  /// A subject whose messages are delivered until the object is released.
  final class Subscription {
    private let raw: OpaquePointer

    fileprivate init(_ raw: OpaquePointer) { self.raw = raw }
    deinit { tide_nats_unsubscribe(raw) }
  }

  /// Subscribes to a subject. Release the subscription before the connection is closed.
  ///
  /// - Throws: the reason why it fails.
  func subscribe(_ subject: String) throws(NatsOptionsError) -> Subscription {
    var reason = [CChar](repeating: 0, count: 512)
    if let raw, let made = tide_nats_subscribe(raw, subject, &reason, reason.count) {
      return Subscription(made)
    }
    throw .init(Self.text(reason))
  }

  private static func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Sends a message.
  ///
  /// - Parameter base: the revision that its subject must have; nil for any.
  /// - Returns: the reason why it fails; nil if the message was queued.
  func publish(
    _ subject: String, reply: String? = nil, _ data: [UInt8] = [], base: Int? = nil,
    isRemoval: Bool = false
  ) -> String? {
    guard let raw else { return "the connection is closed" }
    var headers = TideNatsHeaders(
      expectedRevision: Int64(base.map { max(0, $0) } ?? -1), isRemoval: isRemoval)
    let isPlain = base == nil && !isRemoval
    let failure = data.withUnsafeBytes { bytes in
      withUnsafePointer(to: &headers) { headers in
        let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress
        return tide_nats_publish(raw, subject, reply, text, bytes.count, isPlain ? nil : headers)
      }
    }
    return failure.map { String(cString: $0) }
  }

  /// Waits until the queued messages have reached the server.
  func flush(seconds: Double) {
    if let raw { tide_nats_flush(raw, Int64(min(max(0, seconds), 3600) * 1000)) }
  }

  func close() {
    guard let raw else { return }
    self.raw = nil
    tide_nats_close(raw)
  }
}

extension NatsConnection.Host {
  fileprivate func post(_ raw: TideNatsMessage) {
    let bytes = UnsafeRawBufferPointer(start: raw.data, count: raw.length)
    let message = NatsConnection.Message(
      subject: raw.subject.map { String(cString: $0) } ?? "",
      reply: raw.reply.map { String(cString: $0) }, data: Array(bytes),
      status: raw.status.flatMap { Int(String(cString: $0)) }, isRemoval: raw.operation != nil,
      stalled: raw.stalled.map { String(cString: $0) },
      lastOrder: raw.lastOrder.flatMap { Int(String(cString: $0)) })
    inbox.post { [take] in take(message) }
  }

  fileprivate func post(_ event: TideNatsEvent, _ text: String) {
    let event: NatsConnection.Event =
      switch event {
      case TideNatsConnected: .connected
      case TideNatsFailed: .failed(text)
      case TideNatsClosed: .closed(text)
      default: .disconnected(text)
      }
    inbox.post { [note] in note(event) }
  }
}
