import CTideSystem
import TideBindings
import TideSystem

/// Accepts, reads and writes all connections of an app on a thread of its own. A chunk that blocks
/// the app's thread can therefore be interrupted, and its output is sent while it runs.
///
/// A client cannot harm others: an invalid message closes its connection with a reason.
final class SocketThread {
  /// Limits for connections and their timeouts.
  struct Limits {
    var connections = 32
    /// The time a connection may take to send its first message, in seconds.
    var patience = 10.0
    /// The time for sending the final message to a connection, in seconds.
    var farewell = 2.0
  }

  private let listener: Int32
  private let mailbox: SocketMailbox
  private let greeting: Message
  private let limits: Limits
  /// Reports events; called on this thread.
  private let tell: @Sendable (Int, SocketMailbox.Event) -> Void
  private var connections: [Connection] = []
  private var made = 0
  /// No connections are accepted until this time, because no descriptors were left.
  private var pausedUntil: Double?

  private init(
    listener: Int32, mailbox: SocketMailbox, greeting: Message, limits: Limits,
    tell: @escaping @Sendable (Int, SocketMailbox.Event) -> Void
  ) {
    self.listener = listener
    self.mailbox = mailbox
    self.greeting = greeting
    self.limits = limits
    self.tell = tell
  }

  /// Starts the thread. It ends when the mailbox does, and then closes the listener.
  static func start(
    listener: Int32, mailbox: SocketMailbox, greeting: Message, limits: Limits,
    tell: @escaping @Sendable (Int, SocketMailbox.Event) -> Void
  ) throws(TideError) -> pthread_t {
    let sockets = SocketThread(
      listener: listener, mailbox: mailbox, greeting: greeting, limits: limits, tell: tell)
    var all = sigset_t()
    var former = sigset_t()
    // The program's other threads handle signals.
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(sockets)
    let failure = pthread_create(&thread, nil, run, box.toOpaque())
    if failure != 0 {
      box.release()
      throw .attach("no thread can be made", failure)
    }
    return thread
  }

