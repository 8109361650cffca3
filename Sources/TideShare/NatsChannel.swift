import TideScript
import TideSystem

/// Receives one model over a connection, through a consumer of the server. Whenever messages may be
/// missing, a new consumer replaces it and continues after the last received revision.
///
///     begin ──▶ consumer ──deliver──▶ mailbox
///       ▲          │ gap, silence, reconnection
///       └──────────┘
final class NatsChannel {
  let number: Int
  let model: String
  let mailbox: SharingMailbox
  private unowned let link: NatsLink
  /// The bucket that the channel follows; nil before the first one.
  private var origin: SharingOrigin?
  private(set) var lastRevision = 0
  private var generation = 0
  private var subscription: NatsConnection.Subscription?
  private var consumer: String?
  var isFollowing: Bool { consumer != nil }
  /// The consumer's sequence number of the next message.
  private var nextOrder = 1
  /// Whether the whole model has been received.
  private(set) var isComplete = false
  private let horizonSubject: String
  /// Deletes old marks of removed rows.
  private let cleaner: MarkCleaner
  /// The last revision at which no message was pending, so that everything up to it was received.
  private var caughtUp = 0
  /// Horizons up to this revision belong to the received listing.
  private var listedHorizon = 0
  /// The server's time of the latest message, in seconds.
  private var latestTime = 0.0
  /// Whether the server has refused the last requested consumer.
  private var isRefused = false
  /// When the next message or heartbeat is overdue, by the loop's clock in seconds.
  private var deadline = Double.infinity

  /// The time without a message after which the consumer is replaced, in heartbeats.
  private static let patience = 2.5

  init(_ number: Int, _ model: String, _ mailbox: SharingMailbox, on link: NatsLink) {
    self.number = number
    self.model = model
    self.mailbox = mailbox
    self.link = link
    horizonSubject = link.stream.horizonSubject(ofModel: model)
    cleaner = MarkCleaner(link.stream, horizonSubject: horizonSubject) {
      [unowned link] subject, data, base, take in
      link.request(subject, data, base: base, take)
    }
  }

  private var subject: String { "\(link.inboxSubject).d.\(number).\(generation)" }
  /// Messages name their consumer; they do not name the subject to which it sends them.
  private var consumerName: String { "\(link.name(ofConsumersOf: number))\(generation)" }

  // MARK: Beginning

  /// Whether the bucket is the followed one, or none has been followed yet.
  func follows(_ other: String) -> Bool { origin.map { $0.name == other } ?? true }

  /// Starts to receive the model: new changes if the bucket is the same, and otherwise everything.
  func begin(_ bucket: SharingOrigin, isSame: Bool) {
    if !isSame || lastRevision == 0 {
      mailbox.beginListing(isAnew: origin != nil && !isSame)
      forget(horizonsUpTo: bucket.revision)
    }
    origin = bucket
    restart()
  }

  /// Discards the position, so that the whole model is received again.
  private func forget(horizonsUpTo revision: Int) {
    (lastRevision, caughtUp, listedHorizon) = (0, 0, revision)
    cleaner.forget()
  }

  /// Replaces the consumer by a new one.
  func restart() {
    end()
    generation += 1
    nextOrder = 1
    isComplete = false
    deadline = link.loop.now() + Self.patience * Double(JetStream.beat)
    // A model whose consumer is refused repeatedly stays offline, with its error, until the server
    // accepts one.
    if !isRefused { mailbox.put(.connecting, error: nil) }
    let from = lastRevision > 0 ? lastRevision + 1 : nil
    let wanted = generation, name = consumerName, known = lastRevision
    consumer = name
    do throws(NatsOptionsError) { subscription = try link.subscribe(subject) } catch {
      consumer = nil
      mailbox.put(.offline, error: "nothing can be received: \(error.message)")
      return link.inspectLater()
    }
    link.request(
      link.stream.creationSubject(ofConsumer: name),
      link.stream.consumer(name, ofModel: model, to: subject, from: from)
    ) { [weak self] answer in
      guard let self, generation == wanted else { return }
      take(answer, known)
    }
  }

