import CTideSystem

/// What each worker of this process runs.
///
/// ```swift
/// confinement.worker = WorkerBody { channel in serve(channel) }
/// ```
///
/// The body runs in a process that is forked from the broker: with one thread, and with the memory
/// as it was when the broker was started. The process ends when the body returns.
package struct WorkerBody: Sendable {
  private let box: Box

  /// - Parameter run: given the descriptor of the worker's channel.
  package init(_ run: @escaping @Sendable (_ channel: Int32) -> Void) { box = Box(run) }

  /// Names it to the broker, whose process keeps its own copy for good.
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

/// A process that the broker has forked to run part of this program, which this one can end.
///
/// ```swift
/// let worker = try WorkerProcess()
/// let channel = try FramedChannel(loop, worker.takeChannel(), FramedChannel.Limits())
/// worker.kill()
/// ```
///
/// It is killed when this is released, when this process ends, and when the broker does.
package final class WorkerProcess {
  private var program = TideProgram(id: 0, control: -1, is_brokered: true)
  private var channel: Int32 = -1
  /// What the worker prints can be read here; -1 when that was closed.
  package private(set) var output: Int32 = -1

  /// Forks it.
  ///
  /// - Throws: why the system, or the broker, cannot.
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

  /// Takes one that something else has started in place of the broker, as a test does, which keeps
  /// the other ends.
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

  /// The number by which the system knows it.
  package var id: Int { Int(program.id) }
  /// Can be read when the worker has ended; -1 when its ending has been given.
  package var control: Int32 { program.control }

  /// Gives the channel to the worker away, once; whoever has it closes it.
  package func takeChannel() -> Int32 {
    defer { channel = -1 }
    return channel
  }

  package func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Kills it, wherever it is; its ending comes as that of any other.
  package func kill() { _ = tide_program_signal(&program, SIGKILL) }

  /// How it has ended; nil while it runs, and once that has been given.
  package func takeEnding() -> ProgramEnding? {
    var status: Int32 = 0
    return tide_program_finish(&program, &status) ? ProgramEnding(status) : nil
  }

  /// Limits the memory of the process that calls it.
  ///
  /// - Parameters:
  ///   - data: bytes that it may write to.
  ///   - space: bytes of address space.
  package static func limitMemory(data: Int, space: Int) {
    _ = tide_limit_memory(UInt64(clamping: data), UInt64(clamping: space))
  }

  /// Limits the open files and sockets of the process that calls it. The system counts descriptors
  /// that are on their way in messages for all processes of a user together: beyond the limit of
  /// another process, that one could pass on none, as for new workers.
  package static func limitFiles(to count: Int) { _ = tide_limit_files(UInt64(clamping: count)) }
}
