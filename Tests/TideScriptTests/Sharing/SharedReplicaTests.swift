import Fuzzing
import Testing
import TideBindings

@testable import TideScript

@Suite struct SharedReplicaTests {
  @Test func `bytes that nobody can read are written over, and do not hold up what is written`()
    throws
  {
    var replica = SharedReplica()
    _ = replica.finishListing(nil)
    replica.set(.model, "title", [1])
    let first = replica.takeUpdates()
    #expect(first.map(\.base) == [0])
    _ = replica.apply([SharingChange(key: .model, revision: 7, bytes: [255, 1, 2])])
    let second = replica.takeUpdates()
    #expect(second.map(\.base) == [7])
    _ = replica.apply([SharingChange(key: .model, revision: 8, bytes: second[0].bytes)])
    #expect(replica.pendingCount == 0)
  }

  @Test func `a number that was never given accepts nothing`() throws {
    var replica = SharedReplica(writer: 5)
    _ = replica.finishListing(nil)
    replica.set(.model, "title", [1])
    var forged = SharedDocument()
    forged.begin(.init(writer: 5, number: 1_000_000), cause: "")
    forged.set("title", [9], isDefault: false)
    _ = replica.takeUpdates()
    let outcome = replica.apply([SharingChange(key: .model, revision: 3, bytes: forged.bytes)])
    #expect(outcome.conflicts.map(\.mine) == [[1]])
    #expect(replica.pendingCount == 1)
  }

  // MARK: Texts

  private func bytes(_ text: String) throws -> [UInt8] {
    try KeptValues.bytes(of: .string(text), classes: nil)
  }

  private func text(_ replica: SharedReplica) throws -> String {
    let bytes = try #require(replica.entries[.model]?["text"])
    guard case .string(let text)? = try KeptValues.value(in: bytes, classes: nil) else { return "" }
    return text
  }

  @Test func `two texts that were written at once are merged, if their property says so`() throws {
    for merges in [true, false] {
      var replica = SharedReplica(writer: 1)
      _ = replica.finishListing(nil)
      var document = SharedDocument()
      document.begin(.init(writer: 2, number: 1), cause: "")
      document.set("text", try bytes("two"), isDefault: false)
      _ = replica.apply([SharingChange(key: .model, revision: 1, bytes: document.bytes)])
      replica.set(.model, "text", try bytes("two words"), merges: merges)
      document.begin(.init(writer: 2, number: 2), cause: "")
      document.set("text", try bytes("Just two"), isDefault: false)
      let outcome = replica.apply([SharingChange(key: .model, revision: 2, bytes: document.bytes)])
      #expect(try text(replica) == (merges ? "Just two words" : "two words"))
      #expect(outcome.conflicts.count == (merges ? 0 : 1))
      #expect(replica.takeUpdates().map(\.base) == [2])
    }
  }

  @Test func `a text over a declared default is merged after a restart as well`() throws {
    var former = SharedReplica(writer: 1)
    _ = former.restore(nil, [:])
    former.set(.model, "text", try bytes("two"), isDefault: true)
    former.set(.model, "text", try bytes("two words"), merges: true)
    let taken = former.takeUnkept()
    let kept = try #require(taken)
    var replica = SharedReplica(writer: 3)
    replica.set(.model, "text", try bytes("two"), isDefault: true)
    _ = replica.restore(kept.origin, kept.entries.compactMapValues { $0 })
    var document = SharedDocument()
    document.begin(.init(writer: 2, number: 1), cause: "")
    document.set("text", try bytes("Just two"), isDefault: false)
    let outcome = replica.apply([SharingChange(key: .model, revision: 1, bytes: document.bytes)])
    #expect(try text(replica) == "Just two words")
    #expect(outcome.conflicts.isEmpty)
  }

  @Test func `a merged text that its property refuses gives way to the local one`() throws {
    var replica = SharedReplica(writer: 1)
    _ = replica.finishListing(nil)
    replica.set(.model, "text", try bytes("two"), isDefault: true)
    replica.set(.model, "text", try bytes("two words"), merges: true)
    var document = SharedDocument()
    document.begin(.init(writer: 2, number: 1), cause: "")
    document.set("text", try bytes("Just two"), isDefault: false)
    let outcome = replica.apply([SharingChange(key: .model, revision: 1, bytes: document.bytes)])
    let merge = try #require(outcome.merges.first)
    #expect(merge.merged == (try bytes("Just two words")))
    #expect(replica.refuse(merge)?.theirs == (try bytes("Just two")))
    #expect(try text(replica) == "two words")
    #expect(replica.refuse(merge) == nil)
  }

