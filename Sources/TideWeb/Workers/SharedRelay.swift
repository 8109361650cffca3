import TideBindings
import TideScript
import TideSystem

/// The shared models of one worker, which joins them through the server.
///
///     the server's engine ──▶ mailbox ──▶ orders ──▶ the worker's mailbox
///
/// It belongs to the loop's owner.
final class SharedRelay {
  private let loop: EventLoop
  private let engine: any SharingEngine
  private let channel: FramedChannel
  private var members: [Int: Member] = [:]
  private var relay: Relay<SharedRelay>?

  private struct Member {
    let mailbox: SharingMailbox
    let channel: any SharingChannel
    /// Changes from the mailbox that remain to be sent, in reverse order.
    var parts: [SharingMailbox.Contents] = []
    /// Whether they are a listing of the whole model.
    var isListing = false
  }

  /// Models that one worker may join.
  private static let mostMembers = 1000
  /// Bytes of a model's name.
  private static let longestName = 1 << 10
  /// Bytes of the names in a key.
  private static let longestKey = 64 << 10
  /// Bytes of unreceived orders beyond which changes stay in the mailboxes.
  private static let mostWaiting = 4 << 20
  /// Unreceived refusals beyond which the worker may send no more updates.
  private static let mostRefusals = 40_000
  /// Bytes of one update, so that it fits into a frame.
  private static let largestUpdate = 8 << 20
  /// Bytes of updates or changes that are sent together. A larger one is sent alone.
  static let sizeOfPart = 1 << 20

  init(_ loop: EventLoop, _ engine: any SharingEngine, _ channel: FramedChannel) {
    self.loop = loop
    self.engine = engine
    self.channel = channel
    relay = Relay(self)
  }

  /// The largest update that a worker may send, in bytes.
  var largestUpdate: Int { min(engine.largestUpdate ?? .max, Self.largestUpdate) }

  func join(_ number: Int, _ model: String) throws(FrameReader.Fault) {
    guard members[number] == nil, members.count < Self.mostMembers,
      model.utf8.count <= Self.longestName
    else { throw FrameReader.Fault() }
    let (inbox, relay) = (loop.inbox, relay)
    let mailbox = SharingMailbox { inbox.post { relay?.content?.deliver(number) } }
    members[number] = Member(mailbox: mailbox, channel: engine.join(model, mailbox))
  }

  func send(_ number: Int, _ updates: [SharingUpdate]) throws(FrameReader.Fault) {
    let most = largestUpdate
    // The worker's own engine refuses these updates of its scripts already.
    guard let member = members[number], !engine.isReadOnly,
      updates.allSatisfy({ $0.bytes?.count ?? 0 <= most && $0.key.size <= Self.longestKey }),
      channel.waitingBytes < Self.mostWaiting || member.mailbox.refusalCount < Self.mostRefusals
    else { throw FrameReader.Fault() }
    member.channel.send(updates)
  }

  func leave(_ number: Int) throws(FrameReader.Fault) {
    guard let member = members.removeValue(forKey: number) else { throw FrameReader.Fault() }
    member.channel.leave()
    // A worker that receives nothing, but keeps joining and leaving models, would exhaust the
    // memory.
    if channel.waitingBytes >= 2 * Self.mostWaiting { throw FrameReader.Fault() }
    let refusals =
      member.parts.reversed().flatMap(\.refusals)
      + member.mailbox.take(withChanges: false).refusals
    let contents = SharingMailbox.Contents.lastRefusals(refusals)
    for part in contents.parts(ofAtMost: Self.sizeOfPart) {
      let (kind, content) = WorkerOrder.shared(number, part).frame
      channel.send(kind, content)
    }
  }

  /// Leaves all models, because the worker has ended.
  func leaveAll() {
    relay?.end()
    relay = nil
    for member in members.values { member.channel.leave() }
    members = [:]
  }

  /// Sends changes that waited until the worker had received earlier ones.
  func deliverAll() {
    for number in members.keys { deliver(number) }
  }

  private func deliver(_ number: Int) {
    while channel.waitingBytes < Self.mostWaiting, let hasNone = members[number]?.parts.isEmpty {
      if hasNone {
        guard let contents = members[number]?.mailbox.take(), !contents.isEmpty else { return }
        members[number]?.isListing = contents.isListing
        members[number]?.parts = contents.parts(ofAtMost: Self.sizeOfPart).reversed()
      }
      // Other writers' changes do not count towards this worker's share of time. A listing does,
      // because the worker has caused it by joining.
      if members[number]?.isListing == true {
        channel.measure { sendPart(number) }
      } else {
        sendPart(number)
      }
    }
  }

  private func sendPart(_ number: Int) {
    guard let part = members[number]?.parts.popLast() else { return }
    let (kind, content) = WorkerOrder.shared(number, part).frame
    channel.send(kind, content)
  }
}
