import Synchronization
package import TideSystem

/// The connection between the server and its client: two descriptors, each with its own thread.
///
/// ```swift
/// let connection = try Connection(input: 0, output: 1)
/// while case .message(let entry) = connection.inbox.next(waits: true) { … }
/// connection.close()
/// ```
package final class Connection: Sendable {
  package let inbox: Inbox
  private let outbox: Outbox
  private let client = Atomic<Int32>(0)

  /// Starts reading and writing. The descriptors are not closed.
  ///
  /// - Parameter waiting: the maximum number of bytes waiting to be read by the client.
  package init(input: Int32, output: Int32, waiting: Int = 64 << 20) throws(SystemError) {
    let (inbox, outbox) = (Inbox(), Outbox(limit: waiting))
    (self.inbox, self.outbox) = (inbox, outbox)
    guard let writer = SystemThread({ Self.write(outbox, to: output, inbox) }) else {
      throw SystemError("the language server cannot start a thread")
    }
    writer.detach()
    guard
      let reader = SystemThread({ [weak self] in
        Self.read(from: input, into: inbox) { self?.hasLostClient ?? false }
      })
    else {
      outbox.close()
      throw SystemError("the language server cannot start a thread")
    }
    reader.detach()
  }

  /// Sends a message; it replaces a waiting message of the same topic.
  package func send(_ message: JSONValue, topic: String? = nil) {
    if outbox.add(message, topic: topic) { return }
    outbox.abandon()
    inbox.abandon(reason: "the client does not read what it is sent")
  }

  /// Ends the connection when the client's process has ended, because pipes may stay open without
  /// it.
  ///
  /// A process that does not exist on this system is not followed, because the client may be in
  /// another container.
  package func follow(process: Int32) {
    if process > 0, kill(process, 0) == 0 || errno == EPERM {
      client.store(process, ordering: .relaxed)
    }
  }

  /// Closes the connection, after giving the client a moment to read the remaining messages.
  package func close() {
    outbox.close()
    outbox.drain(seconds: 2)
    outbox.abandon()
    inbox.close()
  }

  private var hasLostClient: Bool {
    let process = client.load(ordering: .relaxed)
    return process > 0 && kill(process, 0) != 0 && errno == ESRCH
  }

  // MARK: The threads

  private static func read(from input: Int32, into inbox: Inbox, hasEnded: () -> Bool) {
    var framer = MessageFramer()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { room.deallocate() }
    while true {
      var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      let ready = poll(&descriptor, 1, 5000)
      if ready < 0 && errno != EINTR { return inbox.close(reason: SystemText.of(errno)) }
      if ready <= 0 {
        if hasEnded() { return inbox.close(reason: "the client's process has ended") }
        continue
      }
      let count = Glibc.read(input, room.baseAddress, room.count)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      if count < 0 { return inbox.close(reason: "cannot read: \(SystemText.of(errno))") }
      if count == 0 {
        let isCut = !framer.isBetweenMessages
        return inbox.close(reason: isCut ? "the input ends within a message" : nil)
      }
      do throws(MessageFramer.Fault) {
        try framer.add(UnsafeRawBufferPointer(rebasing: room[..<count])) { bytes in
          inbox.add(ProtocolMessage(parsing: bytes), size: bytes.count)
        }
      } catch {
        return inbox.close(reason: error.message)
      }
    }
  }

  private static func write(_ outbox: Outbox, to output: Int32, _ inbox: Inbox) {
    while let bytes = outbox.next() {
      let failure = bytes.withUnsafeBytes { writeAll($0, to: output) }
      if failure == 0 { continue }
      outbox.abandon()
      return inbox.abandon(reason: "cannot write: \(SystemText.of(failure))")
    }
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to output: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(output, part.baseAddress, part.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
