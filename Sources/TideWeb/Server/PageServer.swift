import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import TideSystem

/// Serves the page and its connections on one of NIO's threads.
///
///     GET /?token=…   ──▶ a cookie, and back to /
///     GET /           ──▶ the page, which asks for its script and style
///     GET /ws         ──▶ a WebSocket; what happens there is passed to `report`
final class PageServer: Sendable {
  private let channel: any Channel
  private let connections: OpenConnections

  struct Limits: Sendable {
    /// Browsers that are connected at once.
    var viewers = 32
    /// Other connections at once: plain requests, and connections without a request yet.
    var waiting = 320
    /// Bytes of a message from a page.
    var message = PageLimits.message
    /// Seconds within which a request has to arrive, and after which a silent connection is closed.
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
    let connections = OpenConnections(limits)
    self.connections = connections
    let bootstrap = ServerBootstrap(group: Self.loop)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(
        .writeBufferWaterMark, value: .init(low: 16 << 10, high: 64 << 10)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let number = connections.add(channel)
          if let certificate {
            try channel.pipeline.syncOperations.addHandler(
              NIOSSLServerHandler(context: certificate.context))
          }
          try Self.configure(channel, number, connections, rules, files, limits, report)
        }
      }
    channel = try bootstrap.withBoundSocket(socket.take()).wait()
  }

  private static func configure(
    _ channel: any Channel, _ number: Int, _ connections: OpenConnections,
    _ rules: RequestRules, _ files: PageFiles, _ limits: Limits,
    _ report: @escaping @Sendable (PageConnection, PageConnection.Report) -> Void
  ) throws {
    // State of the one WebSocket connection that this channel can become.
    let refusal = NIOLoopBoundBox<PageRefusal?>(nil, eventLoop: channel.eventLoop)
    let holder = NIOLoopBoundBox(
      PlaceHolder(browser: nil, address: nil), eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: limits.message,
      // `PageConnection` closes the connection with a reason.
      automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        let target = RequestTarget(head.uri)
        // RFC 6455, 4.2.1.
        guard head.method == .GET, head.version == .http1_1,
          files.place(ofConnection: target) != nil
        else {
          return channel.eventLoop.makeSucceededFuture(nil)
        }
        let page = target.script
        // A page of this server receives the reason for a refusal, other clients a plain response.
        let answer = { @Sendable (reason: PageRefusal?) -> HTTPHeaders? in
          refusal.value = reason
          return reason == nil || page != nil ? [:] : nil
        }
        let answerToAdmitted = { @Sendable (admitted: RequestRules.Admitted) -> HTTPHeaders? in
          if let page, !files.isPresent(page) { return answer(.otherVersion) }
          holder.value = rules.holder(admitted, of: channel)
          return answer(connections.refusal(of: holder.value))
        }
        switch rules.verdict(on: head, needsOrigin: true) {
        case .allowed(let admitted):
          return channel.eventLoop.makeSucceededFuture(answerToAdmitted(admitted))
        case .stranger: return channel.eventLoop.makeSucceededFuture(answer(.startedAgain))
        case .undecided:
          return rules.askHook(about: head, on: channel).map { person in
            guard case .allowed(let admitted) = rules.verdict(on: head, of: person) else {
              return answer(.notLetIn)
            }
            return answerToAdmitted(admitted)
          }
        case .newcomer, .refused: return channel.eventLoop.makeSucceededFuture(nil)
        }
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let target = RequestTarget(head.uri)
          // Other viewers may have connected meanwhile.
          let refusal = refusal.value ?? connections.admit(number, holder.value)
          if let refusal {
            return try channel.pipeline.syncOperations.addHandler(RefusedPage(refusal))
          }
          try channel.pipeline.syncOperations.addHandlers([
            FrameRules(),
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 16, maxAccumulatedFrameCount: 64,
              maxAccumulatedFrameSize: limits.message),
            PageConnection(
              number, target.connection ?? .app, session: target.session, holder.value, channel,
              person: rules.person(by: head, holder.value, on: channel),
              admission: rules.admission(of: head, holder.value, on: channel), report),
          ])
        }
      })
    let requests = NIOLoopBound(
      PageRequests(
        rules, files, patience: .seconds(Int64(limits.idle)), refusal: connections.refusal),
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

  /// Stops listening, waits briefly until the last messages have been sent, and closes all
  /// connections.
  func stop() {
    channel.close(promise: nil)
    connections.waitForViewers(seconds: Self.timeOfEnding)
    connections.closeAll()
  }

  // The process-wide group, because shutting down a group of its own would need Dispatch threads,
  // which may not start in a confined process.
  private static var loop: any NIOCore.EventLoop { MultiThreadedEventLoopGroup.singleton.next() }

  /// In seconds.
  private static let timeOfEnding = 0.3
}

/// Closes a connection on which no request arrives.
private final class SilenceHandler: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .read? = event as? IdleStateHandler.IdleStateEvent {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }
}
