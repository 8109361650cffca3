import TideBindings
import TideScript
import TideSystem

/// The app of one session in a process of its own, a worker, which the server can end.
///
///     a page's connection ──▶ orders ──▶ the worker, with the app
///                         ◀── reports ◀──
///
/// A worker may be controlled by hostile code. Each report is checked, and an invalid one ends the
/// worker. Silence for longer than a script's turn may last also ends it, because native code
/// cannot be stopped otherwise.
final class SessionProcess: SessionHost {
  private let loop: EventLoop
  private let configuration: Configuration
  private let number: Int
  private let process: WorkerProcess
  private let channel: FramedChannel
  private let onEnd: @Sendable (SessionEnding) -> Void
  private let shared: SharedRelay
  private var pages: [Int: Page] = [:]
  /// The pictures that its views show, by the numbers that the worker assigned.
  private var pictures: [Int: KeptPicture] = [:]
  /// Bytes of the stored pictures.
  private var sizeOfPictures = 0
  private var endingWatch: DescriptorWatch?
  private var outputWatch: DescriptorWatch?
  private var heartbeat = WorkerHeartbeat(at: EventLoop.monotonicTime())
  private var beats: LoopTimer?
  private var outputPause: LoopTimer?
  private var lines = LineSplitter(longest: 64 << 10)
  private var outputOfSecond = 0
  /// How the app ended, as the worker reported it.
  private var reportedEnding: SessionEnding?
  /// The reason why it was killed.
  private var killReason: String?
  private var isStopping = false
  private var hasEnded = false
  /// Whether the worker has reported that its app has started.
  private var isReady = false
  private var takeValues: (@Sendable ([UInt8]) -> Void)?
  private(set) var lastValues: [UInt8]?

  /// The configuration that all workers of a server share.
  struct Configuration {
    let pictures: PagePictures
    let options: WorkerOptions
    /// Forks a worker.
    var start: () throws(SystemError) -> WorkerProcess = { () throws(SystemError) in
      try WorkerProcess()
    }
  }

  /// A page, as the worker knows it.
  private struct Page {
    let connection: PageConnection
    /// Messages that the worker has not handled yet, oldest first.
    var unread: [[UInt8]] = []
    /// The number of times that the page has caught up. Messages with an earlier number are
    /// dropped, because others after them were lost.
    var turn = 0
    var isBehind = false
  }

  /// A picture that the server stores; nil if there are too many.
  private struct KeptPicture {
    let picture: (any ShownPicture)?
    let size: Int
  }

  private enum Bounds {
    /// Bytes of the values of all models.
    static let values = 4 << 20
    /// Bytes of all pictures that its views show, and their number.
    static let pictures = 64 << 20
    static let count = 4096
    /// The most pictures that it may report, including those that are not stored.
    static let numbers = 1 << 16
    /// Bytes of the text with which the worker ends a connection.
    static let text = 4 << 10
    /// Bytes that a worker prints in a second.
    static let output = 256 << 10
    /// Bytes of orders that the worker has not received yet.
    static let waiting = 64 << 20
  }

  /// Limits the time for each worker's frames, so that others are not delayed.
  private static let limits = {
    var limits = FramedChannel.Limits()
    limits.timeEachSecond = 0.25
    return limits
  }()

  /// Starts the worker.
  ///
  /// - Parameter onEnd: called once, when the process has ended.
  /// - Throws: `serving` if no further process can be started.
  init(
    _ plan: SessionPlan, _ loop: EventLoop, _ configuration: Configuration, number: Int,
    onEnd: @escaping @Sendable (SessionEnding) -> Void
  ) throws(TideError) {
    self.loop = loop
    self.configuration = configuration
    self.number = number
    self.onEnd = onEnd
    lastValues = plan.kept
    do {
      process = try configuration.start()
      channel = try FramedChannel(loop, process.takeChannel(), Self.limits)
    } catch { throw TideError(.serving, error.message) }
    shared = SharedRelay(loop, configuration.options.shared, channel)
    channel.onFrame = { [unowned self] in receive($0, $1) }
    channel.onEnd = { [unowned self] in channelEnded($0) }
    channel.onDrained = { [unowned self] in shared.deliverAll() }
    do {
      try watchEnding()
      try watchOutput()
    } catch { throw TideError(.serving, error.message) }
    var beginning = WorkerOrder.Beginning()
    beginning.pagePrefix = plan.pagePrefix
    beginning.isDeveloping = plan.isDeveloping
    beginning.kept = plan.kept
    beginning.notice = plan.notice
    beginning.person = plan.person
    beginning.owner = plan.owner
    beginning.largestUpdate = shared.largestUpdate
    beginning.isReadOnly = configuration.options.shared.isReadOnly
    send(.begin(beginning))
    let interval = WorkerHeartbeat.interval
    beats = loop.after(interval, repeating: true, keepsRunning: false) { [unowned self] in
      checkLife()
    }
  }

  deinit { release() }