  private func run() {
    defer {
      for connection in connections { close(connection.descriptor) }
      close(listener)
    }
    while true {
      let (isEnding, message) = mailbox.ending
      if isEnding { return sendEnding(message) }
      mailbox.clearPending()
      for index in connections.indices.reversed() { serve(index) }
      wait()
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Waiting

  private func wait() {
    var polled = [pollfd(fd: mailbox.waker, events: Int16(POLLIN), revents: 0)]
    let isPaused = pausedUntil.map { $0 > Self.now() } ?? false
    if !isPaused { pausedUntil = nil }
    // `poll` ignores negative descriptors.
    polled.append(pollfd(fd: isPaused ? -1 : listener, events: Int16(POLLIN), revents: 0))
    for connection in connections {
      let reading = connection.isInputOver ? 0 : POLLIN
      let writing = connection.hasSomethingToWrite ? POLLOUT : 0
      polled.append(
        pollfd(fd: connection.descriptor, events: Int16(reading | writing), revents: 0))
    }
    let timeout = mailbox.repeatInterrupts() ? min(Self.interruptPause, nextWait) : nextWait
    let count = poll(&polled, nfds_t(polled.count), mailbox.prepareToSleep() ? timeout : 0)
    guard count > 0 else { return }
    if polled[0].revents != 0 { tide_waker_clear(mailbox.waker) }
    for index in connections.indices.reversed() where polled[index + 2].revents != 0 {
      let events = Int32(polled[index + 2].revents)
      if events & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
        take(index, isHungUp: events & (POLLHUP | POLLERR | POLLNVAL) != 0)
      }
    }
    if polled[1].revents != 0 { accept() }
  }

  private static let interruptPause: Int32 = 50

  /// Milliseconds until the next deadline; -1 without one.
  private var nextWait: Int32 {
    let moments = connections.compactMap(\.deadline) + [pausedUntil].compactMap { $0 }
    guard let next = moments.min() else { return -1 }
    return Int32(min(max(0, (next - Self.now()) * 1000), 60_000).rounded(.up))
  }

  // MARK: Connections

  private func accept() {
    for _ in 0..<64 {
      switch LocalSocket.accept(listener) {
      case .connected(let descriptor): greet(descriptor)
      case .refused: continue
      case .none: return
      case .exhausted:
        pausedUntil = Self.now() + 1
        return
      }
    }
  }

  private func greet(_ descriptor: Int32) {
    made += 1
    var connection = Connection(number: made, descriptor: descriptor)
    mailbox.open(made)
    if connections.count < limits.connections {
      connection.deadline = Self.now() + limits.patience
      mailbox.send(greeting, to: made)
    } else {
      mailbox.send(
        Message(
          "error",
          [
            "text": .text(
              "\(limits.connections) sessions are attached, which is the most there may be")
          ]), to: made)
      connection.isInputOver = true
      connection.isEnding = true
      connection.deadline = Self.now()
    }
    connections.append(connection)
    serve(connections.count - 1)
  }

  /// Writes the waiting bytes, and closes the connection if it is ending.
  private func serve(_ index: Int) {
    let number = connections[index].number
    while true {
      if !connections[index].hasSomethingToWrite {
        let bytes = mailbox.takeBytes(for: number)
        if bytes.isEmpty { break }
        connections[index].write(next: bytes)
      }
      guard let count = connections[index].write() else { return drop(index) }
      mailbox.note(written: count, to: number)
      if connections[index].hasSomethingToWrite { break }
    }
    let connection = connections[index]
    let standing = mailbox.standing(of: number)
    if standing.isOverfull { return drop(index) }
    if let deadline = connection.deadline, deadline <= Self.now() {
      if connection.isEnding { return drop(index) }
      return fail(
        index, TideError(.attach, "nothing was said for so long; say {\"kind\":\"attach\"} first"))
    }
    let isWritten = !connection.hasSomethingToWrite && !standing.hasBytes
    if isWritten, connection.isEnding || connection.isInputOver && standing.isIdle { drop(index) }
  }

  private func drop(_ index: Int) {
    let connection = connections.remove(at: index)
    close(connection.descriptor)
    mailbox.close(connection.number)
    if connection.isAttached { tell(connection.number, .gone) }
  }

  /// Sends the reason, and closes the connection.
  private func fail(_ index: Int, _ error: TideError) {
    mailbox.send(Message("error", ["text": .text(error.message)]), to: connections[index].number)
    connections[index].isInputOver = true
    connections[index].isEnding = true
    connections[index].deadline = Self.now() + limits.farewell
    serve(index)
  }

  // MARK: Reading

  private func take(_ index: Int, isHungUp: Bool) {
    if connections[index].isInputOver {
      if isHungUp { drop(index) }
      return
    }
    switch connections[index].read() {
    case .nothing: if isHungUp { drop(index) }
    case .broken: drop(index)
    case .over:
      if isHungUp { return drop(index) }
      // The client may still wait for answers.
      connections[index].isInputOver = true
      serve(index)
    case .bytes(let bytes):
      do {
        try connections[index].lines.add(bytes)
        while let line = connections[index].lines.next() {
          try take(try MessageReader.read(line), index)
        }
      } catch {
        fail(index, error as? TideError ?? TideError(.attach, "\(error)"))
      }
    }
  }

  private func take(_ message: Message, _ index: Int) throws {
    let number = connections[index].number
    guard connections[index].isAttached else {
      guard message.kind == "attach" else {
        throw TideError(.attach, "say {\"kind\":\"attach\",\"version\":1} first")
      }
      let version = message.number("version") ?? AttachServer.version
      if version != AttachServer.version {
        throw TideError(
          .attach,
          "version \(version) of the protocol is not spoken here, only \(AttachServer.version)")
      }
      connections[index].isAttached = true
      connections[index].deadline = nil
      return tell(number, .attached)
    }
    if message.kind == "interrupt" {
      if mailbox.interrupt(number) { tell(number, .interrupted) }
      return
    }
    guard mailbox.expect(number) else {
      throw TideError(
        .attach,
        "\(SocketMailbox.pendingLimit) requests wait, which is the most there may be; wait for answers"
      )
    }
    tell(number, .request(message))
  }

  // MARK: The end

  private func sendEnding(_ message: Message?) {
    if let message {
      for connection in connections { mailbox.send(message, to: connection.number) }
    }
    let end = Self.now() + Self.lastWords
    while !connections.isEmpty {
      for index in connections.indices.reversed() {
        connections[index].isEnding = true
        serve(index)
      }
      let left = end - Self.now()
      if connections.isEmpty || left <= 0 { return }
      var polled = connections.map {
        pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0)
      }
      poll(&polled, nfds_t(polled.count), Int32((left * 1000).rounded(.up)))
    }
  }

  /// The time that the app's end waits for slow readers, in seconds.
  private static let lastWords = 0.2

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let pointer = $0 else { return nil }
    Unmanaged<SocketThread>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
  }
}
