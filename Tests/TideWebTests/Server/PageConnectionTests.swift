import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing
import TideValues

@testable import TideWeb

@Suite struct PageConnectionTests {
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
