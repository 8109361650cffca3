import NIOCore
import NIOWebSocket
import Synchronization
import TideScript
import TideValues

/// A browser's connection, on the network's thread.
///
///     frames ──▶ received(bytes) ──▶ the app's inbox
///     the app's messages ──▶ send ──▶ frames
final class PageConnection: ChannelInboundHandler, Sendable {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  let number: Int
  let place: PagePlace
  /// The page's name from an earlier connection; empty for a new page.
  let session: String
  /// Who holds the place.
  let holder: PlaceHolder
  /// The person at the page.
  let person: Viewer
  private let channel: any Channel
  /// Asks whether the host still admits the person; nil if the host does not decide.
  private let admission: Admission?
  private let report: @Sendable (PageConnection, Report) -> Void
  private let outbox = Guarded(Outbox())
  /// Bytes of messages that the app has not looked at yet.
  private let unread = Atomic<Int>(0)
  private let isEnding = Atomic(false)
  /// Frames are dropped.
  private let isDeaf = Atomic(false)

  typealias Admission = @Sendable () -> EventLoopFuture<Bool>

  enum Report: Sendable {
    case opened
    case message([UInt8])
    /// Something that was sent was dropped after all.
    case fellBehind
    /// All that was sent has left, after something was dropped.
    case caughtUp
    case closed
  }

  /// What is on its way to the viewer.
  private struct Outbox {
    /// What the server's thread has not taken yet.
    var messages: [ByteBuffer] = []
    /// Bytes that were given to it and have not left.
    var waiting = 0
    /// A message was dropped, because too much was waiting.
    var hasDropped = false
    /// The server's thread is about to take what there is.
    var isTaken = false
  }

  /// A viewer that reads no faster gets no more than this, and later the state of that time.
  private static let mostWaiting = 128 << 10
  /// In bytes. A page sends some tens for each key; who sends more than that at once waits.
  private static let mostUnread = 256 << 10
  /// What a message takes beside its text.
  private static let weight = 1 << 10

  init(
    _ number: Int, _ place: PagePlace, session: String, _ holder: PlaceHolder,
    _ channel: any Channel, person: Viewer = .unknown, admission: Admission? = nil,
    _ report: @escaping @Sendable (PageConnection, Report) -> Void
  ) {
    self.number = number
    self.place = place
    self.session = session
    self.holder = holder
    self.channel = channel
    self.person = person
    self.admission = admission
    self.report = report
  }

  // MARK: From the app

  /// Sends a message. False if too much is waiting already: the message is dropped, and `caughtUp`
  /// is reported when the viewer has read the rest.
  func send(_ message: PageMessage) -> Bool {
    let size = message.bytes.readableBytes + 64
    let (isSent, wakes) = outbox.withLock { outbox in
      // What is large by itself, as the whole tree, goes to who has nothing else to read.
      if outbox.waiting > 0, outbox.waiting + size > Self.mostWaiting {
        outbox.hasDropped = true
        return (false, false)
      }
      outbox.waiting += size
      outbox.messages.append(message.bytes)
      defer { outbox.isTaken = true }
      return (true, !outbox.isTaken)
    }
    // One task for however many messages: the server's thread looks at no socket before all are
    // done.
    if wakes { channel.eventLoop.execute { self.writeAll() } }
    return isSent
  }

