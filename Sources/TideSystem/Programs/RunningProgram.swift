import CTideSystem

/// A started program whose output arrives on an event loop.
///
/// ```swift
/// let program = try RunningProgram(loop, ProgramRequest(["ls", "-l"]))
/// program.onOutput = { bytes in print(bytes.count) }
/// program.onEnd = { ending in print(ending.code) }
/// ```
///
/// It has its own process group, which is killed when the program ends, by `end`, or when this
/// object is released. In a confined process, the broker starts it.
package final class RunningProgram {
  /// Receives standard output. The bytes are valid during the call.
  package var onOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
  /// Receives standard error. The bytes are valid during the call.
  package var onErrors: (UnsafeRawBufferPointer) -> Void = { _ in }
  /// Called before reading up to a number of bytes; returning false pauses reading until
  /// ``resume()``.
  package var admits: (_ count: Int) -> Bool = { _ in true }
  /// Called once, after all output.
  package var onEnd: (ProgramEnding) -> Void = { _ in }

  private let loop: EventLoop
  private var program = TideProgram(id: 0, control: -1, is_brokered: false)
  private var channels: TideProgramChannels
  private var watches: [DescriptorWatch] = []
  private var writing: DescriptorWatch?
  /// Retries when the system has run out of descriptors or memory.
  private var retry: LoopTimer?
  /// The bytes to write, from an offset on.
  private var unwritten: [UInt8] = []
  private var written = 0
  private var closesInput = false
  /// Our ends of channels whose reading is paused.
  private var paused: Set<Int32> = []
  /// The program's ending, while its last output has yet to be read.
  private var ending: ProgramEnding?

  /// The maximum number of bytes to read at a time.
  package var slice = 1 << 16

  /// - Throws: the reason if it cannot be started.
  package init(_ loop: EventLoop, _ request: ProgramRequest) throws(SystemError) {
    self.loop = loop
    var channels = TideProgramChannels()
    let failure = tide_program_channels(
      request.takesInput ? Int32(TIDE_PROGRAM_INPUT) : 0, &channels)
    self.channels = channels
    if failure != 0 { throw request.error(failure) }
    defer { tide_program_close(&self.channels, false) }
    let reason = Self.start(request, channels, &program)
    if reason != 0 {
      tide_program_close(&self.channels, true)
      throw request.error(reason)
    }
    do {
      try watchOutput(self.channels.output)
      try watchOutput(self.channels.errors)
      try watch(program.control) { [unowned self] in finish() }
    } catch {
      release()
      throw error
    }
  }

  deinit { release() }

  private func watch(
    _ descriptor: Int32, _ body: @escaping () -> Void
  ) throws(SystemError) {
    watches.append(try loop.watch(descriptor: descriptor, keepsRunning: true, body))
  }

  private func watchOutput(_ descriptor: Int32) throws(SystemError) {
    try watch(descriptor) { [unowned self] in
      receive(descriptor, descriptor == channels.output ? onOutput : onErrors)
    }
  }

  private static func start(
    _ request: ProgramRequest, _ channels: TideProgramChannels, _ program: inout TideProgram
  ) -> Int32 {
    request.withRaw { raw in
      raw.input = channels.their_input
      raw.output = channels.their_output
      raw.errors = channels.their_errors
      return tide_program_start(&raw, &program)
    }
  }

  /// The process identifier.
  package var id: Int { Int(program.id) }

  package var isRunning: Bool { program.control >= 0 }

  // MARK: Input

  /// Writes to the program's standard input asynchronously. Returns false if it is closed.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    guard channels.input >= 0, !closesInput else { return false }
    unwritten += bytes
    return flush()
  }

  /// The number of bytes waiting to be written.
  package var waitingBytes: Int { unwritten.count - written }

  /// The reservation for the memory of bytes waiting to be written.
  package var inputMemory: MemoryReservation?

  /// Closes the program's standard input after writing the waiting bytes.
  package func closeInput() {
    closesInput = true
    flush()
  }

  @discardableResult
  private func flush() -> Bool {
    while channels.input >= 0, written < unwritten.count {
      let count = unwritten[written...].withUnsafeBytes { bytes in
        bytes.baseAddress.map { tide_program_write(channels.input, $0, bytes.count) } ?? 0
      }
      if count < 0 {
        dropInput()
        return false
      }
      if count == 0 { break }
      written += Int(count)
    }
    if written == unwritten.count {
      unwritten.removeAll()
      written = 0
      inputMemory?.shrink(to: 0)
      writing?.cancel()
      writing = nil
      if closesInput { dropInput() }
    } else {
      if written > 1 << 20 {
        unwritten.removeFirst(written)
        written = 0
      }
      if writing == nil {
        writing = try? loop.watch(writing: channels.input) { [unowned self] in _ = flush() }
      }
    }
    return true
  }

  private func dropInput() {
    writing?.cancel()
    writing = nil
    unwritten = []
    written = 0
    inputMemory = nil
    if channels.input >= 0 { close(channels.input) }
    channels.input = -1
  }

  // MARK: Output

  /// Reads available output, with a limit so that other work is not delayed.
  private func receive(
    _ descriptor: Int32, most: Int = 4, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    withUnsafeTemporaryAllocation(byteCount: slice, alignment: 16) { room in
      for _ in 0..<most {
        guard admits(room.count) else {
          if channels.output == descriptor || channels.errors == descriptor {
            unwatch(descriptor)
            paused.insert(descriptor)
          }
          return
        }
        guard channels.output == descriptor || channels.errors == descriptor else { return }
        let count = read(descriptor, room.baseAddress, room.count)
        if count > 0 {
          body(UnsafeRawBufferPointer(rebasing: room[..<count]))
          // The handler may have ended the program, and descriptor numbers may have been reused.
          guard channels.output == descriptor || channels.errors == descriptor else { return }
          if count == room.count { continue }
          return
        }
        if count < 0, errno == EINTR { continue }
        if count == 0 || errno != EAGAIN { unwatch(descriptor) }
        return
      }
    }
  }

  /// Resumes reading after `admits` returned false.
  package func resume() {
    let resumed = paused
    paused = []
    if ending != nil { return drain() }
    for descriptor in resumed {
      do { try watchOutput(descriptor) } catch {
        paused.insert(descriptor)
        tryAgain { $0.resume() }
      }
    }
  }

  /// Retries an operation later, because the system is out of descriptors or memory.
  private func tryAgain(_ body: @escaping (RunningProgram) -> Void) {
    retry?.cancel()
    retry = loop.after(Self.retryDelay) { [weak self] in self.map(body) }
  }

  /// The delay in seconds.
  private static let retryDelay = 0.1

  private func unwatch(_ descriptor: Int32) {
    watches.removeAll { watch in
      if watch.descriptor == descriptor { watch.cancel() }
      return watch.descriptor == descriptor
    }
  }

  // MARK: The end

  /// Sends a signal to the program's process group. Returns false if it has ended, or if the signal
  /// is not allowed.
  @discardableResult
  package func signal(_ number: Int32) -> Bool { tide_program_signal(&program, number) == 0 }

  private func finish() {
    let control = program.control
    // Finishing closes the descriptor.
    let watch = watches.first { $0.descriptor == control }
    watch?.cancel()
    watches.removeAll { $0 === watch }
    var status: Int32 = 0
    guard tide_program_finish(&program, &status) else {
      do { try self.watch(control) { [unowned self] in finish() } } catch {
        tryAgain { $0.finish() }
      }
      return
    }
    ending = ProgramEnding(status)
    drain()
  }

  /// Reads the remaining output, and reports the end. All output is available; any process that
  /// still holds the pipe has left the program's group.
  private func drain() {
    let (output, errors) = (channels.output, channels.errors)
    receive(output, most: .max, onOutput)
    if paused.isEmpty { receive(errors, most: .max, onErrors) }
    guard paused.isEmpty, let ending else { return }
    let ended = onEnd
    release()
    ended(ending)
  }

  /// Kills the program's process group; nothing is reported any more.
  package func end() { release() }

  private func release() {
    for watch in watches { watch.cancel() }
    watches = []
    retry?.cancel()
    retry = nil
    (paused, ending) = ([], nil)
    dropInput()
    tide_program_end(&program)
    tide_program_close(&channels, true)
    (onOutput, onErrors, onEnd, admits) = ({ _ in }, { _ in }, { _ in }, { _ in true })
  }
}

