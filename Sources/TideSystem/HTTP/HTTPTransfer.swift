import CTideSystem

/// A request that is under way.
///
/// Its functions may be called at any time on the loop's thread, also by what it calls itself.
package final class HTTPTransfer {
  package typealias Completion = (Result<HTTPResponse, HTTPFailure>) -> Void

  private weak var client: HTTPClient?
  private var request: HTTPRequest
  private var onHead: ((HTTPResponse) -> Void)?
  private var onData: ((UnsafeRawBufferPointer) -> Bool)?
  private var completion: Completion?
  private let deadline: Double?
  private let account: MemoryAccount

  /// libcurl's part; nil before the first request and after the last.
  private var handle: OpaquePointer?
  private var url: HTTPURL?
  /// Host and port to which connections are made: the server's or the proxy's.
  private var peer: (host: String, port: Int) = ("", 0)
  /// The request's body where libcurl reads it.
  private var sent: UnsafeMutableRawBufferPointer?
  private var redirects = 0

  private var head = HTTPHead()
  private var isHeadTold = false
  /// The body, or what of it waits for `onData`.
  private var body: ReceivedBytes
  /// What `onData` is being given, part by part, and how much of it that has had.
  private var given: (bytes: ReceivedBytes, count: Int)?
  /// The memory of the request's body.
  private let sentMemory: MemoryReservation
  /// How much of the body must be reserved before more of it is read.
  private var missing = 0
  private var isWaitingForMemory = false
  /// How much of a redirect's body has been thrown away.
  private var wasted = 0
  /// Whether libcurl waits for `tide_http_resume`.
  private var isHeldBack = false
  private var refusal: HTTPFailure?
  /// Why this side stopped reading the response.
  private var rejection: HTTPFailure?
  private var outcome: (code: Int32, number: Int32, detail: String)?

  /// Whether the completion has been called.
  package var isOver: Bool { completion == nil }
  package private(set) var isPaused = false
  /// Whether it is in the client's list of those that have something to tell.
  var isTouched = false

  /// How much of a streamed body is kept before more of it is read.
  private static let mostWaiting = 256 << 10
  /// How much of a streamed body is told at a time: each byte may be a line or an event, and what
  /// else is due must not wait for hundreds of thousands of them.
  private static let mostTold = 8 << 10
  /// How much of a redirect's body is read so that the connection can be used again.
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

  // MARK: For the one who asked

  /// Ends it; the completion is called with `cancelled` before this returns, unless it has been.
  package func cancel() { end(.failure(.cancelled)) }

  /// Reads no more of the answer until `resume`. The time limit counts on.
  package func pause() { isPaused = true }

  package func resume() {
    guard isPaused else { return }
    isPaused = false
    client?.deliverLater(self)
  }

  // MARK: Requests

  /// Makes the first request, or fails.
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

  // MARK: What libcurl calls

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
    // A length that the server tells is reserved at once, so that the body need not grow.
    let declared = onData == nil ? head.declaredBytes(method: request.method) ?? 0 : 0
    let wanted = max(bytes.count, min(declared, request.mostBytes) - body.count)
    guard body.reserve(wanted) == .granted else {
      // libcurl would go on decompressing into a buffer of its own, where one part becomes a
      // thousand times as much.
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

  // MARK: Telling

  /// Calls those who wait for what has come. The client calls it while libcurl does nothing.
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

  /// Tells the next part of a streamed body; false where nobody wants more of it.
  private func tellPart(_ onData: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    let (bytes, start) = given ?? (body, 0)
    if given == nil { body = ReceivedBytes(account) }
    let end = min(start + Self.mostTold, bytes.count)
    given = end < bytes.count ? (bytes, end) : nil
    return bytes.bytes.withUnsafeBytes { onData(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  /// Reserves what the next part of the body needs; false where that has to be waited for, or has
  /// ended the transfer.
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
      // libcurl takes it for an answer without a body.
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
    // What is handed on holds its memory by itself. Part of a body is of no use, and the receiver
    // of the error may need the memory.
    if case .failure = result { body.removeAll() }
    body = ReceivedBytes(account)
    given = nil
    sentMemory.shrink(to: 0)
    client?.forget(self)
    completion(result)
  }

  /// Lets go of libcurl's part.
  private func release() {
    guard let handle else { return }
    self.handle = nil
    if let client { client.remove(handle, of: self) } else { tide_http_remove(handle) }
  }
}