  private func release() {
    beats?.cancel()
    outputPause?.cancel()
    endingWatch?.cancel()
    outputWatch?.cancel()
    (endingWatch, outputWatch) = (nil, nil)
    channel.close()
    shared.leaveAll()
    process.closeOutput()
    (pictures, sizeOfPictures) = ([:], 0)
  }

  private func send(_ order: WorkerOrder) {
    let (kind, content) = order.frame
    channel.send(kind, content)
    if channel.waitingBytes > Bounds.waiting { kill(because: "takes nothing that it is sent") }
  }

  // MARK: Sessions

  func take(_ report: PageConnection.Report, of connection: PageConnection) {
    let number = connection.number
    switch report {
    case .opened:
      pages[number] = Page(connection: connection)
      send(.opened(number, session: connection.session, person: connection.person))
    case .message(let bytes):
      if connection.isClosing || pages[number] == nil { return connection.noteRead(bytes) }
      pages[number]?.unread.append(bytes)
      heartbeat.ask(at: EventLoop.monotonicTime())
      send(.message(number, bytes))
    case .fellBehind: break
    case .caughtUp:
      guard pages[number] != nil else { return }
      pages[number]?.turn += 1
      pages[number]?.isBehind = false
      send(.caughtUp(number))
    case .closed:
      guard pages.removeValue(forKey: number) != nil else { return }
      send(.closed(number))
    }
  }

  func stop(givingValues take: (@Sendable ([UInt8]) -> Void)?) {
    isStopping = true
    takeValues = take
    send(.stop(givesValues: take != nil))
    let deadline = take == nil ? SessionThread.timeOfEnding : configuration.options.silence
    loop.after(deadline + SessionThread.timeOfEnding, keepsRunning: false) { [weak self] in
      self?.process.kill()
    }
  }

  func releasePages() {
    for page in pages.values { page.connection.end(nil) }
    pages = [:]
  }

  func wait(until deadline: Double) {
    if isStopping, !hasEnded {
      for page in pages.values { page.connection.end(.end("The app has ended.")) }
      pages = [:]
    }
    while !hasEnded {
      let left = deadline - EventLoop.monotonicTime()
      if left <= 0 { process.kill() }
      var entry = pollfd(fd: process.control, events: Int16(POLLIN), revents: 0)
      let most = max(left, SessionThread.timeOfEnding)
      let count = poll(&entry, 1, Int32(most * 1000))
      if count == 0, left <= 0 { return }
      channel.flush(within: 0)
      finish()
    }
  }

  // MARK: Supervision

  /// Pings the worker, and ends it if it has not answered for too long.
  private func checkLife() {
    let patience =
      isReady ? configuration.options.silence : configuration.options.silence + Self.timeOfStart
    switch heartbeat.beat(at: EventLoop.monotonicTime(), patience: patience) {
    case .ask: send(.ping)
    case .wait: break
    case .giveUp: kill(because: "did not answer for \(Int(patience.rounded(.up))) seconds")
    }
  }

  /// Seconds that starting the app may take beyond a script's turn.
  private static let timeOfStart = 10.0

  /// Kills the worker, and logs the reason for operators.
  private func kill(because reason: String) {
    guard killReason == nil, !hasEnded else { return }
    killReason = reason
    process.kill()
  }

  private func channelEnded(_ ending: FramedChannel.Ending) {
    switch ending {
    case .tooLong: kill(because: "sent what no worker sends")
    case .closed:
      // The worker is about to end. It is killed if it continues without a channel.
      loop.after(SessionThread.timeOfEnding, keepsRunning: false) { [weak self] in
        self?.process.kill()
      }
    }
  }

  private func watchEnding() throws(SystemError) {
    endingWatch = try loop.watch(descriptor: process.control) { [unowned self] in finish() }
  }

  private func finish() {
    if hasEnded { return }
    // `takeEnding` closes the descriptor that is watched.
    endingWatch?.cancel()
    endingWatch = nil
    guard let ending = process.takeEnding() else {
      try? watchEnding()
      return
    }
    // Frames and output from before the end are read first.
    if channel.isOpen, killReason == nil { channel.readRest() }
    readOutput(isLast: true)
    hasEnded = true
    if let takeValues, let lastValues { takeValues(lastValues) }
    takeValues = nil
    let result = self.result(of: ending)
    release()
    if case .broken(let reason) = result {
      configuration.options.log(number, "its process \(reason)", true)
    }
    onEnd(result)
  }

  private func result(of ending: ProgramEnding) -> SessionEnding {
    if isStopping { return .ended }
    if let killReason { return .broken("\(killReason), and was ended") }
    if let reportedEnding { return reportedEnding }
    if let signal = ending.signal {
      return .broken("was ended by signal \(signal) (\(String(cString: strsignal(signal))))")
    }
    return .broken("has ended with code \(ending.code)")
  }

  // MARK: Reports

  private func receive(_ kind: UInt8, _ content: UnsafeRawBufferPointer) {
    guard killReason == nil else { return }
    do { try receive(WorkerReport(kind, content)) } catch {
      kill(because: "sent what no worker sends")
    }
  }

