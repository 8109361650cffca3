import NIOCore
import NIOHTTP1
import NIOWebSocket
import TideScript

/// Answers plain HTTP requests: sends the page and its files to admitted clients. A client that
/// sends no request for long, or one very slowly, is disconnected.
final class PageRequests: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let rules: RequestRules
  private let files: PageFiles
  /// The time within which a request must arrive, from the start of the connection or from the
  /// previous request.
  private let patience: TimeAmount
  /// The reason to refuse a viewer now; nil if there is none.
  private let refusal: (PlaceHolder) -> PageRefusal?
  private var deadline: Scheduled<Void>?

  init(
    _ rules: RequestRules, _ files: PageFiles, patience: TimeAmount,
    refusal: @escaping (PlaceHolder) -> PageRefusal?
  ) {
    self.rules = rules
    self.files = files
    self.patience = patience
    self.refusal = refusal
  }

  func handlerAdded(context: ChannelHandlerContext) { expectRequest(context) }
  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  private func expectRequest(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer(head, context)
    // No request here needs a body.
    case .body: context.close(promise: nil)
    case .end: break
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    expectRequest(context)
    // A client that reads no answers gets no more of them.
    guard context.channel.isWritable else { return context.close(promise: nil) }
    let target = RequestTarget(head.uri)
    // A failed WebSocket upgrade arrives here as well.
    let isConnection = files.place(ofConnection: target) != nil
    let verdict = rules.verdict(on: head, needsOrigin: isConnection)
    guard verdict == .undecided else { return answer(head, target, verdict, context) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    rules.askHook(about: head, on: context.channel).whenComplete { result in
      let (handler, context) = bound.value
      guard context.channel.isActive else { return }
      let person = (try? result.get()) ?? nil
      handler.answer(head, target, handler.rules.verdict(on: head, of: person), context)
    }
  }

  private func answer(
    _ head: HTTPRequestHead, _ target: RequestTarget, _ verdict: RequestRules.Verdict,
    _ context: ChannelHandlerContext
  ) {
    switch verdict {
    case .undecided: break
    case .refused(.forbidden, _) where head.isFromAnotherSite && target.page != nil,
      .stranger where head.isFromAnotherSite && target.page != nil:
      if let address = target.again { sendOnward(head, address, [:], context) }
    case .stranger:
      send(
        head, .forbidden, [:],
        text: target.page == .inspector
          ? "Open the inspector's address that was printed: it has a token of its own."
          : "Open the address that was printed when the app was started: it has a token.", context)
    case .refused(let status, let reason): send(head, status, [:], text: reason, context)
    case .newcomer(let cookie):
      guard let page = target.withoutToken else { return sendNothing(head, context) }
      var headers: HTTPHeaders = [:]
      if let cookie { headers.add(name: "set-cookie", value: cookie) }
      headers.add(name: "location", value: page)
      send(head, .seeOther, headers, text: "", context)
    case .allowed(let admitted): give(head, target, admitted, context)
    }
  }

  private func give(
    _ head: HTTPRequestHead, _ target: RequestTarget, _ admitted: RequestRules.Admitted,
    _ context: ChannelHandlerContext
  ) {
    if files.place(ofConnection: target) != nil {
      if let refusal = refusal(rules.holder(admitted, of: context.channel)) {
        return send(head, .serviceUnavailable, [:], text: refusal.reason, context)
      }
      return send(
        head, .upgradeRequired, ["upgrade": "websocket", "sec-websocket-version": "13"],
        text: "Pages connect here, by a WebSocket of version 13.", context)
    }
    guard let file = files.file(target.path) else { return sendNothing(head, context) }
    var headers: HTTPHeaders = [
      "content-type": file.type,
      "cache-control": file.isKept ? "public, max-age=31536000, immutable" : "no-store",
    ]
    if let cookie = admitted.cookie { headers.add(name: "set-cookie", value: cookie) }
    send(head, .ok, headers, file.content, context)
  }

  private func sendNothing(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    send(head, .notFound, [:], text: "There is nothing here.", context)
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
    let isLast =
      !head.isKeepAlive || head.isFromAnotherSite || (status != .ok && status != .seeOther)
    if isLast { headers.add(name: "connection", value: "close") }
    let response = HTTPResponseHead(version: head.version, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(content))), promise: nil)
    }
    let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if isLast {
      let channel = context.channel
      written.whenComplete { _ in channel.close(promise: nil) }
    }
  }

  /// Sends a page that repeats the request of a person who followed a link on another site.
  /// Browsers withhold a strict cookie until a page of this server makes the request.
  private func sendOnward(
    _ head: HTTPRequestHead, _ address: String, _ headers: HTTPHeaders,
    _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(name: "content-type", value: "text/html; charset=utf-8")
    headers.add(name: "cache-control", value: "no-store")
    headers.add(name: "refresh", value: "0; url=\(address)")
    send(
      head, .ok, headers, ByteBuffer(string: "<!doctype html><title>…</title>"), context)
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
    // A refused upgrade is reported here. It then continues as a plain request, whose response
    // gives the reason.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }
}

extension RequestRules {
  /// The holder of a place that a connection would take.
  func holder(_ admitted: Admitted, of channel: any Channel) -> PlaceHolder {
    PlaceHolder(
      person: admitted.person, browser: admitted.browser,
      address: tellsAddressesApart ? channel.remoteAddress?.ipAddress : nil)
  }

  /// The person at a page, as scripts read it from `viewer`.
  func person(
    by head: HTTPRequestHead, _ holder: PlaceHolder, on channel: any Channel
  ) -> Viewer {
    Viewer(
      name: holder.person ?? "", address: channel.remoteAddress?.ipAddress ?? "",
      locale: AcceptedLocale.best(in: head.headers))
  }

  /// Asks the host about a connection while it is open; nil if the host does not decide.
  func admission(
    of head: HTTPRequestHead, _ holder: PlaceHolder, on channel: any Channel
  ) -> PageConnection.Admission? {
    guard admits != nil, RequestTarget(head.uri).connection != .inspector || inspector == nil
    else { return nil }
    // Names are compared by bytes, because Swift considers some different names equal.
    let name = holder.person ?? ""
    return {
      askHook(about: head, on: channel).map { $0?.name.utf8.elementsEqual(name.utf8) ?? false }
    }
  }

  /// Asks the host which person a request comes from, if it admits that person. The hook runs on
  /// the server's thread until it first waits.
  func askHook(
    about head: HTTPRequestHead, on channel: any Channel
  ) -> EventLoopFuture<WebPerson?> {
    guard let admits else { return channel.eventLoop.makeSucceededFuture(nil) }
    let request = WebRequest(
      target: head.uri, headers: head.headers.map { ($0.name, $0.value) },
      address: channel.remoteAddress?.ipAddress)
    let promise = channel.eventLoop.makePromise(of: WebPerson?.self)
    // The default executor may not start its threads in a confined process.
    Task(executorPreference: LoopExecutor(loop: channel.eventLoop)) {
      promise.succeed(await admits(request))
    }
    return promise.futureResult
  }
}

/// Runs tasks on a thread of NIO.
private final class LoopExecutor: TaskExecutor {
  private let loop: any NIOCore.EventLoop

  init(loop: any NIOCore.EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
