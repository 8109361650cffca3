import CTideSystem

/// The function that each worker process runs.
///
/// ```swift
/// confinement.worker = WorkerBody { channel in serve(channel) }
/// ```
///
/// The body runs in a process forked from the broker: with a single thread, and with the memory
/// contents at the start of the broker. The process ends when the body returns.
package struct WorkerBody: Sendable {
  private let box: Box

  /// - Parameter run: called with the descriptor of the worker's channel.
  package init(_ run: @escaping @Sendable (_ channel: Int32) -> Void) { box = Box(run) }

  /// Adds it to the broker's tasks. The broker process retains its copy permanently.
  func enter(_ tasks: inout TideBrokerTasks) {
    tasks.worker_context = Unmanaged.passRetained(box).toOpaque()
    tasks.worker = { context, channel in
      guard let context else { return }
      Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().run(channel)
    }
  }

  private final class Box: Sendable {
    let run: @Sendable (Int32) -> Void
    init(_ run: @escaping @Sendable (Int32) -> Void) { self.run = run }
  }
}

/// A process forked by the broker to run part of this program.
///
/// ```swift
/// let worker = try WorkerProcess()
/// let channel = try FramedChannel(loop, worker.takeChannel(), FramedChannel.Limits())
/// worker.kill()
/// ```
///
/// It is killed when this object is released, when this process ends, or when the broker ends.
package final class WorkerProcess {
  private var program = TideProgram(id: 0, control: -1, is_brokered: true)
  private var channel: Int32 = -1
  /// The descriptor for reading the worker's output; -1 after it was closed.
  package private(set) var output: Int32 = -1

  /// Forks a worker.
  ///
  /// - Throws: the error of the system or the broker.
  package init() throws(SystemError) {
    var channels: [Int32] = [-1, -1]
    var outputs: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &channels) == 0 else { throw Self.error(errno) }
    guard pipe(&outputs) == 0 else {
      let number = errno
      for end in channels { close(end) }
      throw Self.error(number)
    }
    for end in outputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let failure = tide_broker_start_worker(channels[1], outputs[1], &program)
    close(channels[1])
    close(outputs[1])
    guard failure == 0 else {
      close(channels[0])
      close(outputs[0])
      throw Self.error(failure)
    }
    channel = channels[0]
    output = outputs[0]
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
  }

  /// Wraps a worker that was started by other means, for example in a test.
  package init(channel: Int32, output: Int32, control: Int32) {
    program = TideProgram(id: 0, control: control, is_brokered: true)
    self.channel = channel
    self.output = output
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if channel >= 0 { close(channel) }
    closeOutput()
    tide_program_end(&program)
  }

  private static func error(_ number: Int32) -> SystemError {
    SystemError("a worker process cannot be started", number: number)
  }

  /// The process identifier.
  package var id: Int { Int(program.id) }
  /// Readable when the worker has ended; -1 after its ending was taken.
  package var control: Int32 { program.control }

  /// Transfers ownership of the worker's channel to the caller.
  package func takeChannel() -> Int32 {
    defer { channel = -1 }
    return channel
  }

  package func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Kills the worker. Its ending is reported as usual.
  package func kill() { _ = tide_program_signal(&program, SIGKILL) }

  /// The worker's ending; nil while it runs, and after it was taken.
  package func takeEnding() -> ProgramEnding? {
    var status: Int32 = 0
    return tide_program_finish(&program, &status) ? ProgramEnding(status) : nil
  }

  /// Limits the memory of the calling process, except with a sanitizer, whose own memory is a
  /// multiple of the program's.
  ///
  /// - Parameters:
  ///   - data: the limit of writable data, in bytes.
  ///   - space: the limit of address space, in bytes.
  package static func limitMemory(data: Int, space: Int) {
    if tide_is_sanitized() { return }
    _ = tide_limit_memory(UInt64(clamping: data), UInt64(clamping: space))
  }

  /// Limits the open files and sockets of the calling process. The system counts descriptors in
  /// transit in messages for all processes of a user together. If that count exceeds another
  /// process's limit, that process can no longer send descriptors, for example to new workers.
  package static func limitFiles(to count: Int) { _ = tide_limit_files(UInt64(clamping: count)) }
}
