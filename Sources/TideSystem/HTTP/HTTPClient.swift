import CTideSystem

/// Sends HTTP requests and processes responses in turns of an event loop.
///
/// ```swift
/// let client = HTTPClient(loop: loop)
/// client.start(HTTPRequest(url: "https://example.com")) { result in
///   if case .success(let response) = result { print(response.status, response.body.count) }
/// }
/// ```
///
/// It uses libcurl, which is loaded at the first request, or by ``prepare()``. Everything runs on
/// the loop's thread. Connections are kept open for reuse, at most 64 in total and 32 per host;
/// further requests wait. There are no cookies, no passwords from files, and no cache.
///
/// Responses arrive in real time even with a virtual clock; such a loop keeps polling meanwhile.
package final class HTTPClient {
  private let loop: EventLoop
  private let keepsRunning: Bool
  /// The proxies for hosts; initially those of the environment.
  package var proxies = HTTPProxies.ofEnvironment
  /// A file of trusted certificates, instead of the system's.
  package var authorities: String?

  /// Nil before the first request.
  private var raw: OpaquePointer?
  private var transfers: [ObjectIdentifier: HTTPTransfer] = [:]
  private var watch: DescriptorWatch?
  private var timer: LoopTimer?
  /// Whether libcurl is running, and must not be called.
  private var isWorking = false
  /// Transfers that ended while libcurl was running and could still call them.
  private var endedMeanwhile: [(handle: OpaquePointer, transfer: HTTPTransfer)] = []
  /// Transfers with events to deliver.
  private var touched: [HTTPTransfer] = []
  private var isDelivering = false

  /// Creates a client without loading libcurl.
  ///
  /// - Parameter keepsRunning: whether running requests count for the loop's `hasWork`.
  package init(loop: EventLoop, keepsRunning: Bool = true) {
    self.loop = loop
    self.keepsRunning = keepsRunning
  }

  deinit {
    watch?.cancel()
    for transfer in transfers.values { transfer.cancel() }
    if let raw { tide_http_free(raw) }
    // libcurl may have set the timer until then.
    timer?.cancel()
  }

  /// Loads libcurl, which reads configuration files. Call it before confining the process.
  package static func prepare() throws(HTTPFailure) {
    if let reason = tide_http_load() { throw .noLibrary(String(cString: reason)) }
  }

  /// The queue that reserves memory for bodies being sent or collected; nil for no limit.
  package var memory: MemoryQueue?

  /// The number of running requests.
  package var count: Int { transfers.count }

  /// Starts a request. Handlers are called in later turns of the loop.
  ///
  /// - Parameters:
  ///   - onHead: receives the response without its body, once; not called for redirects that are
  ///     followed.
  ///   - onData: receives the body in chunks of any length, instead of collecting it. Returning
  ///     false cancels the transfer. Pause the transfer to slow it down.
  ///   - completion: called exactly once.
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

  /// Runs libcurl, which may call the functions below.
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

  /// The client retains the transfer while libcurl refers to it.
  private static func transfer(_ context: UnsafeMutableRawPointer) -> HTTPTransfer {
    Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Delivery

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

  /// Delivers pending events. When the time slice is used up, the rest waits for the next turn, so
  /// that other due work is not delayed.
  private func deliver() {
    // A handler may run the loop itself.
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

  /// The time slice for delivering events in a turn, in seconds.
  private static let slice = 0.001

  func forget(_ transfer: HTTPTransfer) {
    transfers[ObjectIdentifier(transfer)] = nil
    if !isDelivering { rest() }
  }

  /// Stops watching idle connections.
  private func rest() {
    guard transfers.isEmpty, !isWorking else { return }
    watch?.cancel()
    watch = nil
  }
}
