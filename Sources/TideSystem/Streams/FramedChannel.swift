import CTideSystem

/// Message frames to and from another process, over a stream socket on an event loop.
///
///     length (4 bytes, of what follows the kind)   kind (1 byte)   content
///
/// ```swift
/// let channel = try FramedChannel(loop, socket, FramedChannel.Limits())
/// channel.onFrame = { kind, content in print(kind, content.count) }
/// channel.send(1, [1, 2, 3])
/// ```
///
/// The peer may be hostile. An oversized frame closes the channel. A peer that exceeds the limits
/// of data or processing time per second is not read until the next second. Use it on the loop's
/// thread.
package final class FramedChannel {
  /// Called with each frame. The content is valid during the call.
  package var onFrame: (_ kind: UInt8, _ content: UnsafeRawBufferPointer) -> Void = { _, _ in }
  /// Called once when the peer has closed the channel or violated the protocol.
  package var onEnd: (Ending) -> Void = { _ in }
  /// Called when all waiting bytes have been written.
  package var onDrained: () -> Void = {}

  package enum Ending: Equatable, Sendable {
    case closed
    /// A frame exceeded the size limit.
    case tooLong
  }

  package struct Limits: Sendable {
    /// The maximum size of a frame's content, in bytes.
    package var frame = 16 << 20
    /// Limits of reading per second.
    package var framesEachSecond = 20_000
    package var bytesEachSecond = 64 << 20
    /// The CPU time per second for frames and ``measure(_:)``, in seconds.
    package var timeEachSecond = Double.infinity

    package init() {}
  }

  private let loop: EventLoop
  private let limits: Limits
  private var socket: Int32
  /// A duplicate of the socket, because a loop cannot watch one descriptor twice.
  private var writingSocket: Int32 = -1
  private var reading: DescriptorWatch?
  private var writing: DescriptorWatch?
  private var pause: LoopTimer?
  /// The bytes of an incomplete frame, from an offset on.
  private var incoming: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var written = 0
  private var second = -Double.infinity
  private var framesOfSecond = 0
  private var bytesOfSecond = 0
  private var timeOfSecond = 0.0
  /// Whether no pauses are allowed any more, because the channel is about to end.
  private var isLast = false

  private static let header = 5
  /// The number of bytes to read in one turn of the loop, so that other work gets its time.
  private static let share = 256 << 10

  /// - Parameter socket: owned and closed by the channel.
  /// - Throws: ``SystemError`` if the loop cannot watch it.
  package init(_ loop: EventLoop, _ socket: Int32, _ limits: Limits) throws(SystemError) {
    self.loop = loop
    self.limits = limits
    self.socket = socket
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    do { try startReading() } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  package var isOpen: Bool { socket >= 0 }
  /// The number of bytes not yet accepted by the peer.
  package var waitingBytes: Int { outgoing.count - written }

  /// Closes the channel; no handlers are called any more.
  package func close() {
    pause?.cancel()
    reading?.cancel()
    writing?.cancel()
    (pause, reading, writing) = (nil, nil, nil)
    if socket >= 0 { systemClose(socket) }
    if writingSocket >= 0 { systemClose(writingSocket) }
    (socket, writingSocket) = (-1, -1)
    (incoming, outgoing, written) = ([], [], 0)
  }

  private func end(_ ending: Ending) {
    guard isOpen else { return }
    close()
    onEnd(ending)
  }

  // MARK: Reading

  private func startReading() throws(SystemError) {
    reading = try loop.watch(descriptor: socket) { [unowned self] in read(atMost: Self.share) }
  }

  /// Reads the available input without waiting, before the channel is closed.
  package func readRest() {
    isLast = true
    pause?.cancel()
    pause = nil
    guard takeFrames() else { return end(.tooLong) }
    read(atMost: limits.frame)
  }

  private func read(atMost share: Int) {
    var left = share
    while left > 0, isOpen, pause == nil {
      var count = 0
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { room in
        count = recv(socket, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        if count > 0 { incoming.append(contentsOf: room[..<count]) }
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      if count <= 0 { return end(.closed) }
      left -= count
      self.count(bytes: count)
      guard takeFrames() else { return end(.tooLong) }
    }
  }

  /// Delivers all complete frames, until a pause begins. Returns false if a frame is too long.
  private func takeFrames() -> Bool {
    var start = 0
    defer { if isOpen { incoming.removeFirst(min(start, incoming.count)) } }
    while isOpen, pause == nil, incoming.count - start >= Self.header {
      let length = (0..<4).reduce(0) { $0 | Int(incoming[start + $1]) << (8 * $1) }
      guard length <= limits.frame else { return false }
      guard incoming.count - start - Self.header >= length else { return true }
      let kind = incoming[start + 4]
      // Retains the buffer, so that a handler that closes the channel does not free it.
      let held = incoming
      let content = start + Self.header
      let begin = EventLoop.threadTime()
      held.withUnsafeBytes { onFrame(kind, .init(rebasing: $0[content..<content + length])) }
      start = content + length
      if isOpen { count(frames: 1, time: EventLoop.threadTime() - begin) }
    }
    return true
  }

  /// Runs a function that the peer has caused, and charges its CPU time to the peer.
  package func measure(_ body: () -> Void) {
    let begin = EventLoop.threadTime()
    body()
    if isOpen { count(time: EventLoop.threadTime() - begin) }
  }

  private func count(bytes: Int = 0, frames: Int = 0, time: Double = 0) {
    let now = loop.now()
    if now - second >= 1 {
      (second, framesOfSecond, bytesOfSecond, timeOfSecond) = (now, 0, 0, 0)
    }
    framesOfSecond += frames
    bytesOfSecond += bytes
    timeOfSecond += time
    let isOver =
      framesOfSecond > limits.framesEachSecond || bytesOfSecond > limits.bytesEachSecond
      || timeOfSecond > limits.timeEachSecond
    guard isOver, pause == nil, !isLast else { return }
    reading?.cancel()
    reading = nil
    pause = loop.after(second + 1 - now, keepsRunning: false) { [unowned self] in resume() }
  }

  /// Delivers frames read before the pause, and resumes reading.
  private func resume() {
    pause = nil
    guard takeFrames() else { return end(.tooLong) }
    guard isOpen, pause == nil else { return }
    do { try startReading() } catch { end(.closed) }
  }

  // MARK: Writing

  package func send(_ kind: UInt8, _ content: [UInt8]) {
    guard isOpen else { return }
    let length = UInt32(clamping: content.count)
    for index in 0..<4 { outgoing.append(UInt8(truncatingIfNeeded: length >> (8 * index))) }
    outgoing.append(kind)
    outgoing += content
    if writing == nil { flush() }
  }

  private func flush() {
    while written < outgoing.count {
      let count = outgoing.withUnsafeBytes { bytes in
        bytes.baseAddress.map { tide_program_write(socket, $0 + written, bytes.count - written) }
          ?? 0
      }
      // The read side detects and reports the error.
      if count < 0 { return drop() }
      if count == 0 { break }
      written += Int(count)
    }
    if written == outgoing.count {
      let hasWaited = writing != nil
      drop()
      if hasWaited { onDrained() }
    } else {
      if written > 1 << 20 {
        outgoing.removeFirst(written)
        written = 0
      }
      waitForRoom()
    }
  }

  private func drop() {
    writing?.cancel()
    writing = nil
    (outgoing, written) = ([], 0)
  }

  private func waitForRoom() {
    if writing != nil { return }
    if writingSocket < 0 { writingSocket = fcntl(socket, F_DUPFD_CLOEXEC, 3) }
    guard writingSocket >= 0 else { return end(.closed) }
    do {
      writing = try loop.watch(writing: writingSocket) { [unowned self] in flush() }
    } catch { end(.closed) }
  }

  /// Writes the waiting bytes before the process ends; waits at most the given time.
  package func flush(within seconds: Double) {
    let deadline = EventLoop.monotonicTime() + seconds
    while isOpen, waitingBytes > 0 {
      let left = deadline - EventLoop.monotonicTime()
      if left <= 0 { return }
      var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      _ = poll(&entry, 1, Int32(left * 1000) + 1)
      flush()
    }
  }
}

/// The system's `close`, which the channel's own method hides.
private func systemClose(_ descriptor: Int32) { close(descriptor) }
