import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers plain requests: with the page and its files, to who may have them.
final class PageRequests: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let rules: RequestRules
  private let files: PageFiles

  init(_ rules: RequestRules, _ files: PageFiles) {
    self.rules = rules
    self.files = files
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer(head, context)
    // Nothing that the server gives needs one.
    case .body: context.close(promise: nil)
    case .end: break
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // A connection that was not made comes here as well.
    let isConnection = PageServer.isConnection(head.uri)
    switch rules.verdict(on: head, needsOrigin: isConnection) {
    case .refused(let status, let reason): send(head, status, [:], text: reason, context)
    case .newcomer:
      let cookie = "\(rules.cookie)=\(rules.token); HttpOnly; SameSite=Strict; Path=/"
      send(head, .seeOther, ["location": "/", "set-cookie": cookie], text: "", context)
    case .allowed where isConnection:
      send(
        head, .serviceUnavailable, [:], text: "As many browsers are connected as may be.", context)
    case .allowed:
      guard let file = files.file(head.uri) else {
        return send(head, .notFound, [:], text: "There is nothing here.", context)
      }
      send(
        head, .ok,
        [
          "content-type": file.type,
          "cache-control": file.isKept ? "public, max-age=31536000, immutable" : "no-store",
        ], file.content, context)
    }
  }

  private func send(
    _ head: HTTPRequestHead, _ status: HTTPResponseStatus, _ headers: HTTPHeaders, text: String,
    _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(name: "content-type", value: "text/plain; charset=utf-8")
    headers.add(name: "cache-control", value: "no-store")
    send(head, status, headers, ByteBuffer(string: text), context)
  }

  private func send(
    _ head: HTTPRequestHead, _ status: HTTPResponseStatus, _ headers: HTTPHeaders,
    _ content: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(contentsOf: Self.security)
    headers.add(name: "content-length", value: "\(content.readableBytes)")
    if status != .ok && status != .seeOther { headers.add(name: "connection", value: "close") }
    let response = HTTPResponseHead(version: head.version, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(content))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private static let security: HTTPHeaders = [
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
      + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  ]

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A refused upgrade comes here and then goes on as a plain request, which is answered with why.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }
}
