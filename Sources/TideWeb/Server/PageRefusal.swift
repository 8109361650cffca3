import NIOCore
import NIOWebSocket

/// Why a page that this server or an earlier one has given may not connect, or not go on.
///
/// Browsers do not tell pages the answer to a handshake, so it is made, and the reason stands in
/// the frame that closes the connection at once.
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

  /// At most 123 bytes, which people read in the page.
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

  /// By which the page's script knows that it has to load itself again, or that the app does not
  /// take what it has sent last.
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
