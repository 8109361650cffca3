import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing
import TideValues

@testable import TideWeb

@Suite struct PageConnectionTests {
  /// The code and reason by which a connection was closed; nil for one that is open.
  private func closing(_ channel: EmbeddedChannel) throws -> (code: UInt16, reason: String)? {
    var last: WebSocketFrame?
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) { last = frame }
    guard let last, last.opcode == .connectionClose else { return nil }
    var data = last.data
    return (data.readInteger(as: UInt16.self) ?? 0, String(buffer: data))
  }

  @Test(arguments: [true, false])
  func `its page comes again after some minutes, where the host names people`(
    hasHost: Bool
  ) throws {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let loop = channel.embeddedEventLoop
    let holder = PlaceHolder(person: hasHost ? "ann" : nil, browser: nil, address: nil)
    let admits: PageConnection.Admission = { loop.makeSucceededFuture(true) }
    let connection = PageConnection(
      1, .app, session: "", holder, channel, admission: hasHost ? admits : nil
    ) { _, _ in }
    try channel.pipeline.syncOperations.addHandler(connection)
    loop.advanceTime(by: PageConnection.longestAge - .minutes(2))
    #expect(try closing(channel) == nil)
    loop.advanceTime(by: .minutes(2))
    loop.run()
    let closing = try closing(channel)
    #expect(channel.isActive == !hasHost)
    #expect((closing != nil) == hasHost)
    // With another code, or a reason, a page would say something to its person.
    if let closing { #expect(closing.code == 1001 && closing.reason.isEmpty) }
  }

  @Test func `it ends when its person is not let in any more`() throws {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let loop = channel.embeddedEventLoop
    let isAdmitted = Guarded(true)
    let questions = Guarded(0)
    let holder = PlaceHolder(person: "ann", browser: nil, address: nil)
    let connection = PageConnection(
      1, .app, session: "", holder, channel,
      admission: {
        questions.withLock { $0 += 1 }
        return loop.makeSucceededFuture(isAdmitted.withLock { $0 })
      }
    ) { _, _ in }
    try channel.pipeline.syncOperations.addHandler(connection)
    for count in 1...3 {
      loop.advanceTime(by: PageConnection.beat)
      #expect(questions.withLock { $0 } == count)
      #expect(channel.isActive)
    }
    isAdmitted.withLock { $0 = false }
    loop.advanceTime(by: PageConnection.beat)
    loop.run()
    var last: WebSocketFrame?
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) { last = frame }
    var data = try #require(last).data
    #expect(last?.opcode == .connectionClose)
    data.moveReaderIndex(forwardBy: 2)
    #expect(String(buffer: data) == PageRefusal.notLetIn.reason)
    #expect(!channel.isActive)
  }
}
