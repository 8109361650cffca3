import Testing
import TideBindings
import TideLua
import TideSystem
import TideValues

@testable import TideScript

/// What shared models take in an app that has many, and in one whose rows come and go.
@Suite struct SharingBudgetTests {
  private static func row(_ number: Int, idLength: Int = 8) -> SharingKey {
    let id = "\(10_000_000 + number)"
    return .row(list: "rows", id: id + String(repeating: "x", count: idLength - id.utf8.count))
  }

  /// An engine that gives every model the same removals.
  private final class RemovingEngine: SharingEngine {
    var largestUpdate: Int? { nil }
    var isReadOnly: Bool { false }

    private struct Channel: SharingChannel {
      func send(_ updates: [SharingUpdate]) {}
      func leave() {}
    }

    func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
      mailbox.beginListing(isAnew: false)
      mailbox.put(
        (1...200).map { SharingChange(key: row($0, idLength: 20_000), revision: $0, bytes: nil) },
        isComplete: true)
      mailbox.put(.live, error: nil)
      return Channel()
    }
  }

  @Test func `the changes that wait for all models of an app are bounded together`() throws {
    var configuration = Runtime.Configuration()
    configuration.shared = RemovingEngine()
    configuration.lua.memory = 8 << 20
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate("ready = 0", as: Value.self)
    for index in 0..<10 {
      try runtime.evaluate("shared('m\(index)', { rows = list {} })", as: Value.self)
    }
    let budget = runtime.declarations.sharingBudget
    var most = budget.waitingBytes
    for _ in 0..<200 {
      most = max(most, budget.waitingBytes)
      runtime.turn(timeout: 0)
    }
    // 4 MB for each of ten models; a listing is taken whole.
    #expect(most > 1 << 20 && most < 50 << 20, "\(most)")
    #expect(budget.waitingBytes == 0)
    for index in 0..<10 {
      let state = try runtime.evaluate("models.m\(index).sync.state", as: String.self)
      #expect(state == "live")
    }
  }

  @Test func `each model has its share while others take more, and all when they take nothing`() {
    let budget = SharingBudget(memory: 80 << 20)
    for _ in 0..<10 { budget.add(1) }
    #expect(budget.admits(30 << 20))
    budget.note(20 << 20, before: 0)
    #expect(!budget.admits(1 << 20) && budget.admits((1 << 20) - 1))
    #expect(budget.turnShares == 1)
    budget.note(1, before: 0)
    #expect(budget.turnShares == 2)
    budget.note(0, before: 20 << 20)
    budget.note(0, before: 1)
    #expect(budget.admits(30 << 20) && budget.turnShares == 1)
    #expect(budget.mostSent(beside: 0) == SharingBudget.mostSent)
    #expect(budget.mostSent(beside: 19_500) == 2000)
  }

  @Test func `the mailboxes of an app share the room of one`() {
    let share = MailboxShare()
    let mailboxes = (0..<4).map { _ in SharingMailbox(share) {} }
    let isAsked = Guarded(0)
    func asks(_ mailbox: SharingMailbox) -> Int {
      mailbox.whenThereIsRoom { isAsked.withLock { $0 += 1 } }
      return isAsked.withLock { $0 }
    }
    let bytes = [UInt8](repeating: 1, count: 3 << 20)
    mailboxes[0].put([SharingChange(key: Self.row(1), revision: 1, bytes: bytes)])
    #expect(asks(mailboxes[0]) == 0)
    #expect(asks(mailboxes[1]) == 1)
    _ = mailboxes[0].take()
    #expect(isAsked.withLock { $0 } == 2)
  }

  @Test func `rows that come and go leave nothing in an engine, in a mailbox or in a replica`() {
    let models = SharedModels(capacity: 20_000)
    let (mailbox, idle) = (SharingMailbox {}, SharingMailbox {})
    let channel = models.join("room", mailbox)
    _ = models.join("room", idle)
    var replica = SharedReplica()
    for number in 0..<5000 {
      let key = Self.row(number)
      replica.set(key, "title", Array("\(number)".utf8))
      channel.send(replica.takeUpdates())
      _ = replica.apply(mailbox.take().sortedChanges)
      replica.remove(key)
      channel.send(replica.takeUpdates())
      let contents = mailbox.take()
      #expect(contents.refusals.isEmpty)
      _ = replica.apply(contents.sortedChanges)
      replica.forgetManyRemovals()
    }
    #expect(replica.pendingCount == 0)
    #expect(replica.heldBytes < 300_000, "\(replica.heldBytes)")
    #expect(idle.take().changes.count < 1100)
    var late = SharedReplica()
    late.beginListing(isAnew: false)
    let listing = SharingMailbox {}
    _ = models.join("room", listing)
    _ = late.apply(listing.take().sortedChanges)
    _ = late.finishListing(nil)
    #expect(late.entries.isEmpty)
  }

  @Test func `an update of a row that is gone is refused, and a new row is taken`() {
    let models = SharedModels()
    let mailbox = SharingMailbox {}
    let channel = models.join("room", mailbox)
    channel.send([.init(key: Self.row(1), base: 0, number: 1, bytes: [1])])
    let revision = mailbox.take().changes[Self.row(1)]?.revision ?? 0
    channel.send([.init(key: Self.row(1), base: revision, number: 2, bytes: nil)])
    channel.send([.init(key: Self.row(1), base: revision, number: 3, bytes: [2])])
    #expect(mailbox.take().refusals.map(\.number) == [3])
    channel.send([.init(key: Self.row(2), base: 0, number: 4, bytes: [1])])
    #expect(mailbox.take().refusals.isEmpty)
  }
}
