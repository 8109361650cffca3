import CTideSystem

/// A running HTTP request.
///
/// Its methods may be called at any time on the loop's thread, also from its own handlers.
package final class HTTPTransfer {
  package typealias Completion = (Result<HTTPResponse, HTTPFailure>) -> Void

  private weak var client: HTTPClient?
  private var request: HTTPRequest
  private var onHead: ((HTTPResponse) -> Void)?
  private var onData: ((UnsafeRawBufferPointer) -> Bool)?
  private var completion: Completion?
  private let deadline: Double?
  private let account: MemoryAccount

  /// libcurl's handle; nil before the first request and after the last.
  private var handle: OpaquePointer?
  private var url: HTTPURL?
  /// The host and port to connect to: the server's or the proxy's.
  private var peer: (host: String, port: Int) = ("", 0)
  /// A copy of the request's body for libcurl.
  private var sent: UnsafeMutableRawBufferPointer?
  private var redirects = 0

  private var head = HTTPHead()
  private var isHeadTold = false
  /// The collected body, or the bytes waiting for `onData`.
  private var body: ReceivedBytes
  /// The bytes being delivered to `onData`, and the number already delivered.
  private var given: (bytes: ReceivedBytes, count: Int)?
  /// The memory reservation of the request's body.
  private let sentMemory: MemoryReservation
  /// The number of bytes to reserve before reading more of the body.
  private var missing = 0
  private var isWaitingForMemory = false
  /// The number of bytes of a redirect's body that were discarded.
  private var wasted = 0
  /// Whether libcurl is paused until `tide_http_resume`.
  private var isHeldBack = false
  private var refusal: HTTPFailure?
  /// The reason why the client stopped reading the response.
  private var rejection: HTTPFailure?
  private var outcome: (code: Int32, number: Int32, detail: String)?

  /// Whether the completion has been called.
  package var isOver: Bool { completion == nil }
  package private(set) var isPaused = false
  /// Whether it is in the client's list of transfers with pending events.
  var isTouched = false

  /// The number of buffered bytes of a streamed body beyond which reading is paused.
  private static let mostWaiting = 256 << 10
  /// The number of bytes of a streamed body delivered at a time. Each byte may be a line or an
  /// event, and other due work must not wait for hundreds of thousands of them.
  private static let mostTold = 8 << 10
  /// The number of bytes of a redirect's body to read, so that the connection can be reused.
  private static let mostWasted = 64 << 10

  init(
    _ client: HTTPClient, _ request: HTTPRequest, onHead: ((HTTPResponse) -> Void)?,
    onData: ((UnsafeRawBufferPointer) -> Bool)?, _ completion: @escaping Completion
  ) {
    self.client = client
    self.request = request
    self.onHead = onHead
    self.onData = onData
    self.completion = completion
    account = client.memory?.account ?? MemoryAccount(limit: 0)
    body = ReceivedBytes(account)
    sentMemory = MemoryReservation(account)
    deadline = request.timeout.map { EventLoop.monotonicTime() + ($0 > 0 ? min($0, 1e9) : 0) }
  }

  deinit { sent?.deallocate() }

  // MARK: Control

  /// Cancels the request. Calls the completion with `cancelled` before returning, unless it has
  /// already been called.
  package func cancel() { end(.failure(.cancelled)) }

  /// Pauses reading the response until `resume`. The time limit keeps running.
  package func pause() { isPaused = true }

  package func resume() {
    guard isPaused else { return }
    isPaused = false
    client?.deliverLater(self)
  }

  // MARK: Requests

  /// Starts the first request. Throws if it is invalid.
  func begin() throws(HTTPFailure) {
    if let problem = request.problem { throw problem }
    if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil) {
      guard client?.memory?.hold(2 * body.count, in: sentMemory) ?? true else {
        throw HTTPFailure(.noMemory, "not enough memory for the request's body")
      }
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
      copy.copyBytes(from: body)
      sent = copy
      request.body = nil
      sentMemory.shrink(to: body.count)
    }
    try ask(HTTPURL(request.url))
  }

  private func ask(_ url: HTTPURL) throws(HTTPFailure) {
    guard let client else { throw .cancelled }
    self.url = url
    if let refusal = request.admit(url.host, url.port) { throw HTTPFailure(.notAllowed, refusal) }
    peer = (url.host, url.port)
    let proxy = client.proxies.proxy(scheme: url.scheme, host: url.host)
    if let proxy { try use(proxy) }
    body.removeAll()
    (head, isHeadTold, wasted, missing) = (HTTPHead(), false, 0, 0)
    (isHeldBack, refusal, rejection, outcome) = (false, nil, nil, nil)
    let left = deadline.map { Int(max(1, ($0 - EventLoop.monotonicTime()) * 1000)) }
    let patience = request.connectTimeout
    handle = try client.add(
      request, url, sent, proxy: proxy ?? "", milliseconds: left ?? 0,
      connectMilliseconds: patience > 0 ? Int(max(1, min(patience, 1e6) * 1000)) : 1, for: self)
  }

  private func use(_ proxy: String) throws(HTTPFailure) {
    let address: HTTPURL
    do { address = try HTTPURL(proxy, isProxy: true) } catch {
      throw HTTPFailure(.badURL, "the proxy that the environment names: \(error.message)")
    }
    let usual = address.scheme == "https" ? 443 : 1080
    peer = (address.host, address.port > 0 ? address.port : usual)
    if let refusal = request.admit(peer.host, peer.port) {
      throw HTTPFailure(.notAllowed, "the proxy that the environment names: \(refusal)")
    }
  }

  private func follow(_ target: String) throws(HTTPFailure) {
    guard let url else { return }
    redirects += 1
    if redirects > request.mostRedirects {
      throw HTTPFailure(
        .tooManyRedirects, "\(url.server) redirected more than \(request.mostRedirects) times")
    }
    let next = try HTTPURL(target, from: url)
    if url.scheme == "https", next.scheme == "http" {
      throw HTTPFailure(
        .notAllowed, "\(url.server) redirects from https to http, where anybody could read along")
    }
    if request.follow(status: head.status, toOtherServer: !url.isOnSameServer(as: next)) {
      sent?.deallocate()
      sent = nil
      sentMemory.shrink(to: 0)
    }
    try ask(next)
  }

  // MARK: Callbacks of libcurl

  func admits(_ address: String, _ port: Int32) -> Bool {
    guard let reason = request.admitAddress(peer.host, address, Int(port)) else { return true }
    refusal = HTTPFailure(.notAllowed, reason)
    return false
  }

  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    guard head.take(line) else {
      rejection = .headTooLarge(server)
      return false
    }
    guard head.isComplete, !isHeadTold, target == nil else { return true }
    if onData == nil, let declared = head.declaredBytes(method: request.method),
      declared > request.mostBytes
    {
      rejection = tooLarge("has \(declared) bytes")
      return false
    }
    client?.touch(self)
    return true
  }

  func takeBody(_ bytes: UnsafeRawBufferPointer) -> TideHTTPAnswer {
    if target != nil {
      wasted += bytes.count
      return wasted <= Self.mostWasted ? TIDE_HTTP_GO_ON : TIDE_HTTP_STOP
    }
    if isPaused || onData != nil && body.count + (given?.bytes.count ?? 0) >= Self.mostWaiting {
      isHeldBack = true
      return TIDE_HTTP_HOLD_BACK
    }
    if onData == nil, bytes.count > request.mostBytes - body.count {
      rejection = tooLarge("goes on")
      return TIDE_HTTP_STOP
    }
    // Reserves the declared length at once, to avoid growing the buffer.
    let declared = onData == nil ? head.declaredBytes(method: request.method) ?? 0 : 0
    let wanted = max(bytes.count, min(declared, request.mostBytes) - body.count)
    guard body.reserve(wanted) == .granted else {
      // libcurl would keep decompressing into its own buffer, and a small chunk may expand a
      // thousandfold.
      if head.value("content-encoding") != nil {
        rejection = noMemory
        return TIDE_HTTP_STOP
      }
      missing = wanted
      isHeldBack = true
      client?.touch(self)
      return TIDE_HTTP_HOLD_BACK
    }
    body.append(bytes)
    if onData != nil { client?.touch(self) }
    return TIDE_HTTP_GO_ON
  }

  func hasEnded(_ code: Int32, _ number: Int32, _ detail: String) {
    outcome = (code, number, detail)
    client?.touch(self)
  }

  private func tooLarge(_ what: String) -> HTTPFailure {
    HTTPFailure(
      .tooLarge,
      "the body from \(server) \(what), and \(request.mostBytes) are the most; allow more or ask for less"
    )
  }

  private var server: String { url?.server ?? "" }

  private var target: String? {
    request.mostRedirects > 0 && head.isComplete ? head.target : nil
  }

  // MARK: Delivery

  /// Calls the handlers for pending events. The client calls it only while libcurl is not running.
  func deliver() {
    if isOver { return }
    if head.isComplete, !isHeadTold, target == nil {
      isHeadTold = true
      onHead?(response([]))
    }
    if isOver || isPaused { return }
    if let onData, given != nil || body.count > 0 {
      if !tellPart(onData) { cancel() }
      if isOver || isPaused { return }
      if given != nil || body.count > 0 {
        client?.deliverLater(self)
        return
      }
    }
    if let outcome {
      finish(outcome.code, outcome.number, outcome.detail)
    } else if isHeldBack, let handle, hasMemory() {
      isHeldBack = false
      client?.work { tide_http_resume(handle) }
    }
  }

  /// Delivers the next part of a streamed body. Returns false if the handler cancels.
  private func tellPart(_ onData: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    let (bytes, start) = given ?? (body, 0)
    if given == nil { body = ReceivedBytes(account) }
    let end = min(start + Self.mostTold, bytes.count)
    given = end < bytes.count ? (bytes, end) : nil
    return bytes.bytes.withUnsafeBytes { onData(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Reserves memory for the next part of the body. Returns false if the transfer has to wait, or
  /// has ended.
  private func hasMemory() -> Bool {
    if isWaitingForMemory { return false }
    guard missing > 0, let memory = client?.memory else { return true }
    let (part, wanted) = (body, missing)
    missing = 0
    let answer = memory.grow({ part.reserve(wanted) }) { [weak self] hasRoom in
      guard let self, isWaitingForMemory else { return part.removeAll() }
      isWaitingForMemory = false
      if !hasRoom { return endWithoutMemory() }
      client?.deliverLater(self)
    }
    switch answer {
    case .now: return true
    case .later: isWaitingForMemory = true
    case .never: endWithoutMemory()
    }
    return false
  }

  private func endWithoutMemory() { end(.failure(noMemory)) }

  private var noMemory: HTTPFailure {
    HTTPFailure(.noMemory, "not enough memory for the body from \(server)")
  }

  private func finish(_ code: Int32, _ number: Int32, _ detail: String) {
    do throws(HTTPFailure) {
      if let target, code == 0 || wasted > Self.mostWasted {
        release()
        return try follow(target)
      }
      if let rejection { throw rejection }
      if code == 7, let refusal { throw refusal }
      guard code == 0 else {
        throw HTTPFailure.of(
          code: code, number: number, detail: detail, host: peer.host, server: server,
          hasHead: head.isComplete)
      }
      // Without a head, libcurl reports success with an empty body.
      guard head.isComplete else { throw .cut(server, hasHead: false) }
      end(.success(response(onData == nil ? body.finish() : [], body.reservation)))
    } catch {
      end(.failure(error))
    }
  }

  private func response(
    _ body: [UInt8], _ reservation: MemoryReservation? = nil
  ) -> HTTPResponse {
    HTTPResponse(
      status: head.status, headers: head.headers, body: body, url: url?.text ?? request.url,
      reservation: reservation)
  }

  func end(_ result: Result<HTTPResponse, HTTPFailure>) {
    guard let completion else { return }
    self.completion = nil
    onHead = nil
    onData = nil
    release()
    isWaitingForMemory = false
    // A delivered response holds its own memory. A partial body is useless, and the receiver of the
    // error may need the memory.
    if case .failure = result { body.removeAll() }
    body = ReceivedBytes(account)
    given = nil
    sentMemory.shrink(to: 0)
    client?.forget(self)
    completion(result)
  }

  /// Releases libcurl's handle.
  private func release() {
    guard let handle else { return }
    self.handle = nil
    if let client { client.remove(handle, of: self) } else { tide_http_remove(handle) }
  }
}
