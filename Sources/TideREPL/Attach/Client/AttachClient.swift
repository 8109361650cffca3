import TideBindings
import TideSystem

/// The end of a prompt that is attached to a running app.
///
/// ```swift
/// let client = try AttachClient(RunningApp.find("fruit"))
/// let answer = try client.ask(Message("evaluate", ["text": "1 + 1"]))
/// answer?.texts("values")        // ["2"]
/// ```
///
/// It waits for answers on the thread that asks; what comes unasked, such as printed lines, is told
/// as it is read.
package final class AttachClient {
  /// Where something arrives.
  package let descriptor: Int32
  /// The first thing that the app has said.
  package private(set) var greeting = Message("hello")
  /// Called with the lines that the app prints, and with its events.
  package var onMessage: (Message) -> Void = { _ in }
  private var lines = LineBuffer(limit: 4 * Message.longest)
  private var requests = 0
  /// Answers to requests that nobody has waited for.
  private var late: Set<Int> = []

  /// Attaches. Throws `attach` where that app is gone, or refuses.
  package init(_ app: RunningApp) throws {
    switch LocalSocket.connect(to: app.path) {
    case .made(let descriptor): self.descriptor = descriptor
    case .stale: throw TideError(.attach, "\(app) does not run any more")
    case .failed(let number): throw TideError.attach("\(app) cannot be attached to", number)
    }
    guard let hello = try receive(seconds: 10, until: { $0.kind == "hello" }) else {
      throw TideError(.attach, "\(app) does not answer")
    }
    greeting = hello
    try send(Message("attach", ["version": .number(AttachServer.version)]))
  }

  deinit { close(descriptor) }

  package var name: String { greeting.text("name") ?? "app" }

  // MARK: Asking

  /// Sends a request and waits for its answer, for so many seconds or as long as it takes; nil when
  /// none came in time.
  ///
  /// - Parameter whileWaiting: called several times a second; may send something.
  package func ask(
    _ request: Message, seconds: Double? = nil, whileWaiting: () throws -> Void = {}
  ) throws -> Message? {
    requests += 1
    let id = requests
    var request = request
    request["id"] = .number(id)
    try send(request)
    let answer = try receive(seconds: seconds, whileWaiting: whileWaiting) {
      $0.number("id") == id
    }
    if answer == nil { late.insert(id) }
    return answer
  }

  /// What a text could go on with; nothing when the app is busy with something else.
  package func completion(of text: String) -> Completion {
    let answer = try? ask(Message("complete", ["text": .text(text)]), seconds: 1)
    return Completion(
      start: answer?.number("start") ?? text.count, words: answer?.texts("words") ?? [])
  }

  /// Stops what the session runs.
  package func interrupt() throws { try send(Message("interrupt")) }

  /// Takes what has come unasked.
  package func readWhatIsThere() throws { _ = try receive(seconds: 0) { _ in false } }

  // MARK: The socket

  /// Sends a request whose answer comes by ``onMessage``.
  package func send(_ message: Message) throws {
    let bytes = message.bytes
    if bytes.count > Message.longest {
      throw TideError(
        .attach, "that has \(bytes.count >> 20) MiB, of which \(Message.longest >> 20) may be sent")
    }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        // What it says meanwhile stays where it is until the next reading.
        wait(for: POLLOUT, milliseconds: 1000)
      } else if errno != EINTR {
        // What it said last tells more.
        try readWhatIsThere()
        throw gone
      }
    }
  }

  private func wait(for events: Int32, milliseconds: Int32) {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    poll(&polled, 1, milliseconds)
  }

  /// Reads until a message comes that is waited for; nil when time is up.
  private func receive(
    seconds: Double?, whileWaiting: () throws -> Void = {}, until isWanted: (Message) -> Bool
  ) throws -> Message? {
    let clock = ContinuousClock()
    let end = seconds.map { clock.now + .seconds($0) }
    while true {
      while let line = lines.next() {
        let message = try MessageReader.read(line)
        if isWanted(message) { return message }
        try take(message)
      }
      if try read() { continue }
      if let end, clock.now >= end { return nil }
      try whileWaiting()
      wait(for: POLLIN, milliseconds: 100)
    }
  }

  private func take(_ message: Message) throws {
    if let id = message.number("id"), late.remove(id) != nil { return }
    switch message.kind {
    case "ended":
      let code = message.number("code").map { ", with exit code \($0)" } ?? ""
      throw TideError(.attach, "\(name) has ended\(code)")
    case "error": throw TideError(.attach, "\(name): \(message.text("text") ?? "?")")
    default: onMessage(message)
    }
  }

  /// False when nothing is there at the moment.
  private func read() throws -> Bool {
    var count = 0
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, initialized in
      count = recv(descriptor, room.baseAddress, room.count, 0)
      failure = errno
      initialized = max(0, count)
    }
    if count > 0 {
      try lines.add(bytes)
      return true
    }
    if count < 0, failure == EAGAIN || failure == EINTR { return false }
    throw gone
  }

  private var gone: TideError { TideError(.attach, "\(name) has ended") }
}
