import NIOCore
import NIOWebSocket

/// Why a page that was served by this server or an earlier one may not connect, or not stay
/// connected.
///
/// Browsers hide the response to a failed handshake from pages. So the handshake is completed, and
/// the reason is sent in the frame that closes the connection at once.
enum PageRefusal: String, CaseIterable {
  case full
  case overShare
  /// The process of the page's session has ended.
  case broken
  case startedAgain
  case notLetIn
  case otherVersion
  case tooLarge
  case misuse

  /// At most 123 bytes of text that the page shows.
  var reason: String {
    switch self {
    case .full:
      "As many browsers show this app as may at once. This page comes in when another one leaves."
    case .overShare:
      "This browser or address has its share of the app's places. Close another of its pages."
    case .broken: "The app stopped unexpectedly. It begins again with what it had kept last."
    case .startedAgain:
      "The app was started again. To go on, open the address that it has printed."
    case .notLetIn: "The app does not let you in any more. Load this page again."
    case .otherVersion:
      "The app runs in another version. Copy what you have typed last, and load this page again."
    case .tooLarge: "The app has closed the connection: it does not take messages of that size."
    case .misuse: "The app has closed the connection: it does not know what this page has sent."
    }
  }

  /// Tells the page's script whether to reload itself, and whether the app rejects its last
  /// message.
  var code: WebSocketErrorCode {
    switch self {
    case .otherVersion: WebSocketErrorCode(codeNumber: 4001)
    case .tooLarge: .messageTooLarge
    case .misuse: .policyViolation
    case .full, .overShare, .broken, .startedAgain, .notLetIn: WebSocketErrorCode(codeNumber: 4000)
    }
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
