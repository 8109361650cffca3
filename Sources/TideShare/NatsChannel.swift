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
      lastRevision = 0
    }
    origin = bucket
    restart()
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
    let wanted = generation, name = consumerName
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
      take(answer)
    }
  }

  private func take(_ answer: NatsLink.Answer) {
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
      if content.number("num_pending") == 0 { complete() }
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
    if let key = JetStream.key(ofSubject: message.subject) {
      let bytes = message.isRemoval ? nil : message.data
      mailbox.put([SharingChange(key: key, revision: position.revision, bytes: bytes)])
    }
    // Others may go on writing, so that there is always something to come.
    if position.rest == 0 || position.revision >= origin?.revision ?? .max { complete() }
  }

  /// Makes the consumer anew where nothing has come for too long.
  func beat() {
    if link.loop.now() > deadline { restart() }
  }
}
