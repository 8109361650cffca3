import NIOCore
import NIOWebSocket

/// Why a page that this server or an earlier one has given may not connect.
///
/// Browsers do not tell pages the answer to a handshake, so it is made, and the reason stands in
/// the frame that closes the connection at once.
enum PageRefusal {
  case full
  case startedAgain
  case notLetIn
  case otherVersion

  /// At most 123 bytes, which people read in the page.
  var reason: String {
    switch self {
    case .full:
      "As many browsers show this app as may at once. This page comes in when another one leaves."
    case .startedAgain:
      "The app was started again. To go on, open the address that it has printed."
    case .notLetIn: "The app does not let you in any more. Load this page again."
    case .otherVersion:
      "The app runs in another version. Copy what you have typed last, and load this page again."
    }
  }

  /// By which the page's script knows that it has to load itself again.
  var code: WebSocketErrorCode {
    WebSocketErrorCode(codeNumber: self == .otherVersion ? 4001 : 4000)
  }
}

/// Ends the connection of a page that is refused.
final class RefusedPage: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let refusal: PageRefusal

  init(_ refusal: PageRefusal) { self.refusal = refusal }

  func handlerAdded(context: ChannelHandlerContext) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: refusal.code)
    data.writeString(refusal.reason)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    let channel = context.channel
    channel.writeAndFlush(frame).whenComplete { _ in channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