  /// - Parameter known: the last revision received when the consumer was requested.
  private func take(_ answer: NatsLink.Answer, _ known: Int) {
    switch answer {
    case .content(let content):
      if let failure = content.failure {
        // The refusal concerns this model alone.
        lose(NatsLink.refusal(failure, of: "follow the model \"\(model)\""))
        isRefused = true
        // An inspection creates a missing bucket anew. After other failures, the next inspection
        // tries again.
        if failure.isMissing { link.inspectLater() }
        return
      }
      isRefused = false
      // Messages sent before the answer may have been lost, or may arrive after it.
      let sent = content.number("delivered.consumer_seq") ?? 0
      if content.number("num_pending") == 0, sent < nextOrder {
        // No unknown mark was deleted: otherwise a horizon would be pending.
        caughtUp = max(caughtUp, known, origin?.revision ?? 0)
        complete()
      }
    case .nobody, .none:
      consumer = nil
      link.inspectLater()
    }
  }

  private func complete() {
    if isComplete { return }
    isComplete = true
    mailbox.complete(origin)
    mailbox.put(.live, error: nil)
  }

  /// Stops receiving.
  func end() {
    deadline = .infinity
    cleaner.stop()
    if let consumer { link.forget(consumer: consumer) }
    consumer = nil
    subscription = nil
  }

  /// The connection is lost, or the server refuses the model.
  func lose(_ reason: String) {
    consumer = nil
    subscription = nil
    isComplete = false
    deadline = .infinity
    generation += 1
    isRefused = false
    cleaner.stop()
    mailbox.put(.offline, error: reason)
  }

  // MARK: Messages

  /// Handles a status message about the consumer.
  func take(status: Int, _ message: NatsConnection.Message, ofGeneration number: Int) {
    guard number == generation else { return }
    deadline = link.loop.now() + Self.patience * Double(JetStream.beat)
    // The server waits for an answer before it continues. The answer is sent once the mailbox has
    // room, so that the server also waits for a slow runtime.
    if let question = message.reply ?? message.stalled {
      mailbox.whenThereIsRoom(link.answering(question))
    }
    // The last message may have been lost, and no later message would reveal the gap.
    if status != 100 || message.lastOrder.map({ $0 >= nextOrder }) == true { restart() }
  }

  func take(_ message: NatsConnection.Message, at position: JetStream.Position) {
    guard position.consumer == consumer else { return }
    deadline = link.loop.now() + Self.patience * Double(JetStream.beat)
    guard position.order == nextOrder, position.revision > lastRevision else { return restart() }
    nextOrder += 1
    lastRevision = position.revision
    latestTime = max(latestTime, position.time)
    if message.subject == horizonSubject {
      if takeHorizon(message.data, position.revision) { return }
    } else if let key = JetStream.key(ofSubject: message.subject) {
      if message.isRemoval, key != .model { cleaner.note(position.revision, at: position.time) }
      let bytes = message.isRemoval ? nil : message.data
      mailbox.put([SharingChange(key: key, revision: position.revision, bytes: bytes)])
    }
    if position.rest == 0 { caughtUp = position.revision }
    // The listing is also complete at the bucket's revision at the start: if others keep writing,
    // some message is always pending.
    if position.rest == 0 || position.revision >= origin?.revision ?? .max { complete() }
  }

  /// Replaces the consumer if nothing was received for too long, and otherwise deletes old marks.
  func beat() {
    if link.loop.now() > deadline { return restart() }
    guard isComplete, !link.options.isReadOnly, let origin else { return }
    cleaner.begin(link.options.ageOfMarks, at: latestTime, in: origin.name)
  }

  // MARK: Marks of removed rows

  /// Adopts a horizon. Returns true if the whole model is received again, because marks that were
  /// not received may have been deleted.
  private func takeHorizon(_ bytes: [UInt8], _ revision: Int) -> Bool {
    guard let horizon = cleaner.noteHorizon(bytes, revision), revision > listedHorizon,
      horizon > caughtUp
    else { return false }
    forget(horizonsUpTo: revision)
    // The listing ends at the horizon, which may be later than the last revision at the latest
    // inspection.
    origin = origin.map { SharingOrigin(name: $0.name, revision: max($0.revision, revision)) }
    mailbox.beginListing(isAnew: false)
    restart()
    return true
  }
}
