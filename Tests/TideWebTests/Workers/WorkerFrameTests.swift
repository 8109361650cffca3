import Testing
import TideScript

@testable import TideWeb

@Suite struct WorkerFrameTests {
  private static let contents: SharingMailbox.Contents = {
    let mailbox = SharingMailbox {}
    mailbox.beginListing(isAnew: true)
    mailbox.put([
      SharingChange(key: .model, revision: 3, bytes: [1, 2]),
      SharingChange(key: .row(list: "rows", id: "a"), revision: 4, bytes: nil),
    ])
    mailbox.complete(SharingOrigin(name: "here", revision: 4))
    mailbox.put(.live, error: "none")
    mailbox.refuse(.model, 7, .tooLarge("too large"))
    mailbox.refuse(.row(list: "rows", id: "b"), 8, .stale)
    return mailbox.take()
  }()

  private static let orders: [WorkerOrder] = {
    var beginning = WorkerOrder.Beginning()
    beginning.pagePrefix = "näme"
    beginning.kept = [1, 2, 3]
    beginning.notice = "again"
    beginning.largestUpdate = 12
    beginning.person = Viewer(name: "Änne", address: "::1", locale: "de-CH")
    beginning.owner = .named("person:Änne")
    return [
      .begin(beginning), .opened(-1, session: "s", person: beginning.person),
      .message(2, [91, 93]), .fellBehind(3), .caughtUp(4), .closed(5), .ping,
      .stop(givesValues: true), .shared(6, contents),
    ]
  }()

  private static let reports: [WorkerReport] = [
    .ready, .page(1, turn: 2, [91, 93]), .end(3, text: nil), .end(3, text: "why"),
    .close(4, .misuse), .close(4, nil), .read(5), .picture(1, [0x89]), .pictureGone(1),
    .values([]), .pong, .failed("no"), .ended,
    .join(6, model: "room"), .leave(6),
    .update(
      6,
      [
        SharingUpdate(key: .row(list: "rows", id: "ä"), base: 1, number: 2, bytes: [9]),
        SharingUpdate(key: .model, base: 0, number: 3, bytes: nil),
      ]),
  ]

  @Test func `orders and reports are read as they were written`() throws {
    for order in Self.orders {
      let (kind, content) = order.frame
      let read = try content.withUnsafeBytes { try WorkerOrder(kind, $0) }
      #expect(read.frame.kind == kind)
      // Changes have no order of their own.
      #expect(read.frame.content.sorted() == content.sorted())
    }
    for report in Self.reports {
      let (kind, content) = report.frame
      let read = try content.withUnsafeBytes { try WorkerReport(kind, $0) }
      #expect(read.frame.kind == kind)
      #expect(read.frame.content == content)
    }
  }

  @Test func `a frame that is cut anywhere, or has more to it, is a fault`() {
    for (kind, content) in Self.reports.map(\.frame) {
      for length in 0..<content.count {
        #expect(throws: FrameReader.Fault.self) {
          try content[..<length].withUnsafeBytes { try WorkerReport(kind, $0) }
        }
      }
      #expect(throws: FrameReader.Fault.self) {
        try (content + [0]).withUnsafeBytes { try WorkerReport(kind, $0) }
      }
    }
    for kind in UInt8(14)...255 {
      #expect(throws: FrameReader.Fault.self) {
        try [UInt8]().withUnsafeBytes { try WorkerReport(kind, $0) }
      }
    }
  }

  @Test func `counts and lengths beyond the frame take no memory`() {
    for count in [-1, Int.min, Int.max, 1 << 40] {
      var writer = FrameWriter()
      writer.add(6)
      writer.add(count)
      for kind: UInt8 in [2, 5, 7, 9, 11, 12, 13] {
        #expect(throws: FrameReader.Fault.self) {
          try writer.bytes.withUnsafeBytes { try WorkerReport(kind, $0) }
        }
      }
    }
  }
}
