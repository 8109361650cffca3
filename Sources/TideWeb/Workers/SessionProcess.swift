import TideBindings
import TideScript
import TideSystem

/// The app of one session in a process of its own, a worker, which the server can end.
///
///     a page's connection ──▶ orders ──▶ the worker, with the app
///                         ◀── reports ◀──
///
/// The worker may be run by hostile code: each report is judged, and one that no worker sends ends
/// it. So does silence for longer than a script's turn may last, because native code has no other
/// end.
final class SessionProcess: SessionHost {
  private let loop: EventLoop
  private let configuration: Configuration
  private let number: Int
  private let process: WorkerProcess
  private let channel: FramedChannel
  private let onEnd: @Sendable (SessionEnding) -> Void
  private let shared: SharedRelay
  private var pages: [Int: Page] = [:]
  /// What its views show, by the numbers that it has given.
  private var pictures: [Int: KeptPicture] = [:]
  /// Bytes of those that are kept.
  private var sizeOfPictures = 0
  private var endingWatch: DescriptorWatch?
  private var outputWatch: DescriptorWatch?
  private var heartbeat = WorkerHeartbeat(at: EventLoop.monotonicTime())
  private var beats: LoopTimer?
  private var outputPause: LoopTimer?
  private var lines = LineSplitter(longest: 64 << 10)
  private var outputOfSecond = 0
  /// What the worker has said of its end.
  private var reportedEnding: SessionEnding?
  /// Why it was killed.
  private var killReason: String?
  private var isStopping = false
  private var hasEnded = false
  /// Whether the app is there.
  private var isReady = false
  private var takeValues: (@Sendable ([UInt8]) -> Void)?
  private(set) var lastValues: [UInt8]?

  /// What all workers of a server share.
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
    /// The messages that the worker has not looked at, the oldest first.
    var unread: [[UInt8]] = []
    /// How often it has caught up: what the worker sent before has a gap after it.
    var turn = 0
    var isBehind = false
  }

  /// A picture that the server keeps; nil where there are too many.
  private struct KeptPicture {
    let picture: (any ShownPicture)?
    let size: Int
  }

  private enum Bounds {
    /// Bytes of the values of all models.
    static let values = 4 << 20
    /// Bytes of all pictures that its views show, and how many those are.
    static let pictures = 64 << 20
    static let count = 4096
    /// How many it may name.
    static let numbers = 1 << 16
    /// Bytes of what the worker says.
    static let text = 4 << 10
    /// Bytes that a worker prints in a second.
    static let output = 256 << 10
    /// Bytes of orders that it has not taken.
    static let waiting = 64 << 20
  }

  /// So that workers, whatever they send, leave time to those beside them.
  private static let limits = {
    var limits = FramedChannel.Limits()
    limits.timeEachSecond = 0.25
    return limits
  }()

  /// Starts it.
  ///
  /// - Parameter onEnd: called once, when the process has ended.
  /// - Throws: `serving` where there can be no other process.
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

  // MARK: From the sessions

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

  // MARK: Its life

  /// Asks whether it goes on, and ends it where it has not answered for too long.
  private func checkLife() {
    let patience =
      isReady ? configuration.options.silence : configuration.options.silence + Self.timeOfStart
    switch heartbeat.beat(at: EventLoop.monotonicTime(), patience: patience) {
    case .ask: send(.ping)
    case .wait: break
    case .giveUp: kill(because: "did not answer for \(Int(patience.rounded(.up))) seconds")
    }
  }

  /// What making the app may take beyond a script's turn.
  private static let timeOfStart = 10.0

  /// Kills it, and tells operators the reason.
  private func kill(because reason: String) {
    guard killReason == nil, !hasEnded else { return }
    killReason = reason
    process.kill()
  }

  private func channelEnded(_ ending: FramedChannel.Ending) {
    switch ending {
    case .tooLong: kill(because: "sent what no worker sends")
    case .closed:
      // It is about to end; who goes on without a channel does not.
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
    // Its descriptor is closed when the ending is taken.
    endingWatch?.cancel()
    endingWatch = nil
    guard let ending = process.takeEnding() else {
      try? watchEnding()
      return
    }
    // What it has sent before comes first.
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

  // MARK: What it reports

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
      // A page that has gone since is known no more.
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
    // The worker itself has printed why.
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
    // Its page shows no picture there.
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

  /// Passes a message on, as long as the page reads what is sent to it.
  private func sendPage(
    _ number: Int, _ turn: Int, _ bytes: [UInt8]
  ) throws(FrameReader.Fault) {
    guard let page = pages[number], turn == page.turn, !page.isBehind else { return }
    try Self.check(bytes)
    if page.connection.send(PageMessage(checked: bytes)) { return }
    pages[number]?.isBehind = true
    send(.fellBehind(number))
  }

  /// A page is sent a list in JSON. What is wrong within it is for the page alone to see, which
  /// belongs to the worker's own session; views may nest deeper than this process would read.
  private static func check(_ bytes: [UInt8]) throws(FrameReader.Fault) {
    guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"),
      String(validating: bytes, as: UTF8.self) != nil
    else { throw FrameReader.Fault() }
  }

  // MARK: What it prints

  private func watchOutput() throws(SystemError) {
    guard process.output >= 0, outputWatch == nil else { return }
    outputWatch = try loop.watch(descriptor: process.output) { [unowned self] in
      readOutput(isLast: false)
    }
  }

  /// Passes on what has been printed, line by line, and not more than some in a second.
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
