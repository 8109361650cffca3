import TideBindings
import TideScript
import TideSystem

/// The work of a ``NatsEngine``, on a thread of its own: the connection, the bucket, and a channel
/// for each model.
///
///     connected ──▶ bucket found or created ──▶ channels begin ──▶ live
///         ▲                │ missing, replaced, or restored to an older state
///         └── disconnected └──▶ channels begin anew
final class NatsLink {
  let loop: EventLoop
  let stream: JetStream
  let inboxSubject = "_INBOX.tide\(String(UInt64.random(in: 0 ... .max), radix: 36))"
  let options: NatsOptions
  private let name: String
  private let most: (Int) -> Void
  private var connection: NatsConnection?
  /// Lets the library's threads find the link.
  private var relay: Relay<NatsLink>?
  private var channels: [Int: NatsChannel] = [:]
  private var isConnected = false
  /// Receives the answers to this program's requests.
  private var answers: NatsConnection.Subscription?
  private var isInspecting = false
  private var hasEnded = false
  private var error: String?
  private var lastNumber = 0
  private var requests: [Int: Request] = [:]
  private var updates: [Int: Sent] = [:]

  /// The outcome of a request.
  enum Answer {
    case content(ServerAnswer)
    /// The server has no handler for the request.
    case nobody
    /// No answer has arrived in time.
    case none
  }

  private struct Request {
    let take: (Answer) -> Void
    let deadline: Double
  }

  /// A sent update without an answer yet.
  private struct Sent {
    let channel: Int
    let key: SharingKey
    let number: Int
    let subject: String
    let deadline: Double
  }

  private static let failureStart = Array("{\"error\"".utf8)
  /// Seconds to wait for the server's answer.
  private static let patience = 5.0
  private static let patienceForUpdates = 10.0
  /// Seconds until it reconnects if the library does not do so by itself.
  private static let retryDelay = 1.0
  /// Seconds between inspections of the bucket.
  private static let inspectionInterval = 5.0

  /// - Parameter most: called with the most bytes of one message, when they are known.
  init(
    _ options: NatsOptions, name: String, most: @escaping (Int) -> Void
  ) throws(SystemError) {
    self.options = options
    self.name = name
    self.most = most
    stream = JetStream(bucket: options.bucket)
    loop = try EventLoop()
  }

  /// Runs the link's loop until the link ends.
  func run(_ relay: Relay<NatsLink>) {
    self.relay = relay
    connect(relay)
    loop.after(1, repeating: true) { [unowned self] in beat() }
    loop.after(Self.inspectionInterval, repeating: true) { [unowned self] in
      if isConnected { inspect() }
    }
    while !hasEnded { loop.turn() }
    self.relay = nil
    relay.end()
    channels = [:]
    answers = nil
    connection?.close()
    connection = nil
  }

  /// Ends the link when the sent updates have reached the server, or after a time limit.
  func end(within seconds: Double) {
    if isConnected, !updates.isEmpty { connection?.flush(seconds: seconds) }
    hasEnded = true
  }

  // MARK: Connection

  /// Starts a new connection after the library has given up, for example because of a wrong
  /// password.
  private func connectAnew() {
    answers = nil
    connection?.close()
    connection = nil
    loop.after(Self.retryDelay) { [unowned self] in
      if connection == nil, let relay { connect(relay) }
    }
  }

  private func connect(_ relay: Relay<NatsLink>) {
    if hasEnded { return }
    do throws(NatsOptionsError) {
      connection = try NatsConnection(
        options, name: name, loop.inbox,
        take: { relay.content?.take($0) }, note: { relay.content?.note($0) })
    } catch {
      lose(error.message)
      loop.after(Self.retryDelay) { [unowned self] in connect(relay) }
    }
  }

  private func note(_ event: NatsConnection.Event) {
    switch event {
    case .connected:
      isConnected = true
      do throws(NatsOptionsError) {
        if answers == nil { answers = try connection?.subscribe("\(inboxSubject).*.*") }
      } catch { return lose(error.message) }
      if let bytes = connection?.mostBytes { most(bytes) }
      inspect()
    case .disconnected(let text): lose(text)
    case .closed(let text):
      lose(text)
      if !hasEnded { connectAnew() }
    case .failed(let text): take(failure: text)
    }
  }