/// How to start a program.
package struct ProgramRequest: Equatable, Sendable {
  /// The program, found as by a shell, and its arguments.
  package var arguments: [String]
  /// Environment variables in addition to those that programs inherit.
  package var environment: [String: String] = [:]
  /// Names of further variables to inherit from this process.
  package var inherited: [String] = []
  /// The working folder; nil for this process's folder.
  package var folder: String?
  /// Whether its standard input is a channel; otherwise it is empty.
  package var takesInput = false

  package init(_ arguments: [String]) { self.arguments = arguments }

  /// The part of the request that could run other code than the named program, for use where only
  /// that program is allowed: an environment variable, or a path that depends on the working
  /// folder; nil if there is none.
  package var forbiddenPart: String? {
    withRaw { raw in tide_program_forbidden_part(&raw).map { String(cString: $0) } }
  }

  /// Calls a function with the request as a C structure, without channels.
  fileprivate func withRaw<Result>(_ body: (inout TideProgramRequest) -> Result) -> Result {
    let variables = environment.map { "\($0.key)=\($0.value)" }
    return Self.withTexts(arguments) { arguments in
      Self.withTexts(variables) { environment in
        Self.withTexts(inherited) { inherited in
          func call(_ folder: UnsafePointer<CChar>?) -> Result {
            var raw = TideProgramRequest(
              arguments: arguments, environment: environment, inherited: inherited,
              folder: folder, input: -1, output: -1, errors: -1)
            return body(&raw)
          }
          guard let folder else { return call(nil) }
          return folder.withCString { call($0) }
        }
      }
    }
  }

  /// Calls a function with a null-terminated list of C strings.
  private static func withTexts<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { UnsafePointer(strdup($0)) } + [nil]
    defer { for copy in copies { free(UnsafeMutableRawPointer(mutating: copy)) } }
    return copies.withUnsafeBufferPointer { list in
      guard let base = list.baseAddress else { preconditionFailure("the list ends with null") }
      return body(base)
    }
  }

  fileprivate func error(_ number: Int32) -> SystemError {
    SystemError("\"\(arguments.first ?? "")\" cannot be run", number: number)
  }
}

/// The exit status of a program.
package struct ProgramEnding: Equatable, Sendable {
  /// The signal that terminated it; nil if it exited.
  package let signal: Int32?
  /// The exit code; after a signal, 128 plus the signal's number, as in a shell.
  package let code: Int

  /// The ending of a program that exited normally.
  package init(code: Int) {
    signal = nil
    self.code = code
  }

  /// - Parameter status: the status from `waitpid`.
  init(_ status: Int32) {
    let number = status & 0x7f
    signal = number == 0 ? nil : number
    code = number == 0 ? Int((status >> 8) & 0xff) : 128 + Int(number)
  }
}