  private func receive(_ report: WorkerReport) throws(FrameReader.Fault) {
    switch report {
    case .ready:
      guard !isReady else { throw FrameReader.Fault() }
      isReady = true
      noteAnswer(isPong: true)
    case .pong: noteAnswer(isPong: true)
    case .page(let number, let turn, let bytes): try sendPage(number, turn, bytes)
    case .end(let number, let text):
      guard (text?.utf8.count ?? 0) <= Bounds.text else { throw FrameReader.Fault() }
      pages.removeValue(forKey: number)?.connection.end(text.map { PageMessage.end($0) })
    case .close(let number, let refusal):
      guard let connection = pages[number]?.connection else { return }
      if let refusal { connection.refuse(refusal) } else { connection.close() }
    case .read(let number):
      defer { noteAnswer(isPong: false) }
      // The page may have closed since.
      guard pages[number] != nil else { return }
      guard let bytes = pages[number]?.unread.first else { throw FrameReader.Fault() }
      pages[number]?.unread.removeFirst()
      pages[number]?.connection.noteRead(bytes)
    case .picture(let number, let bytes): try keep(bytes, number)
    case .pictureGone(let number):
      guard let former = pictures.removeValue(forKey: number) else { throw FrameReader.Fault() }
      sizeOfPictures -= former.size
    case .values(let bytes):
      guard bytes.count <= Bounds.values else { throw FrameReader.Fault() }
      lastValues = bytes
      if isStopping {
        takeValues?(bytes)
        takeValues = nil
      }
    // The worker itself has printed the reason.
    case .failed: reportedEnding = .failed
    case .ended: reportedEnding = .ended
    case .join(let number, let model): try shared.join(number, model)
    case .update(let number, let updates): try shared.send(number, updates)
    case .leave(let number): try shared.leave(number)
    }
  }

  private func keep(_ bytes: [UInt8], _ number: Int) throws(FrameReader.Fault) {
    guard WorkerPictures.canBeKept(bytes), pictures[number] == nil, pictures.count < Bounds.numbers
    else { throw FrameReader.Fault() }
    // Beyond the limits, the page shows no picture.
    let isKept = sizeOfPictures + bytes.count <= Bounds.pictures && pictures.count < Bounds.count
    let size = isKept ? bytes.count : 0
    sizeOfPictures += size
    pictures[number] = KeptPicture(
      picture: isKept ? configuration.pictures.add(bytes) : nil, size: size)
  }

  private func noteAnswer(isPong: Bool) {
    heartbeat.answer(
      isPong: isPong, owesMore: pages.values.contains { !$0.unread.isEmpty },
      at: EventLoop.monotonicTime())
  }

  /// Forwards a message, unless the page is behind.
  private func sendPage(
    _ number: Int, _ turn: Int, _ bytes: [UInt8]
  ) throws(FrameReader.Fault) {
    guard let page = pages[number], turn == page.turn, !page.isBehind else { return }
    try Self.check(bytes)
    if page.connection.send(PageMessage(checked: bytes)) { return }
    pages[number]?.isBehind = true
    send(.fellBehind(number))
  }

  /// A message must be a list in JSON. Faults within it affect only the page, which belongs to the
  /// worker's own session. Views may nest more deeply than this process would parse.
  private static func check(_ bytes: [UInt8]) throws(FrameReader.Fault) {
    guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"),
      String(validating: bytes, as: UTF8.self) != nil
    else { throw FrameReader.Fault() }
  }

  // MARK: Output

  private func watchOutput() throws(SystemError) {
    guard process.output >= 0, outputWatch == nil else { return }
    outputWatch = try loop.watch(descriptor: process.output) { [unowned self] in
      readOutput(isLast: false)
    }
  }

  /// Logs the output line by line, up to a limit per second.
  private func readOutput(isLast: Bool) {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { room in
      var left = isLast ? 16 : 4
      while left > 0, process.output >= 0 {
        left -= 1
        let count = read(process.output, room.baseAddress, room.count)
        if count < 0, errno == EINTR || errno == EAGAIN { break }
        guard count > 0 else {
          outputWatch?.cancel()
          outputWatch = nil
          process.closeOutput()
          break
        }
        outputOfSecond += count
        let isWhole = lines.add(UnsafeRawBufferPointer(rebasing: room[..<count])) { print($0) }
        if !isWhole { configuration.options.log(number, "(a line was too long)", false) }
      }
    }
    if isLast { return lines.finish { print($0) } }
    if outputOfSecond > Bounds.output {
      outputWatch?.cancel()
      outputWatch = nil
    }
    if outputPause != nil { return }
    outputPause = loop.after(1, keepsRunning: false) { [unowned self] in
      outputPause = nil
      outputOfSecond = 0
      try? watchOutput()
    }
  }

  private func print(_ line: UnsafeRawBufferPointer) {
    configuration.options.log(number, String(decoding: line, as: UTF8.self), false)
  }
}
