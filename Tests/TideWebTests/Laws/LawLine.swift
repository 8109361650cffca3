import NIOCore
import NIOEmbedded
import NIOWebSocket
import TideScript

@testable import TideWeb

/// A page's connection to a renderer without a network, on which what was sent is on its way for as
/// long as wanted.
///
///     page ──send──▶ leaving ──deliver──▶ the app's inbox
///     page ◀──arrive── arriving ◀──fetch── the renderer's messages
final class LawLine {
  private let channel = EmbeddedChannel()
  /// Events on their way to the app, the oldest first.
  private var leaving: [[UInt8]] = []
  /// Messages on their way to the page, the oldest first.
  private var arriving: [String] = []

  /// Connects, as the page of a session.
  init(
    _ number: Int, session: String, of person: String? = nil, _ renderer: WebRenderer,
    _ runtime: Runtime
  ) throws {
    // All of it is on the test's thread.
    nonisolated(unsafe) let renderer = renderer
    let inbox = runtime.loop.inbox
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let holder = PlaceHolder(person: person, browser: nil, address: nil)
    let connection = PageConnection(
      number, .app, session: session, holder, channel, person: Viewer(name: person ?? "")
    ) {
      connection, report in
      inbox.post { renderer.take(report, of: connection) }
    }
    try channel.pipeline.syncOperations.addHandler(connection)
  }

  func send(_ event: String) { send(Array(event.utf8)) }

  /// Sends what need not be text.
  func send(_ bytes: [UInt8]) { leaving.append(bytes) }

  /// Lets the oldest events come to the app.
  func deliver(_ count: Int = .max) throws {
    for event in leaving.prefix(count) {
      let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: event))
      try channel.writeInbound(frame)
    }
    leaving.removeFirst(min(count, leaving.count))
  }

  /// Takes what the renderer has sent, and gives the oldest messages that come to the page.
  func arrive(_ count: Int = .max) throws -> [String] {
    channel.embeddedEventLoop.run()
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
      if frame.opcode == .text { arriving.append(String(buffer: frame.data)) }
    }
    defer { arriving.removeFirst(min(count, arriving.count)) }
    return Array(arriving.prefix(count))
  }

  /// What is on its way, in both directions.
  var waiting: (leaving: [[UInt8]], arriving: [String]) {
    _ = try? arrive(0)
    return (leaving, arriving)
  }

  /// Whether something is on its way, in either direction.
  var isBusy: Bool { !leaving.isEmpty || !arriving.isEmpty }

  /// Whether the app has not ended it.
  var isOpen: Bool { channel.isActive }

  var onItsWay: String {
    "\(leaving.map { String(decoding: $0, as: UTF8.self) }) to the app, \(arriving) to the page"
  }

  /// Ends it, as the app sees it: what has not come by now never will.
  func close() {
    leaving = []
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
  }
}