  private func lose(_ reason: String) {
    isConnected = false
    isInspecting = false
    let servers = options.servers.joined(separator: ", ")
    error =
      "there is no connection to \(servers)\(reason.isEmpty ? "" : ": \(reason)"); what is written is "
      + "sent when there is one"
    requests = [:]
    for sent in updates.values { refuse(sent, .unanswered) }
    updates = [:]
    for channel in channels.values { channel.lose(error ?? "") }
  }

  /// Handles an error of the server or the library that names no message.
  private func take(failure text: String) {
    guard text.contains("Permissions Violation") else { return }
    for (number, sent) in updates where text.contains("\"\(sent.subject)\"") {
      updates[number] = nil
      refuse(
        sent,
        .denied(
          "the server does not let this runtime write: \(text); have it be allowed, or declare that it only reads"
        ))
    }
  }

  // MARK: Bucket

  /// Checks whether the bucket exists and is the known one.
  private func inspect() {
    if isInspecting { return }
    isInspecting = true
    // Messages received after the request may be newer than the answer.
    let known = channels.mapValues(\.lastRevision)
    request(stream.infoSubject, []) { [unowned self] answer in
      isInspecting = false
      switch answer {
      case .content(let content):
        guard let failure = content.failure else { return begin(content, known) }
        if failure.isMissing, !options.isReadOnly { return make() }
        note(failure, of: "look at the bucket \"\(options.bucket)\"")
        inspectLater()
      case .nobody:
        note(
          "the server has no JetStream, or lets this runtime not use it; start it with -js (nats-server 2.9 or later)"
        )
        inspectLater()
      case .none: inspectLater()
      }
    }
  }

  /// Inspects the bucket again in a moment.
  func inspectLater() {
    loop.after(1) { [unowned self] in if isConnected { inspect() } }
  }

  private func make() {
    isInspecting = true
    request(stream.creationSubject, stream.creation(replicas: options.replicas)) {
      [unowned self] answer in
      isInspecting = false
      if case .content(let content) = answer, let failure = content.failure {
        note(failure, of: "make the bucket \"\(options.bucket)\"")
        return inspectLater()
      }
      inspect()
    }
  }

  /// - Parameter known: the last revisions of the channels when the request was sent.
  private func begin(_ bucket: ServerAnswer, _ known: [Int: Int]) {
    let created = bucket["created"] ?? "", last = bucket.number("state.last_seq") ?? 0
    for channel in channels.values {
      let isSame = channel.follows(created) && last >= known[channel.number] ?? 0
      if !channel.isFollowing || !isSame {
        channel.begin(SharingOrigin(name: created, revision: last), isSame: isSame)
      }
    }
  }

  /// Reports a failure to all models.
  private func note(_ failure: ServerAnswer.Failure, of what: String) {
    note(Self.refusal(failure, of: what))
  }

  static func refusal(_ failure: ServerAnswer.Failure, of what: String) -> String {
    "the server refuses to \(what): \(failure.text) (\(failure.code))"
  }

  private func note(_ text: String) {
    error = text
    for channel in channels.values { channel.lose(text) }
  }

  // MARK: Models

  func join(_ number: Int, _ model: String, _ mailbox: SharingMailbox) {
    let channel = NatsChannel(number, model, mailbox, on: self)
    channels[number] = channel
    if isConnected {
      mailbox.put(.connecting, error: nil)
      inspect()
    } else {
      mailbox.put(error == nil ? .connecting : .offline, error: error)
    }
  }

  func leave(_ number: Int) {
    channels.removeValue(forKey: number)?.end()
  }

  func send(_ changes: [SharingUpdate], from number: Int) {
    guard let channel = channels[number] else { return }
    let deadline = loop.now() + Self.patienceForUpdates
    for update in changes {
      lastNumber += 1
      let sent = Sent(
        channel: number, key: update.key, number: update.number,
        subject: stream.subject(update.key, ofModel: channel.model), deadline: deadline)
      guard isConnected, channel.isComplete else {
        refuse(sent, .unanswered)
        continue
      }
      updates[lastNumber] = sent
      let failure = connection?.publish(
        sent.subject, reply: "\(inboxSubject).a.\(lastNumber)", update.bytes ?? [],
        base: update.base, isRemoval: update.bytes == nil)
      if let failure {
        updates[lastNumber] = nil
        let isTooLarge = update.bytes.map { $0.count > connection?.mostBytes ?? .max } == true
        refuse(sent, isTooLarge ? .tooLarge(failure) : .unanswered)
        if !isTooLarge { channel.restart() }
      }
    }
  }

