import TideBindings
import TideSystem

/// The client side of a prompt that is attached to a running app.
///
/// ```swift
/// let client = try AttachClient(RunningApp.find("fruit"))
/// let answer = try client.ask(Message("evaluate", ["text": "1 + 1"]))
/// answer?.texts("values")        // ["2"]
/// ```
///
/// `ask` blocks the calling thread until the answer arrives. Messages that are not answers, such as
/// printed lines, go to ``onMessage`` as they are read.
package final class AttachClient {
  /// The socket, to poll for input.
  package let descriptor: Int32
  /// The app's first message.
  package private(set) var greeting = Message("hello")
  /// Receives the lines that the app prints, its events, and late answers.
  package var onMessage: (Message) -> Void = { _ in }
  private var lines = LineBuffer(limit: 4 * Message.longest)
  private var requests = 0
  /// Identifiers of requests whose answers were no longer awaited.
  private var late: Set<Int> = []

  /// Attaches to an app. Throws `attach` if the app has ended or refuses the connection.
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

  /// Sends a request and waits for its answer, with an optional timeout in seconds. Returns nil
  /// when the timeout expires.
  ///
  /// - Parameter whileWaiting: called several times a second; may send messages.
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

  /// Completions of a text; empty when the app does not answer within a second.
  package func completion(of text: String) -> Completion {
    let answer = try? ask(Message("complete", ["text": .text(text)]), seconds: 1)
    return Completion(
      start: answer?.number("start") ?? text.count, words: answer?.texts("words") ?? [])
  }

  /// Interrupts the chunk that the session runs.
  package func interrupt() throws { try send(Message("interrupt")) }

  /// Reads and handles the messages that have already arrived, without waiting.
  package func readWhatIsThere() throws { _ = try receive(seconds: 0) { _ in false } }

  // MARK: The socket

  /// Sends a request whose answer is delivered to ``onMessage``.
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
        // Incoming messages stay in the socket's buffer until the next read.
        wait(for: POLLOUT, milliseconds: 1000)
      } else if errno != EINTR {
        // The app's last message may explain why it closed the connection.
        try readWhatIsThere()
        throw gone
      }
    }
  }

  private func wait(for events: Int32, milliseconds: Int32) {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    poll(&polled, 1, milliseconds)
  }

  /// Reads until a wanted message arrives; returns nil when the time is up.
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

  /// Returns false when no input is available.
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