  private func writeAll() {
    let messages = outbox.withLock { outbox in
      outbox.isTaken = false
      defer { outbox.messages = [] }
      return outbox.messages
    }
    guard let last = messages.last else { return }
    for message in messages.dropLast() {
      channel.write(WebSocketFrame(fin: true, opcode: .text, data: message), promise: nil)
    }
    let size = messages.reduce(0) { $0 + $1.readableBytes + 64 }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: last)).whenComplete {
      [self] _ in
      let hasCaughtUp = outbox.withLock { outbox in
        outbox.waiting -= size
        guard outbox.waiting == 0, outbox.hasDropped else { return false }
        outbox.hasDropped = false
        return true
      }
      if hasCaughtUp { report(self, .caughtUp) }
    }
  }

  /// Sends a last message, if any, and closes when it has left.
  func end(_ message: PageMessage?) {
    channel.eventLoop.execute { [self] in
      writeAll()
      if let message {
        channel.write(WebSocketFrame(fin: true, opcode: .text, data: message.bytes), promise: nil)
      }
      close()
    }
  }

  /// Whether it is about to be closed: what comes and has come is not looked at any more.
  var isClosing: Bool { isEnding.load(ordering: .relaxed) }

  /// The app has looked at a message.
  func noteRead(_ bytes: [UInt8]) {
    let (before, now) = unread.subtract(bytes.count + Self.weight, ordering: .relaxed)
    if before >= Self.mostUnread / 2, now < Self.mostUnread / 2 {
      // More may have come before it is done.
      channel.eventLoop.execute { [self] in
        if unread.load(ordering: .relaxed) < Self.mostUnread / 2 { setReading(true) }
      }
    }
  }

  /// Closes the connection of a page with the reason, so that it tries again later.
  func refuse(_ refusal: PageRefusal) { close(refusal.code, refusal.reason) }

  /// Closes the connection with a code, and a reason that the page shows where there is one.
  func close(_ code: WebSocketErrorCode = .goingAway, _ reason: String = "") {
    isEnding.store(true, ordering: .relaxed)
    sendClosing(code, reason)
  }

  /// Closes the connection when the frame with the reason has left, and some time after that: what
  /// still comes is read meanwhile, because a connection that is closed with bytes unread loses what
  /// was sent last. What has come before is still looked at.
  private func sendClosing(
    _ code: WebSocketErrorCode, _ reason: String, after delay: TimeAmount = .zero
  ) {
    isDeaf.store(true, ordering: .relaxed)
    channel.eventLoop.execute { [self] in
      var data = ByteBuffer()
      data.write(webSocketErrorCode: code)
      data.writeString(reason)
      let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
      // Who reads nothing does not keep it open.
      let limit = channel.eventLoop.scheduleTask(in: Self.timeOfClosing) { [channel] in
        channel.close(promise: nil)
      }
      channel.writeAndFlush(frame).whenComplete { [channel] _ in
        limit.cancel()
        if delay == .zero { return channel.close(promise: nil) }
        channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
      }
    }
  }

  private static let timeOfClosing = TimeAmount.seconds(5)
  private static let timeOfReading = TimeAmount.seconds(1)

  private func setReading(_ isReading: Bool) {
    channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
  }

  // MARK: From the network

  func handlerAdded(context: ChannelHandlerContext) {
    report(self, .opened)
    // Whatever is written meanwhile: only an answer tells that somebody is there.
    let channel = channel
    let pings = context.eventLoop.scheduleRepeatedTask(
      initialDelay: Self.beat, delay: Self.beat
    ) { [weak self] _ in
      let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
      channel.writeAndFlush(ping, promise: nil)
      // The person may have logged out, or lost the right to use the app.
      self?.admission?().whenComplete { [weak self] result in
        if (try? result.get()) != true { self?.refuse(.notLetIn) }
      }
    }
    channel.closeFuture.whenComplete { _ in pings.cancel() }
    if admission != nil { endInTime() }
  }

  /// Has the page connect again after some minutes. The host decides by the request that has made
  /// the connection, which says nothing of what the proxy would say now.
  private func endInTime() {
    let age = Self.longestAge - .seconds(.random(in: 0...Self.spreadOfAge))
    let end = channel.eventLoop.scheduleTask(in: age) { [weak self] in self?.close() }
    channel.closeFuture.whenComplete { _ in end.cancel() }
  }

  static let beat = TimeAmount.seconds(20)
  static let longestAge = TimeAmount.minutes(10)
  /// In seconds: pages that have connected together do not return together.
  private static let spreadOfAge: Int64 = 60

  func channelInactive(context: ChannelHandlerContext) {
    report(self, .closed)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isDeaf.load(ordering: .relaxed) { return }
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      let bytes = Array(frame.unmaskedData.readableBytesView)
      let (_, now) = unread.add(bytes.count + Self.weight, ordering: .relaxed)
      if now >= Self.mostUnread { setReading(false) }
      report(self, .message(bytes))
    case .ping:
      // Who reads nothing is not answered without end.
      guard context.channel.isWritable else { return context.close(promise: nil) }
      let answer = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    case .pong: break
    case .connectionClose:
      let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
      context.close(promise: nil)
    default: sendClosing(.unacceptableData, PageRefusal.misuse.reason)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // Nothing has come for long, not even the answer to a ping.
    if case .read? = event as? IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The rest of what is too large comes as errors as well.
    if isDeaf.load(ordering: .relaxed) { return }
    switch error {
    case NIOWebSocketError.invalidFrameLength,
      NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
      NIOWebSocketFrameAggregator.Error.tooManyFragments,
      NIOWebSocketFrameAggregator.Error.nonFinalFragmentSizeIsTooSmall:
      sendClosing(
        PageRefusal.tooLarge.code, PageRefusal.tooLarge.reason, after: Self.timeOfReading)
    case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is FrameRules.Violation:
      sendClosing(.protocolError, PageRefusal.misuse.reason)
    default: context.close(promise: nil)
    }
  }
}