  @Test func `of several merged texts that their property refuses the local one is left`() throws {
    var replica = SharedReplica(writer: 1)
    _ = replica.finishListing(nil)
    replica.set(.model, "text", try bytes("two"), isDefault: true)
    replica.set(.model, "text", try bytes("two words"), merges: true)
    var changes: [SharingChange] = []
    var document = SharedDocument()
    for (number, other) in [(1, "Just two"), (2, "Just two.")] {
      document.begin(.init(writer: 2, number: number), cause: "")
      document.set("text", try bytes(other), isDefault: false)
      changes.append(SharingChange(key: .model, revision: number, bytes: document.bytes))
    }
    let outcome = replica.apply(changes)
    #expect(outcome.merges.count == 2)
    for merge in outcome.merges.reversed() { _ = replica.refuse(merge) }
    #expect(try text(replica) == "two words")
  }

  /// A server that accepts an update that was made on its present document.
  private struct Server {
    var revision = 0
    var bytes: [UInt8]?

    mutating func take(_ update: SharingUpdate) -> Bool {
      guard update.base == revision else { return false }
      revision += 1
      bytes = update.bytes
      return true
    }
  }

  @Test(arguments: 1...50)
  func `people who type into one text lose no letter, and all come to the same text`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var server = Server()
    var replicas = [SharedReplica(writer: 1), SharedReplica(writer: 2), SharedReplica(writer: 3)]
    for index in replicas.indices {
      _ = replicas[index].finishListing(nil)
      replicas[index].set(.model, "text", try bytes(""), isDefault: true)
    }
    var next = [0, 0, 0]
    var sent: [(replica: Int, update: SharingUpdate)] = []
    let alphabets = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"]
    func letters(_ person: Int) -> [Character] { Array(alphabets[person]) }
    func act(_ person: Int) throws {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        guard next[person] < letters(person).count else { return }
        let held = try text(replicas[person])
        let letter = letters(person)[next[person]]
        // Each goes on behind their own last letter.
        let last = next[person] > 0 ? held.firstIndex(of: letters(person)[next[person] - 1]) : nil
        var new = held
        new.insert(letter, at: last.map { held.index(after: $0) } ?? held.endIndex)
        next[person] += 1
        replicas[person].set(.model, "text", try bytes(new), merges: true)
      case 1: sent += replicas[person].takeUpdates().map { (person, $0) }
      default: receive(person)
      }
      if let first = sent.first, Bool.random(using: &random) {
        sent.removeFirst()
        if !server.take(first.update) {
          _ = replicas[first.replica].refuse(.model, first.update.number, .stale)
        }
      }
    }
    func receive(_ person: Int) {
      guard let bytes = server.bytes else { return }
      _ = replicas[person].apply([
        SharingChange(key: .model, revision: server.revision, bytes: bytes)
      ])
    }
    for _ in 0..<300 { try act(Int.random(in: 0..<3, using: &random)) }
    for _ in 0..<20 {
      for person in 0..<3 {
        receive(person)
        let updates = sent.map(\.update) + replicas[person].takeUpdates()
        for update in updates { _ = server.take(update) }
        sent = []
      }
    }
    for person in 0..<3 { receive(person) }
    let final = try replicas.map(text)
    #expect(Set(final).count == 1)
    for person in 0..<3 {
      let own = letters(person)
      #expect(final[0].filter(own.contains) == String(own[..<next[person]]), "\(final[0])")
    }
  }

  private func replica(rows: Int) -> SharedReplica {
    var replica = SharedReplica()
    _ = replica.finishListing(nil)
    for row in 0..<rows {
      let key = SharingKey.row(list: "members", id: "r\(row)")
      replica.set(key, SharedDocument.value, [UInt8(row & 255)])
      // The later a row was written, the earlier it stands.
      replica.set(key, SharedDocument.order, Array(String(format(rows - row)).utf8))
    }
    return replica
  }

  private func format(_ number: Int) -> Int { 1_000_000 + number }

  @Test func `updates go out in the order of their rows`() {
    var replica = replica(rows: 100)
    let keys = replica.takeUpdates().map(\.key)
    #expect(keys == (0..<100).reversed().map { .row(list: "members", id: "r\($0)") })
  }

  @Test func `so many updates are on their way at a time, and what is written meanwhile goes next`()
  {
    var replica = replica(rows: 1000)
    let first = replica.takeUpdates(atMost: 100)
    #expect(first.count == 100)
    let more = replica.takeUpdates(atMost: 100)
    #expect(more.isEmpty)
    replica.set(.model, "title", [1])
    let changes = first.enumerated().map { index, update in
      SharingChange(key: update.key, revision: index + 1, bytes: update.bytes)
    }
    _ = replica.apply(changes)
    let second = replica.takeUpdates(atMost: 100)
    #expect(second.count == 100 && second.first?.key == .model)
    #expect(replica.pendingCount == 901)
  }

  @Test func `what is denied is sent again when it is retried, and what is forgotten is not`() {
    var replica = replica(rows: 3)
    for update in replica.takeUpdates() {
      let wasSent = replica.refuse(update.key, update.number, .denied("full"))
      #expect(wasSent)
    }
    #expect(!replica.hasUnsent)
    replica.retryDenied()
    #expect(replica.hasUnsent)
    let isWritten = replica.discardUnsent().isWritten
    #expect(isWritten)
    #expect(!replica.hasUnsent && replica.pendingCount == 0 && replica.entries.isEmpty)
    #expect(replica.heldBytes == 0)
  }

  @Test func `a snapshot of another origin than the last one has to come once more`() {
    func change(_ revision: Int, _ value: UInt8) -> SharingChange {
      var document = SharedDocument()
      document.set("title", [value], isDefault: false)
      return SharingChange(key: .model, revision: revision, bytes: document.bytes)
    }
    var replica = SharedReplica()
    var hasBegun: [Bool] = []
    replica.beginListing(isAnew: false)
    _ = replica.apply([change(5, 1)])
    hasBegun.append(replica.beginAnew(at: SharingOrigin(name: "first", revision: 5)))
    _ = replica.finishListing(SharingOrigin(name: "first", revision: 5))
    hasBegun.append(replica.beginAnew(at: SharingOrigin(name: "first", revision: 6)))
    let other = SharingOrigin(name: "other", revision: 2)
    for _ in 0..<2 {
      replica.beginListing(isAnew: false)
      _ = replica.apply([change(2, 9)])
      hasBegun.append(replica.beginAnew(at: other))
    }
    _ = replica.finishListing(other)
    #expect(hasBegun == [false, false, true, false])
    #expect(replica.entries[.model]?.document?["title"] == [9])
    #expect(replica.entries[.model]?["title"] == [9])
  }

  // MARK: Engines that lose their data while programs are killed

  private static let row = SharingKey.row(list: "members", id: "r1")

  /// A replica that persists, and has one confirmed row.
  private func keeping(_ origin: SharingOrigin) -> SharedReplica {
    var replica = SharedReplica()
    _ = replica.restore(nil, [:])
    _ = replica.finishListing(origin)
    replica.set(Self.row, SharedDocument.value, [1])
    let bytes = replica.takeUpdates()[0].bytes
    _ = replica.apply([SharingChange(key: Self.row, revision: 40, bytes: bytes)])
    return replica
  }

  /// What a killed program finds of it when it runs again.
  private func disk(
    _ replica: inout SharedReplica, _ former: SharingOrigin? = nil
  ) throws -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]]) {
    let taken = replica.takeUnkept()
    let changes = try #require(taken)
    return (changes.origin ?? former, changes.entries.compactMapValues { $0 })
  }

  @Test func `a row that may have arrived is removed also where its author did not hear of it`()
    throws
  {
    var replica = SharedReplica()
    _ = replica.finishListing(nil)
    replica.set(Self.row, SharedDocument.value, [1])
    let addition = replica.takeUpdates()[0]
    _ = replica.refuse(Self.row, addition.number, .unanswered)
    replica.beginListing(isAnew: false)
    _ = replica.finishListing(nil)
    replica.remove(Self.row)
    let removal = replica.takeUpdates()
    #expect(removal.map(\.bytes) == [nil] && removal.map(\.base) == [0])
    // It was on its way still.
    _ = replica.refuse(Self.row, try #require(removal.first).number, .stale)
    let change = SharingChange(key: Self.row, revision: 9, bytes: addition.bytes)
    let outcome = replica.apply([change])
    #expect(outcome.conflicts.isEmpty)
    let again = replica.takeUpdates()
    #expect(again.map(\.bytes) == [nil] && again.map(\.base) == [9])
  }

  @Test(arguments: [SharingRefusal.denied("full"), .tooLarge("large")])
  func `nothing is sent of a row that was refused and is removed`(reason: SharingRefusal) {
    var replica = SharedReplica()
    _ = replica.finishListing(nil)
    replica.set(Self.row, SharedDocument.value, [1])
    let addition = replica.takeUpdates()[0]
    _ = replica.refuse(Self.row, addition.number, reason)
    replica.remove(Self.row)
    #expect(!replica.hasUnsent && replica.entries.isEmpty)
  }

  @Test func `a lost row that is written again survives its program`() throws {
    var replica = keeping(SharingOrigin(name: "first", revision: 39))
    let second = SharingOrigin(name: "second", revision: 0)
    replica.beginListing(isAnew: true)
    _ = replica.finishListing(second)
    let kept = try disk(&replica)
    var again = SharedReplica()
    _ = again.finishListing(second)
    _ = again.restore(kept.origin, kept.entries)
    #expect(again.takeUpdates().map(\.key) == [Self.row])
  }

  @Test func `a lost row survives a program that is killed while it is listed anew`() throws {
    var replica = keeping(SharingOrigin(name: "first", revision: 39))
    let former = try disk(&replica)
    replica.beginListing(isAnew: true)
    // Whether another program has it is not known yet.
    let early = replica.takeUpdates()
    #expect(early.isEmpty)
    let kept = try disk(&replica, former.origin)
    let second = SharingOrigin(name: "second", revision: 0)
    for isLate in [false, true] {
      var again = SharedReplica()
      if !isLate { _ = again.finishListing(second) }
      _ = again.restore(kept.origin, kept.entries)
      if isLate {
        again.beginListing(isAnew: false)
        let hasBegun = again.beginAnew(at: second)
        #expect(hasBegun)
        again.beginListing(isAnew: false)
        _ = again.finishListing(second)
      }
      #expect(again.takeUpdates().map(\.key) == [Self.row], "\(isLate)")
    }
  }

  @Test func `a restored revision of lost data does not hide what others have written since`()
    throws
  {
    var replica = keeping(SharingOrigin(name: "first", revision: 39))
    let kept = try disk(&replica)
    var other = SharedDocument()
    other.set(SharedDocument.value, [2], isDefault: false)
    let change = SharingChange(key: Self.row, revision: 3, bytes: other.bytes)
    let second = SharingOrigin(name: "second", revision: 3)
    var again = SharedReplica()
    _ = again.restore(kept.origin, kept.entries)
    var hasBegun: [Bool] = []
    for _ in 0..<2 {
      again.beginListing(isAnew: false)
      _ = again.apply([change])
      hasBegun.append(again.beginAnew(at: second))
    }
    _ = again.finishListing(second)
    #expect(hasBegun == [true, false])
    #expect(again.entries[Self.row]?[SharedDocument.value] == [2] && again.pendingCount == 0)
  }
}

