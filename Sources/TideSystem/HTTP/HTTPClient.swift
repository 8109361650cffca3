import CTideSystem

/// Sends requests and takes the answers in turns of an event loop.
///
/// ```swift
/// let client = HTTPClient(loop: loop)
/// client.start(HTTPRequest(url: "https://example.com")) { result in
///   if case .success(let response) = result { print(response.status, response.body.count) }
/// }
/// ```
///
/// It uses libcurl, which is opened at the first request, or by ``prepare()``. Everything runs on
/// the loop's thread. Connections are kept open and used again; at most 64 are open at a time, 32
/// to one host, and further requests wait. There are no cookies, no passwords from
/// files, and no cache.
///
/// With a virtual clock servers take as long as they take, so such a loop does not rest meanwhile.
package final class HTTPClient {
  private let loop: EventLoop
  private let keepsRunning: Bool
  /// The proxies by which hosts are reached; those of the environment at first.
  package var proxies = HTTPProxies.ofEnvironment
  /// A file of certificates that is trusted in place of the system's.
  package var authorities: String?

  /// Nil before the first request.
  private var raw: OpaquePointer?
  private var transfers: [ObjectIdentifier: HTTPTransfer] = [:]
  private var watch: DescriptorWatch?
  private var timer: LoopTimer?
  /// Whether libcurl is at work, and must not be called.
  private var isWorking = false
  /// Those that ended while libcurl still knew them, and might call them.
  private var endedMeanwhile: [(handle: OpaquePointer, transfer: HTTPTransfer)] = []
  /// Those that have something to tell.
  private var touched: [HTTPTransfer] = []
  private var isDelivering = false

  /// Opens nothing yet.
  ///
  /// - Parameter keepsRunning: whether the loop's `hasWork` counts requests that are under way.
  package init(loop: EventLoop, keepsRunning: Bool = true) {
    self.loop = loop
    self.keepsRunning = keepsRunning
  }

  deinit {
    watch?.cancel()
    for transfer in transfers.values { transfer.cancel() }
    if let raw { tide_http_free(raw) }
    // libcurl may have set it until then.
    timer?.cancel()
  }

  /// Opens libcurl, which reads its own files and those of its libraries; later may be too late.
  package static func prepare() throws(HTTPFailure) {
    if let reason = tide_http_load() { throw .noLibrary(String(cString: reason)) }
  }

  /// Where the memory of bodies is reserved that are being sent or collected; nil for no limit.
  package var memory: MemoryQueue?

  /// How many requests are under way.
  package var count: Int { transfers.count }

  /// Sends a request. What it calls is called in later turns of the loop.
  ///
  /// - Parameters:
  ///   - onHead: gets the answer without its body, once; not for redirects that are followed.
  ///   - onData: gets the body in parts as they come, in place of collecting them, of any length;
  ///     false cancels. Whoever cannot keep up pauses the transfer.
  ///   - completion: called once, whatever happens.
  @discardableResult
  package func start(
    _ request: HTTPRequest, onHead: ((HTTPResponse) -> Void)? = nil,
    onData: ((UnsafeRawBufferPointer) -> Bool)? = nil,
    completion: @escaping HTTPTransfer.Completion
  ) -> HTTPTransfer {
    let transfer = HTTPTransfer(self, request, onHead: onHead, onData: onData, completion)
    transfers[ObjectIdentifier(transfer)] = transfer
    do throws(HTTPFailure) {
      try open()
      try transfer.begin()
    } catch {
      loop.after(0, keepsRunning: keepsRunning) { transfer.end(.failure(error)) }
    }
    return transfer
  }

  private func open() throws(HTTPFailure) {
    if raw == nil {
      try Self.prepare()
      var events = Self.events
      raw = tide_http_make(&events, Unmanaged.passUnretained(self).toOpaque())
    }
    guard let raw else {
      throw HTTPFailure(.other, "requests cannot be made: \(SystemText.of(errno))")
    }
    guard watch == nil else { return }
    do {
      watch = try loop.watch(
        descriptor: tide_http_descriptor(raw), keepsRunning: keepsRunning
      ) { [weak self] in self?.run(isDue: false) }
    } catch {
      throw HTTPFailure(.other, error.message)
    }
  }

  // MARK: libcurl

  private func run(isDue: Bool) {
    guard let raw else { return }
    work { tide_http_run(raw, isDue) }
    deliver()
  }

  /// Has libcurl do something that may call the functions below.
  func work(_ body: () -> Void) {
    let wasWorking = isWorking
    isWorking = true
    body()
    isWorking = wasWorking
    if isWorking { return }
    let ended = endedMeanwhile
    endedMeanwhile = []
    for (handle, _) in ended { tide_http_remove(handle) }
  }

  func add(
    _ request: HTTPRequest, _ url: HTTPURL, _ body: UnsafeMutableRawBufferPointer?, proxy: String,
    milliseconds: Int, connectMilliseconds: Int, for transfer: HTTPTransfer
  ) throws(HTTPFailure) -> OpaquePointer {
    guard let raw, !isWorking else { throw HTTPFailure(.other, "requests cannot be made now") }
    let strings = ([request.method, proxy] + request.lines).map { strdup($0) }
    let authorities = authorities.flatMap { strdup($0) }
    defer {
      for string in strings { free(string) }
      free(authorities)
    }
    let texts = strings.compactMap { UnsafePointer($0) }
    var lines = texts.dropFirst(2).map { Optional($0) } + [nil]
    var handle: OpaquePointer?
    if texts.count == strings.count {
      lines.withUnsafeMutableBufferPointer { lines in
        var copied = TideHTTPRequest(
          url: url.raw, method: texts[0], headers: lines.baseAddress, body: body?.baseAddress,
          bodyCount: body.map { Int64($0.count) } ?? -1, proxy: texts[1], authorities: authorities,
          milliseconds: milliseconds, connectMilliseconds: connectMilliseconds)
        work {
          handle = tide_http_add(raw, &copied, Unmanaged.passUnretained(transfer).toOpaque())
        }
      }
    }
    guard let handle else { throw HTTPFailure(.other, "not enough memory for the request") }
    return handle
  }

  func remove(_ handle: OpaquePointer, of transfer: HTTPTransfer) {
    if isWorking { endedMeanwhile.append((handle, transfer)) } else { tide_http_remove(handle) }
  }

  private func schedule(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    guard milliseconds >= 0 else { return }
    timer = loop.after(Double(milliseconds) / 1000, keepsRunning: false) { [weak self] in
      self?.timer = nil
      self?.run(isDue: true)
    }
  }

  private static let events = TideHTTPEvents(
    schedule: { context, milliseconds in
      Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue().schedule(milliseconds)
    },
    admits: { transfer, address, port in
      HTTPClient.transfer(transfer).admits(String(cString: address), port)
    },
    took_line: { transfer, bytes, count in
      HTTPClient.transfer(transfer).takeLine(UnsafeRawBufferPointer(start: bytes, count: count))
    },
    took_body: { transfer, bytes, count in
      HTTPClient.transfer(transfer).takeBody(UnsafeRawBufferPointer(start: bytes, count: count))
    },
    ended: { transfer, code, number, detail in
      HTTPClient.transfer(transfer).hasEnded(code, number, String(cString: detail))
    })

  /// The client holds it as long as libcurl knows it.
  private static func transfer(_ context: UnsafeMutableRawPointer) -> HTTPTransfer {
    Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Telling

  func touch(_ transfer: HTTPTransfer) {
    if transfer.isTouched { return }
    transfer.isTouched = true
    touched.append(transfer)
  }

  func deliverLater(_ transfer: HTTPTransfer) {
    touch(transfer)
    if isDelivering || isWorking { return }
    loop.after(0, keepsRunning: keepsRunning) { [weak self] in self?.deliver() }
  }

  /// Tells what has come. Of many answers at once some wait for the next turn, so that what else
  /// is due is not kept waiting by all of them.
  private func deliver() {
    // What is told may turn the loop itself.
    if isDelivering { return }
    isDelivering = true
    let end = EventLoop.monotonicTime() + Self.slice
    var told = 0
    while told < touched.count {
      let transfer = touched[told]
      told += 1
      transfer.isTouched = false
      transfer.deliver()
      if EventLoop.monotonicTime() >= end { break }
    }
    touched.removeFirst(told)
    isDelivering = false
    if !touched.isEmpty {
      loop.after(0, keepsRunning: keepsRunning) { [weak self] in self?.deliver() }
    }
    rest()
  }

  /// The time for answers in a turn, in seconds.
  private static let slice = 0.001

  func forget(_ transfer: HTTPTransfer) {
    transfers[ObjectIdentifier(transfer)] = nil
    if !isDelivering { rest() }
  }

  /// Connections that are idle are none of the loop's business.
  private func rest() {
    guard transfers.isEmpty, !isWorking else { return }
    watch?.cancel()
    watch = nil
  }
}
