import NIOCore
import NIOWebSocket

/// Refuses frames that violate the protocol but pass the decoder: frames without a mask, or with a
/// bit of an extension that was not negotiated (RFC 6455, 5.1 and 5.2).
///
/// It precedes the aggregator of fragments, which removes the mask and the bits.
final class FrameRules: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// A frame violates the rules.
  struct Violation: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return context.fireErrorCaught(Violation())
    }
    context.fireChannelRead(data)
  }
}
