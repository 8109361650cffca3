import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization
import TideSystem
import TideValues

/// Serves the page and its connections on one of NIO's threads.
///
///     GET /?token=…   ──▶ a cookie, and back to /
///     GET /           ──▶ the page, which asks for its script and style
///     GET /ws         ──▶ a WebSocket; what happens there is passed to `report`
final class PageServer: Sendable {
  private let channel: any Channel
  private let viewers: Count
  private let connections: OpenConnections

  struct Limits: Sendable {
    /// Browsers that are connected at once.
    var viewers = 32
    /// Connections of any kind, those included on which nothing has come yet.
    var connections: Int { 64 + 8 * viewers }
    /// Bytes of a message from a page.
    var message = 1 << 20
    /// Seconds within which a request has to come, and until a silent connection is closed.
    var idle = 60
  }

  /// - Parameter report: called on the server's thread.
  init(
    _ socket: ListeningSocket, _ rules: RequestRules, _ limits: Limits,
    certificate: ServerCertificate?, places: Set<PagePlace>,
    pictures: PagePictures,
    report: @escaping @Sendable (PageConnection, PageConnection.Report) -> Void
  ) throws {
    let files = PageFiles(places, pictures)
    let count = Count(limits.viewers)
    let connections = OpenConnections(limit: limits.connections)
    self.connections = connections
    viewers = count
    let bootstrap = ServerBootstrap(group: Self.loop)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(
        .writeBufferWaterMark, value: .init(low: 16 << 10, high: 64 << 10)
      )
      .childChannelInitializer { channel in
        // Another one has to go first, which it does when it is silent for long.
        guard connections.add(channel) else { return channel.close() }
        return channel.eventLoop.makeCompletedFuture {
          if let certificate {
            try channel.pipeline.syncOperations.addHandler(
              NIOSSLServerHandler(context: certificate.context))
          }
          try Self.configure(channel, rules, files, limits, count, report)
        }
      }
    channel = try bootstrap.withBoundSocket(socket.take()).wait()
  }

  /// All connections, also those of plain requests and those on which nothing has come yet.
  private final class OpenConnections: Sendable {
    private let limit: Int
    private let channels = Guarded<[ObjectIdentifier: any Channel]>([:])

    init(limit: Int) { self.limit = limit }

    /// Notes a connection until it closes; false where there are too many.
    func add(_ channel: any Channel) -> Bool {
      let key = ObjectIdentifier(channel)
      let isAdded = channels.withLock { channels in
        if channels.count >= limit { return false }
        channels[key] = channel
        return true
      }
      if isAdded {
        channel.closeFuture.whenComplete { [self] _ in channels.withLock { $0[key] = nil } }
      }
      return isAdded
    }

    func closeAll() {
      for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
  }

  /// Counts viewers on the server's thread.
  private final class Count: Sendable {
    private let limit: Int
    private let state = Atomic<Int>(0)
    private let last = Atomic<Int>(0)

    init(_ limit: Int) { self.limit = limit }

    var isEmpty: Bool { state.load(ordering: .relaxed) == 0 }
    var isFull: Bool { state.load(ordering: .relaxed) >= limit }
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
    func enter() { state.add(1, ordering: .relaxed) }
    func leave() { state.subtract(1, ordering: .relaxed) }
  }

  private static func configure(
    _ channel: any Channel, _ rules: RequestRules, _ files: PageFiles, _ limits: Limits,
    _ count: Count,
    _ report: @escaping @Sendable (PageConnection, PageConnection.Report) -> Void
  ) throws {
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: limits.message,
      shouldUpgrade: { channel, head in
        let verdict = rules.verdict(on: head, needsOrigin: true)
        guard files.place(ofConnection: head.uri) != nil, !count.isFull,
          verdict == .allowed || verdict == .undecided
        else { return channel.eventLoop.makeSucceededFuture(nil) }
        if verdict == .allowed { return channel.eventLoop.makeSucceededFuture([:]) }
        return rules.askHook(about: head, on: channel).map { $0 && !count.isFull ? [:] : nil }
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          count.enter()
          channel.closeFuture.whenComplete { _ in count.leave() }
          try channel.pipeline.syncOperations.addHandlers([
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 16, maxAccumulatedFrameCount: 64,
              maxAccumulatedFrameSize: limits.message),
            PageConnection(
              count.next(), PagePlace(connection: head.uri) ?? .app,
              PagePlace.session(in: head.uri), channel, report),
          ])
        }
      })
    let requests = NIOLoopBound(
      PageRequests(rules, files, patience: .seconds(Int64(limits.idle))),
      eventLoop: channel.eventLoop)
    var head = NIOHTTPDecoderLimitConfiguration()
    head.maxHeaderFieldSize = 8 << 10
    head.maxHeaderListSize = 32 << 10
    head.maxHeaderFieldCount = 64
    let idle = Int64(limits.idle)
    try channel.pipeline.syncOperations.addHandler(
      IdleStateHandler(readTimeout: .seconds(idle)))
    try channel.pipeline.syncOperations.addHandler(SilenceHandler())
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          context.pipeline.syncOperations.removeHandler(requests.value, promise: nil)
        }
      ), withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
      withDecoderLimitConfiguration: head)
    try channel.pipeline.syncOperations.addHandler(requests.value)
  }

  /// Stops listening, waits a moment until what was sent last has left, and closes all connections.
  func stop() {
    channel.close(promise: nil)
    let end = TideSystem.EventLoop.monotonicTime() + Self.timeOfEnding
    while !viewers.isEmpty, TideSystem.EventLoop.monotonicTime() < end { usleep(1000) }
    connections.closeAll()
  }

  // One of the process's own, because a group that ends needs Dispatch's threads, which may not start
  // in a process that is confined.
  private static var loop: any NIOCore.EventLoop { MultiThreadedEventLoopGroup.singleton.next() }

  /// In seconds.
  private static let timeOfEnding = 0.3
}

/// Closes a connection on which no request comes.
private final class SilenceHandler: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .read? = event as? IdleStateHandler.IdleStateEvent {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }
}
