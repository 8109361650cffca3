import CTideSystem

/// A program that has been started, whose output arrives on an event loop.
///
/// ```swift
/// let program = try RunningProgram(loop, ProgramRequest(["ls", "-l"]))
/// program.onOutput = { bytes in print(bytes.count) }
/// program.onEnd = { ending in print(ending.code) }
/// ```
///
/// It has a process group of its own, which is killed when the program ends, with `end`, or when
/// this is released. Where the process is confined, the broker starts it.
package final class RunningProgram {
  /// Called with what it writes to its standard output. The bytes are good until it returns.
  package var onOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
  /// The same for its standard error.
  package var onErrors: (UnsafeRawBufferPointer) -> Void = { _ in }
  /// Asked before so many bytes at most are read; false pauses reading until ``resume()``.
  package var admits: (_ count: Int) -> Bool = { _ in true }
  /// Called once, after all that it has written.
  package var onEnd: (ProgramEnding) -> Void = { _ in }

  private let loop: EventLoop
  private var program = TideProgram(id: 0, control: -1, is_brokered: false)
  private var channels: TideProgramChannels
  private var watches: [DescriptorWatch] = []
  private var writing: DescriptorWatch?
  /// Waits until the system has descriptors or memory again.
  private var retry: LoopTimer?
  /// What waits to be written, from an offset on.
  private var unwritten: [UInt8] = []
  private var written = 0
  private var closesInput = false
  /// Ours of the channels that are not read for now.
  private var paused: Set<Int32> = []
  /// How it has ended, while what it wrote last waits to be read.
  private var ending: ProgramEnding?

  /// The most bytes that are read at a time.
  package var slice = 1 << 16

  /// - Throws: why it cannot be started.
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

  /// The number by which the system knows it.
  package var id: Int { Int(program.id) }

  package var isRunning: Bool { program.control >= 0 }

  // MARK: Input

  /// Writes to its standard input, as it takes it; false where it takes none any more.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    guard channels.input >= 0, !closesInput else { return false }
    unwritten += bytes
    return flush()
  }

  /// How many bytes wait to be written.
  package var waitingBytes: Int { unwritten.count - written }

  /// Stands for the memory of what waits to be written.
  package var inputMemory: MemoryReservation?

  /// Ends its standard input, after what waits to be written.
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

  /// Reads what there is, but not so much that others wait long.
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
          // It may have ended the program, whose descriptors' numbers may be others' by now.
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

  /// Reads on after `admits` has been false.
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

  /// Does something later that needs a descriptor, or memory of the system, which is used up now.
  private func tryAgain(_ body: @escaping (RunningProgram) -> Void) {
    retry?.cancel()
    retry = loop.after(Self.retryDelay) { [weak self] in self.map(body) }
  }

  /// In seconds.
  private static let retryDelay = 0.1

  private func unwatch(_ descriptor: Int32) {
    watches.removeAll { watch in
      if watch.descriptor == descriptor { watch.cancel() }
      return watch.descriptor == descriptor
    }
  }

  // MARK: The end

  /// Sends it and its group a signal; false where it has ended, or the signal is none for programs.
  @discardableResult
  package func signal(_ number: Int32) -> Bool { tide_program_signal(&program, number) == 0 }

  private func finish() {
    let control = program.control
    // It is closed by what follows.
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

  /// Reads the rest, and reports the end. What it has written is all there; whoever still holds the
  /// other end has left its group.
  private func drain() {
    let (output, errors) = (channels.output, channels.errors)
    receive(output, most: .max, onOutput)
    if paused.isEmpty { receive(errors, most: .max, onErrors) }
    guard paused.isEmpty, let ending else { return }
    let ended = onEnd
    release()
    ended(ending)
  }

  /// Kills it and its group; nothing is reported any more.
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

/// What a program is started with.
package struct ProgramRequest: Equatable, Sendable {
  /// The program, which is looked for as a shell does, and its arguments.
  package var arguments: [String]
  /// Variables beside those of this process that programs get.
  package var environment: [String: String] = [:]
  /// Names of further variables of this process that it gets.
  package var inherited: [String] = []
  /// Where it runs; nil for where this process does.
  package var folder: String?
  /// Whether it is written to; else its standard input is empty.
  package var takesInput = false

  package init(_ arguments: [String]) { self.arguments = arguments }

  /// What of it could have other code run than the program of its name, where only that may be
  /// started: a variable of the environment, or a path that depends on the folder; nil for nothing.
  package var forbiddenPart: String? {
    withRaw { raw in tide_program_forbidden_part(&raw).map { String(cString: $0) } }
  }

  /// Calls a function with the request as the system takes it, without channels.
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

  /// Calls a function with a list of texts that ends with a null pointer.
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

/// How a program has ended.
package struct ProgramEnding: Equatable, Sendable {
  /// The signal that has ended it; nil where it ended by itself.
  package let signal: Int32?
  /// Its exit code; that of a shell, 128 and the signal's number, after a signal.
  package let code: Int

  /// One that ended by itself.
  package init(code: Int) {
    signal = nil
    self.code = code
  }

  /// - Parameter status: as `waitpid` gives it.
  init(_ status: Int32) {
    let number = status & 0x7f
    signal = number == 0 ? nil : number
    code = number == 0 ? Int((status >> 8) & 0xff) : 128 + Int(number)
  }
}
