import TideBindings
import TideGraph
import TideLua
import TideSystem

/// Puts the lines of a response, or a server's events, into a stream.
///
/// An interrupted stream of events reconnects by itself, as in browsers.
final class HTTPStream: StreamSource {
  private let feed: LineFeed
  private let call: HTTPCall
  private let home: Home
  private let context: BindingContext
  private var transfer: HTTPTransfer?
  private var timer: LoopTimer?
  private var entry: ContextEntry?
  private var isOver = true
  private var events: EventParser? {
    didSet { if events == nil { reservation.shrink(to: 0) } }
  }
  /// The memory of the event that is being received.
  private let reservation: MemoryReservation
  private var lastID: String?
  /// Seconds until it reconnects.
  private var patience = 3.0

  init(_ feed: LineFeed, _ call: HTTPCall, in runtime: Runtime) {
    self.feed = feed
    self.call = call
    home = runtime.home
    context = runtime.context
    reservation = MemoryReservation(runtime.memory.account)
  }

  func begin() throws {
    entry = entry ?? context.own { [weak self] in self?.cancel() }
    isOver = false
    feed.begin()
    try connect()
  }

  private func connect() throws {
    guard let runtime = home.runtime else { return }
    if let stub = call.stub {
      let answer = try HTTPAnswer(stub, call, in: runtime)
      timer = runtime.loop.after(answer.delay) { [weak self] in
        guard let self else { return }
        if let failure = answer.failure { return fail(TideError(.source, failure), isCut: false) }
        head(answer.response)
        answer.response.body.withUnsafeBytes { _ = receive($0) }
        finish(.success(answer.response))
      }
      return
    }
    var request = call.request
    request.headers.append(("Accept", "text/event-stream, */*"))
    if let lastID { request.headers.append(("Last-Event-ID", lastID)) }
    transfer = runtime.httpClient.start(
      request, onHead: { [weak self] in self?.head($0) },
      onData: { [weak self] in self?.receive($0) ?? false },
      completion: { [weak self] in self?.finish($0) })
  }

  private func head(_ response: HTTPResponse) {
    let isGood = (200...299).contains(response.status)
    if !isGood {
      return fail(
        TideError(
          .source,
          "\(call.request.method) \(call.request.url.inMessage): the server answers with status "
            + "\(response.status)"), isCut: false)
    }
    home.runWithinBudget { feed.list.note(nil) }
    let type = response.headers.last { $0.name == "content-type" }?.value.lowercased() ?? ""
    events =
      type.hasPrefix("text/event-stream")
      ? EventParser(home, longest: home.runtime?.mostSourceBytes ?? 0) : nil
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !isOver else { return false }
    guard let events else {
      if feed.receive(bytes) { return true }
      stop()
      return false
    }
    var items: [Value] = []
    var hasRoom = true
    let fits = events.add(bytes) { event in
      guard hasRoom else { return }
      items.append(event)
      if items.count < Self.mostEvents { return }
      hasRoom = feed.push(items)
      items = []
    }
    lastID = events.lastID ?? lastID
    patience = events.patience ?? patience
    if !fits {
      fail(
        TideError(.source, "an event is longer than the limit \"value\" allows"), isCut: false)
      return false
    }
    guard home.runtime?.memory.hold(events.heldBytes, in: reservation) ?? false else {
      fail(.noRoom(for: "an event of the stream"), isCut: false)
      return false
    }
    if hasRoom, feed.push(items) { return true }
    stop()
    return false
  }

  /// The most events that are collected before they go into the stream. One part of a response may
  /// contain thousands of short events.
  private static let mostEvents = 256

  private func finish(_ result: Result<HTTPResponse, HTTPFailure>) {
    transfer = nil
    guard !isOver else { return }
    switch result {
    case .success where events != nil && call.stub == nil:
      fail(TideError(.source, "the server has ended the stream of events"), isCut: true)
    case .success:
      isOver = true
      events = nil
      feed.finish()
    case .failure(let failure): fail(TideError(failure, call.request), isCut: events != nil)
    }
  }

  /// Ends with an error. An interrupted stream of events reconnects after a delay.
  private func fail(_ error: TideError, isCut: Bool) {
    guard !isOver, let runtime = home.runtime else { return }
    guard isCut else {
      isOver = true
      events = nil
      transfer?.cancel()
      transfer = nil
      return feed.finish(error)
    }
    home.runWithinBudget { feed.list.note(error) }
    timer = runtime.loop.after(patience) { [weak self] in
      guard let self, !isOver else { return }
      do { try connect() } catch { fail(TideError(script: error), isCut: false) }
    }
  }

  private func stop() {
    isOver = true
    events = nil
    timer?.cancel()
    transfer?.cancel()
    transfer = nil
  }

  func cancel() {
    if isOver { return }
    stop()
    feed.end()
  }

  func refresh() throws {
    cancel()
    lastID = nil
    try feed.list.restart()
    try begin()
  }
}

/// Parses server-sent events as the HTML standard describes them.
private final class EventParser {
  private var lines: LineSplitter
  private let longest: Int
  private var data = ""
  private var hasData = false
  private var name = ""
  private(set) var lastID: String?
  /// The seconds that the server asks clients to wait before they reconnect.
  private(set) var patience: Double?
  private let home: Home

  init(_ home: Home, longest: Int) {
    self.home = home
    self.longest = longest
    lines = LineSplitter(longest: longest)
  }

  /// Calls a function with each event that the bytes complete. Returns false if an event is too
  /// long.
  func add(_ bytes: UnsafeRawBufferPointer, _ body: (Value) -> Void) -> Bool {
    lines.add(bytes) { take($0, body) }
      && data.utf8.count <= longest
  }

  /// Bytes of the incomplete event, including the spare capacity that Swift adds to a growing text.
  var heldBytes: Int { lines.heldBytes + (data.utf8.count < 1 << 12 ? 0 : 2 * data.utf8.count) }

  /// Names and ids are held and sent back, so their length is limited.
  private static let longestName = 1 << 10

  private func take(_ line: UnsafeRawBufferPointer, _ body: (Value) -> Void) {
    if line.isEmpty { return send(body) }
    // Compared as bytes: a character that combines with the preceding colon is part of the value.
    let field = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line[field.endIndex...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    if field.elementsEqual("data".utf8) {
      // An event that is too long already is refused once the part has been read.
      guard data.utf8.count <= longest else { return }
      if hasData { data += "\n" }
      data += String(decoding: value, as: UTF8.self)
      hasData = true
    } else if field.elementsEqual("event".utf8) {
      name = String(decoding: value.prefix(Self.longestName), as: UTF8.self)
    } else if value.count > Self.longestName {
      return
    } else if field.elementsEqual("id".utf8), !value.contains(0) {
      lastID = String(decoding: value, as: UTF8.self)
    } else if field.elementsEqual("retry".utf8) {
      let number = Int(String(decoding: value, as: UTF8.self))
      patience = number.map { min(max(Double($0) / 1000, 0.1), 3600) } ?? patience
    }
  }

  private func send(_ body: (Value) -> Void) {
    defer {
      data = ""
      hasData = false
      name = ""
    }
    guard hasData, let runtime = home.runtime else { return }
    home.runWithinBudget {
      // If memory is lacking for this event, a later one reports it.
      guard
        let table = try? runtime.lua.table([
          "event": .string(name.isEmpty ? "message" : name),
          "data": .string(data),
          "id": .string(lastID ?? ""),
        ]), let object = try? runtime.copy(table, isRow: true)
      else { return }
      body(.object(object))
    }
  }
}