  private func refuse(_ sent: Sent, _ reason: SharingRefusal) {
    channels[sent.channel]?.mailbox.refuse(sent.key, sent.number, reason)
  }

  // MARK: Messages

  /// Sends a request to the server.
  ///
  /// - Parameter base: the revision that the subject must have; nil for any.
  func request(
    _ subject: String, _ data: [UInt8], base: Int? = nil, _ take: @escaping (Answer) -> Void
  ) {
    guard let connection else { return take(.none) }
    lastNumber += 1
    requests[lastNumber] = Request(take: take, deadline: loop.now() + Self.patience)
    let reply = "\(inboxSubject).r.\(lastNumber)"
    if connection.publish(subject, reply: reply, data, base: base) != nil {
      requests.removeValue(forKey: lastNumber)?.take(.none)
    }
  }

  /// Subscribes to the messages of a consumer. The server delivers only to subscribers of that very
  /// subject.
  func subscribe(
    _ subject: String
  ) throws(NatsOptionsError) -> NatsConnection.Subscription {
    guard let connection else { throw .init("the connection is closed") }
    return try connection.subscribe(subject)
  }

  /// Sends an empty answer.
  func answer(_ subject: String) { _ = connection?.publish(subject) }

  /// Sends an empty answer when it is called, on any thread.
  func answering(_ subject: String) -> @Sendable () -> Void {
    guard let relay else { return {} }
    return { [inbox = loop.inbox] in inbox.post { relay.content?.answer(subject) } }
  }

  /// The beginning of the names of a channel's consumers.
  func name(ofConsumersOf channel: Int) -> String {
    "tide-\(inboxSubject.dropFirst("_INBOX.".utf8.count))-\(channel)-"
  }

  /// Deletes a consumer at the server.
  func forget(consumer: String) { answer(stream.deletionSubject(ofConsumer: consumer)) }

  private func take(_ message: NatsConnection.Message) {
    guard isConnected else { return }
    if let position = message.reply.flatMap({ JetStream.Position(reply: $0) }) {
      let parts = position.consumer.split(separator: "-")
      guard parts.count == 4, let number = Int(parts[2]) else { return }
      channels[number]?.take(message, at: position)
      return
    }
    // After the prefix: the kind of message, and numbers.
    let parts = message.subject.dropFirst(inboxSubject.utf8.count + 1).split(separator: ".")
    guard parts.count >= 2, let number = Int(parts[1]) else { return }
    switch parts[0] {
    case "a": acknowledge(number, message)
    case "r":
      guard let request = requests.removeValue(forKey: number) else { return }
      request.take(message.status == 503 ? .nobody : .content(ServerAnswer(message.data)))
    case "d":
      guard parts.count == 3, let generation = Int(parts[2]), let status = message.status else {
        return
      }
      channels[number]?.take(status: status, message, ofGeneration: generation)
    default: break
    }
  }

  private func acknowledge(_ number: Int, _ message: NatsConnection.Message) {
    guard let sent = updates.removeValue(forKey: number) else { return }
    if message.status == 503 {
      // The bucket does not exist any more.
      refuse(sent, .unanswered)
      return inspect()
    }
    // Nearly all answers are successes; the change itself is received through the channel.
    guard message.data.starts(with: Self.failureStart),
      let failure = ServerAnswer(message.data).failure
    else { return }
    if failure.isStale { return refuse(sent, .stale) }
    refuse(sent, .denied("the server refuses what was written: \(failure.text) (\(failure.code))"))
  }

  private func beat() {
    guard isConnected else { return }
    let now = loop.now()
    for (number, request) in requests where request.deadline < now {
      requests[number] = nil
      request.take(.none)
    }
    var late: Set<Int> = []
    for (number, sent) in updates where sent.deadline < now {
      updates[number] = nil
      refuse(sent, .unanswered)
      late.insert(sent.channel)
    }
    for number in late { channels[number]?.restart() }
    for channel in channels.values { channel.beat() }
  }
}
