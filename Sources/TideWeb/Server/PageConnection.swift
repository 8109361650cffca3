import NIOCore
import NIOWebSocket
import Synchronization
import TideScript
import TideValues

/// A page's WebSocket connection, on the network's thread.
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
  /// The person or browser that holds the viewer's place.
  let holder: PlaceHolder
  /// The person at the page.
  let person: Viewer
  private let channel: any Channel
  /// Asks whether the host still admits the person; nil if the host does not decide.
  private let admission: Admission?
  private let report: @Sendable (PageConnection, Report) -> Void
  private let outbox = Guarded(Outbox())
  /// Bytes of messages that the app has not handled yet.
  private let unread = Atomic<Int>(0)
  private let isEnding = Atomic(false)
  /// Whether received frames are dropped.
  private let isDeaf = Atomic(false)

  typealias Admission = @Sendable () -> EventLoopFuture<Bool>

  enum Report: Sendable {
    case opened
    case message([UInt8])
    /// A message that `send` had accepted was dropped.
    case fellBehind
    /// All accepted messages have been written, after a message was dropped.
    case caughtUp
    case closed
  }

  /// Messages on their way to the viewer.
  private struct Outbox {
    /// Messages that the server's thread has not fetched yet.
    var messages: [ByteBuffer] = []
    /// Bytes of accepted messages that are not written yet.
    var waiting = 0
    /// A message was dropped, because too much was waiting.
    var hasDropped = false
    /// Whether the server's thread is scheduled to fetch the messages.
    var isTaken = false
  }

  /// Bytes that may wait for a slow viewer. Further messages are dropped, and the viewer later
  /// receives the whole tree.
  private static let mostWaiting = 128 << 10
  /// Unhandled bytes at which reading pauses. A page sends some tens of bytes for each key.
  private static let mostUnread = 256 << 10
  /// Bytes that a message counts in addition to its text.
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
      // A single large message, such as the whole tree, is sent if nothing else is waiting.
      if outbox.waiting > 0, outbox.waiting + size > Self.mostWaiting {
        outbox.hasDropped = true
        return (false, false)
      }
      outbox.waiting += size
      outbox.messages.append(message.bytes)
      defer { outbox.isTaken = true }
      return (true, !outbox.isTaken)
    }
    // One task for all messages, because the server's thread polls no socket before all tasks are
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

  /// Sends a last message, if any, and closes the connection when it has been written.
  func end(_ message: PageMessage?) {
    channel.eventLoop.execute { [self] in
      writeAll()
      if let message {
        channel.write(WebSocketFrame(fin: true, opcode: .text, data: message.bytes), promise: nil)
      }
      close()
    }
  }

  /// Whether the connection is about to close. The app no longer handles its messages.
  var isClosing: Bool { isEnding.load(ordering: .relaxed) }

  /// Notes that the app handles a message.
  func noteRead(_ bytes: [UInt8]) {
    let (before, now) = unread.subtract(bytes.count + Self.weight, ordering: .relaxed)
    if before >= Self.mostUnread / 2, now < Self.mostUnread / 2 {
      // More messages may have arrived by the time the task runs.
      channel.eventLoop.execute { [self] in
        if unread.load(ordering: .relaxed) < Self.mostUnread / 2 { setReading(true) }
      }
    }
  }

  /// Closes the connection of a page and gives it the reason.
  func refuse(_ refusal: PageRefusal) { close(refusal.code, refusal.reason) }

  /// Closes the connection with a code and an optional reason, which the page shows.
  func close(_ code: WebSocketErrorCode = .goingAway, _ reason: String = "") {
    isEnding.store(true, ordering: .relaxed)
    sendClosing(code, reason)
  }

  /// Sends the close frame, and closes the connection some time after it has been written. Frames
  /// that arrive meanwhile are read and dropped, because a socket closed with unread bytes loses
  /// the data sent last. Messages received before are still handled.
  private func sendClosing(
    _ code: WebSocketErrorCode, _ reason: String, after delay: TimeAmount = .zero
  ) {
    isDeaf.store(true, ordering: .relaxed)
    channel.eventLoop.execute { [self] in
      var data = ByteBuffer()
      data.write(webSocketErrorCode: code)
      data.writeString(reason)
      let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
      // A client that reads nothing must not keep the connection open.
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
    // Pings are sent even while other data is written: only an answer shows that the client is
    // alive.
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

  /// Makes the page reconnect after some minutes. The host decides by the request that opened the
  /// connection, whose headers may be outdated.
  private func endInTime() {
    let age = Self.longestAge - .seconds(.random(in: 0...Self.spreadOfAge))
    let end = channel.eventLoop.scheduleTask(in: age) { [weak self] in self?.close() }
    channel.closeFuture.whenComplete { _ in end.cancel() }
  }

  static let beat = TimeAmount.seconds(20)
  static let longestAge = TimeAmount.minutes(10)
  /// In seconds. Spreads the reconnections of pages that connected at the same time.
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
      // A client that does not read its answers is disconnected.
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
    // Nothing has been received for long, not even the answer to a ping.
    if case .read? = event as? IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The rest of a message that is too large causes errors as well.
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