@Suite struct SharingBacklogTests {
  private func change(_ row: Int, _ revision: Int, bytes: Int = 1) -> SharingChange {
    SharingChange(
      key: .row(list: "l", id: "\(row)"), revision: revision,
      bytes: [UInt8](repeating: 0, count: bytes))
  }

  private func takeAll(_ backlog: inout SharingBacklog) -> [SharingChange] {
    var all: [SharingChange] = []
    while !backlog.isEmpty { all += backlog.take() }
    return all
  }

  @Test func `of each key the latest is taken, in the order of the revisions`() {
    var backlog = SharingBacklog()
    var revision = 0
    for _ in 0..<10 {
      backlog.add(
        (0..<500).map { row in
          revision += 1
          return change(row, revision)
        })
    }
    let all = takeAll(&backlog)
    #expect(all.map(\.revision) == Array(4501...5000))
    #expect(backlog.heldBytes == 0)
  }

  @Test func `what was put back comes first again, unless it is not the latest any more`() {
    var backlog = SharingBacklog()
    backlog.add((0..<100).map { change($0, $0 + 1) })
    let part = backlog.take()
    backlog.add([change(0, 1000)])
    backlog.putBack(part)
    let all = takeAll(&backlog)
    #expect(all.map(\.revision) == Array(2...100) + [1000])
    #expect(backlog.heldBytes == 0)
  }

  @Test func `a turn takes more when it has time, and less when it has not`() {
    var backlog = SharingBacklog()
    backlog.add((0..<10_000).map { change($0, $0 + 1) })
    let first = backlog.take().count
    backlog.adjustSize(after: first, in: .microseconds(100), fixed: .zero, rows: 100)
    let second = backlog.take().count
    #expect(second == 2 * first)
    backlog.adjustSize(after: second, in: .seconds(1), fixed: .zero, rows: 100)
    let third = backlog.take().count
    #expect(third < second)
    #expect(backlog.delay == 0)
    backlog.adjustSize(after: 10, in: .milliseconds(500), fixed: .milliseconds(400), rows: 100_000)
    #expect(backlog.delay > 0.5)
  }

  @Test func `giant changes come one at a time`() {
    var backlog = SharingBacklog()
    backlog.add((0..<5).map { change($0, $0 + 1, bytes: 2 << 20) })
    let count = backlog.take().count
    #expect(count == 1)
  }
}
