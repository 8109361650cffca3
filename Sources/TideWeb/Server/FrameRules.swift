import NIOCore
import NIOWebSocket

/// Refuses frames that no browser sends, which the decoder lets through: without a mask, or with a
/// bit of an extension that was not agreed on (RFC 6455, 5.1 and 5.2).
///
/// It comes before fragments are joined, which takes mask and bits away.
final class FrameRules: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// A frame that breaks them.
  struct Violation: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return context.fireErrorCaught(Violation())
    }
    context.fireChannelRead(data)
  }
}
