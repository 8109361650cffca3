import TideScript
import TideSystem

/// One model on a connection: what there is of it comes by a consumer, which is made anew whenever
/// that may have missed something, and then goes on behind the last revision that has come.
///
///     begin ──▶ consumer ──deliver──▶ mailbox
///       ▲          │ gap, silence, reconnection
///       └──────────┘
final class NatsChannel {
  let number: Int
  let model: String
  let mailbox: SharingMailbox
  private unowned let link: NatsLink
  /// The bucket that it follows; nil before the first.
  private var origin: SharingOrigin?
  private(set) var lastRevision = 0
  private var generation = 0
  private var subscription: NatsConnection.Subscription?
  private var consumer: String?
  var isFollowing: Bool { consumer != nil }
  /// The place of the next message in the consumer's order.
  private var nextOrder = 1
  /// Whether all of what there is has come.
  private(set) var isComplete = false
  private let horizonSubject: String
  /// Deletes old marks of removed rows.
  private let cleaner: MarkCleaner
  /// The last revision up to which everything had come while nothing was left to come.
  private var caughtUp = 0
  /// Horizons up to this revision are part of the listing that has come.
  private var listedHorizon = 0
  /// The server's time of the latest message, in seconds.
  private var latestTime = 0.0
  /// Whether the server has refused the consumer that was asked for last.
  private var isRefused = false
  /// When something must have come, in seconds of the loop.
  private var deadline = Double.infinity

  /// So many beats may be missed.
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
  /// Messages bear the name of the consumer, and not the subject to which it sends them.
  private var consumerName: String { "\(link.name(ofConsumersOf: number))\(generation)" }

  // MARK: Beginning

  /// Whether it has followed a bucket, or none so far.
  func follows(_ other: String) -> Bool { origin.map { $0.name == other } ?? true }

  /// Has what there is come, or what has been added where the bucket is the same.
  func begin(_ bucket: SharingOrigin, isSame: Bool) {
    if !isSame || lastRevision == 0 {
      mailbox.beginListing(isAnew: origin != nil && !isSame)
      forget(horizonsUpTo: bucket.revision)
    }
    origin = bucket
    restart()
  }

  /// Has everything come once more.
  private func forget(horizonsUpTo revision: Int) {
    (lastRevision, caughtUp, listedHorizon) = (0, 0, revision)
    cleaner.forget()
  }

  /// Makes the consumer anew.
  func restart() {
    end()
    generation += 1
    nextOrder = 1
    isComplete = false
    deadline = link.loop.now() + Self.patience * Double(JetStream.beat)
    // What is refused again and again stays offline, with its error, until it is not.
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

  /// - Parameter known: the last revision that had come when the consumer was asked for.
  private func take(_ answer: NatsLink.Answer, _ known: Int) {
    switch answer {
    case .content(let content):
      if let failure = content.failure {
        // That is about this model alone.
        lose(NatsLink.refusal(failure, of: "follow the model \"\(model)\""))
        isRefused = true
        // Of a bucket that is gone one is made anew; the rest is tried when it is looked at next.
        if failure.isMissing { link.inspectLater() }
        return
      }
      isRefused = false
      // What was sent before the answer may have been lost, or come after it.
      let sent = content.number("delivered.consumer_seq") ?? 0
      if content.number("num_pending") == 0, sent < nextOrder {
        // No mark is gone that was not known: a horizon would be to come.
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

  /// Lets nothing come any more.
  func end() {
    deadline = .infinity
    cleaner.stop()
    if let consumer { link.forget(consumer: consumer) }
    consumer = nil
    subscription = nil
  }

  /// The connection is gone.
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

  /// Takes what the server says of the consumer.
  func take(status: Int, _ message: NatsConnection.Message, ofGeneration number: Int) {
    guard number == generation else { return }
    deadline = link.loop.now() + Self.patience * Double(JetStream.beat)
    // The server waits for an answer before it goes on, and so for the runtime where that is
    // behind.
    if let question = message.reply ?? message.stalled {
      mailbox.whenThereIsRoom(link.answering(question))
    }
    // The last message may have been lost, and none comes after it to tell.
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
    // Others may go on writing, so that there is always something to come.
    if position.rest == 0 || position.revision >= origin?.revision ?? .max { complete() }
  }

  /// Makes the consumer anew where nothing has come for too long.
  func beat() {
    if link.loop.now() > deadline { return restart() }
    guard isComplete, !link.options.isReadOnly, let origin else { return }
    cleaner.begin(link.options.ageOfMarks, at: latestTime, in: origin.name)
  }

  // MARK: Marks of removed rows

  /// Takes a horizon; true where the model begins anew, because marks may be gone that have not
  /// come.
  private func takeHorizon(_ bytes: [UInt8], _ revision: Int) -> Bool {
    guard let horizon = cleaner.noteHorizon(bytes, revision), revision > listedHorizon,
      horizon > caughtUp
    else { return false }
    forget(horizonsUpTo: revision)
    // The listing is complete with the horizon, and not with what the bucket had when it was looked
    // at last.
    origin = origin.map { SharingOrigin(name: $0.name, revision: max($0.revision, revision)) }
    mailbox.beginListing(isAnew: false)
    restart()
    return true
  }
}
