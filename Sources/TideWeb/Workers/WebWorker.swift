import TideBindings
import TideRun
package import TideScript
import TideSystem

/// The worker's side: runs one session's app for the server that forked the process, until either
/// ends.
///
/// ```swift
/// WebWorker.run(channel) { pages, models in try makeApp(pages, models) }
/// ```
package final class WebWorker {
  private let renderer: WebRenderer
  private let models: RelayedModels
  private let app: PrivateApp
  private let channel: FramedChannel
  private var connections: [Int: RelayedConnection] = [:]
  private var isWaitingForRoom = false
  private var isStopped = false
  private var lastValues: [UInt8]?
  private var saving: LoopTimer?
  /// Whether values may have changed since they were last sent.
  private var hasChanged = true
  /// The earliest time at which they may be sent again.
  private var nextSaving = 0.0
  private var pings = 0

  /// Creates the app for a renderer, with the engine of shared models.
  package typealias Maker = (
    _ pages: WebRenderer, _ models: any SharingEngine
  ) throws -> PrivateApp

  /// The most bytes that wait for the server before pages count as behind.
  private static let mostWaiting = 1 << 20
  /// The largest share of time for saving.
  private static let shareOfSaving = 0.05
  /// The number of pings after which values are sent even if no change was noticed.
  private static let pingsOfSaving = 10

  /// Runs an app, in a process of its own, until the app or the server ends.
  package static func run(_ descriptor: Int32, make: Maker) {
    guard let beginning = readBeginning(descriptor) else { return }
    let worker: WebWorker
    do { worker = try WebWorker(descriptor, beginning, make) } catch {
      return writeFailure(error, descriptor)
    }
    do { try worker.run() } catch { worker.fail(error) }
  }

  /// Reports why the app cannot run.
  private func fail(_ error: any Error) {
    _ = send(Self.failure(error))
    channel.flush(within: SessionThread.timeOfEnding)
  }

  fileprivate static func failure(_ error: any Error) -> WorkerReport {
    .failed((error as? TideError)?.message ?? "\(error)")
  }

  private init(
    _ descriptor: Int32, _ beginning: WorkerOrder.Beginning, _ make: Maker
  ) throws {
    let pictures = WorkerPictures()
    renderer = WebRenderer(isDeveloping: beginning.isDeveloping) { pictures.add($0) }
    renderer.pagePrefix = beginning.pagePrefix
    renderer.isOfOnePerson = true
    renderer.notice = beginning.notice
    renderer.person = beginning.person
    models = RelayedModels(
      largestUpdate: beginning.largestUpdate, isReadOnly: beginning.isReadOnly)
    app = try SessionOwner.$current.withValue(beginning.owner) { [renderer, models] in
      try make(renderer, models)
    }
    let runtime = app.runtime
    if let kept = beginning.kept { runtime.restoreModels(kept) }
    renderer.follow(runtime)
    channel = try FramedChannel(runtime.loop, descriptor, FramedChannel.Limits())
    pictures.send = { [weak self] in _ = self?.send($0) }
  }

  private func run() throws {
    let runtime = app.runtime
    let loop = AppLoop(runtime, renderer)
    defer { loop.close() }
    app.prepare(loop)
    try loop.show()
    let relay = Relay(self)
    defer { relay.end() }
    let inbox = runtime.loop.inbox
    models.connect { report in inbox.post { _ = relay.content?.send(report) } }
    channel.onFrame = { [unowned self] in receive($0, $1) }
    // The server has closed the channel, so no page can show the app.
    channel.onEnd = { [unowned runtime] _ in runtime.exit(0, within: 0) }
    channel.onDrained = { [unowned self] in roomCame() }
    renderer.onChange = { [unowned self] in hasChanged = true }
    renderer.beforeAcknowledging = { [unowned self] in saveIfDue() }
    _ = send(.ready)
    try loop.run()
    renderer.end("The app has ended.")
    if !isStopped { _ = send(.ended) }
    channel.flush(within: SessionThread.timeOfEnding)
    app.finish()
  }

  // MARK: Orders

  private func receive(_ kind: UInt8, _ content: UnsafeRawBufferPointer) {
    guard let order = try? WorkerOrder(kind, content) else { return app.runtime.exit(0, within: 0) }
    switch order {
    case .begin: break
    case .opened(let number, let session, let person):
      let connection = RelayedConnection(number, session, person) { [unowned self] in send($0) }
      connections[number] = connection
      renderer.take(.opened, of: connection)
    case .message(let number, let bytes): take(.message(bytes), of: number)
    case .fellBehind(let number):
      connections[number]?.noteBehind()
      take(.fellBehind, of: number)
    case .caughtUp(let number):
      connections[number]?.noteCaughtUp()
      take(.fellBehind, of: number)
      take(.caughtUp, of: number)
    case .closed(let number):
      take(.closed, of: number)
      connections[number] = nil
    case .ping:
      pings += 1
      if pings.isMultiple(of: Self.pingsOfSaving) { hasChanged = true }
      _ = send(.pong)
    case .stop(let givesValues):
      isStopped = true
      if givesValues {
        renderer.performAllWaitingActs()
        save()
      }
      app.runtime.exit(0, within: SessionThread.timeOfEnding)
    case .shared(let number, let contents): models.take(number, contents)
    }
  }

  private func take(_ report: PageConnection.Report, of number: Int) {
    if let connection = connections[number] { renderer.take(report, of: connection) }
  }

  // MARK: Reports

  /// Sends a report. Returns false for a message to a page if too many bytes are waiting.
  private func send(_ report: WorkerReport) -> Bool {
    if case .page = report, channel.waitingBytes > Self.mostWaiting {
      isWaitingForRoom = true
      return false
    }
    let (kind, content) = report.frame
    channel.send(kind, content)
    return true
  }

  private func roomCame() {
    guard isWaitingForRoom else { return }
    isWaitingForRoom = false
    for connection in connections.values { renderer.take(.caughtUp, of: connection) }
  }

  // MARK: Values

  /// Sends the values of the models, so that they survive a crash of this process. They are sent
  /// before events are acknowledged to pages, unless saving would take too much time.
  private func saveIfDue() {
    if !hasChanged || isStopped { return }
    let wait = nextSaving - EventLoop.monotonicTime()
    if wait <= 0 { return save() }
    if saving != nil { return }
    saving = app.runtime.loop.after(wait, keepsRunning: false) { [unowned self] in
      saving = nil
      save()
    }
  }

  private func save() {
    hasChanged = false
    let start = EventLoop.monotonicTime()
    let values = app.runtime.keptModels()
    let end = EventLoop.monotonicTime()
    nextSaving = end + (end - start) / Self.shareOfSaving
    // The server keeps no more than this of one session.
    if values.count > PrivateSessions.Limits().kept / 16 { return }
    if values == lastValues, !isStopped { return }
    lastValues = values
    _ = send(.values(values))
  }
}

// MARK: Startup

/// Reads the first order; nil if it is invalid or missing.
private func readBeginning(_ descriptor: Int32) -> WorkerOrder.Beginning? {
  guard let header = readBytes(5, from: descriptor) else { return nil }
  let length = (0..<4).reduce(0) { $0 | Int(header[$1]) << (8 * $1) }
  guard let content = readBytes(length, from: descriptor),
    case .begin(let beginning)? = try? content.withUnsafeBytes({
      try WorkerOrder(header[4], $0)
    })
  else { return nil }
  return beginning
}

/// Reports why the app cannot be created, to a server that waits for the app.
private func writeFailure(_ error: any Error, _ descriptor: Int32) {
  let (kind, content) = WebWorker.failure(error).frame
  let length = UInt32(clamping: content.count)
  let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + [kind]
  // The report is short, and nothing has been sent before it.
  _ = (header + content).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

private func readBytes(_ count: Int, from descriptor: Int32) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var done = 0
  while done < count {
    let got = bytes.withUnsafeMutableBytes { room in
      read(descriptor, room.baseAddress.map { $0 + done }, count - done)
    }
    if got < 0, errno == EINTR { continue }
    if got <= 0 { return nil }
    done += got
  }
  return bytes
}
