import TideBindings
import TideGraph
import TideLua
import TideSystem

extension Runtime {
  /// `process.run(command, arguments, options)` and similar functions: programs, run without a
  /// shell.
  func installProcesses() throws {
    try publishTable(
      "process",
      [
        .processRun: { [unowned self] call in try run(program: call) },
        .processLines: { [unowned self] call in try lines(ofProgram: call) },
        .processStart: { [unowned self] call in try start(program: call) },
        .processStub: { [unowned self] call in try stubs.stubPrograms(call, in: self) },
      ])
  }

  // MARK: process.run

  private func run(program call: borrowing LuaCall) throws {
    let found = try read(call, "process.run", ["timeout"])
    if let stub = found.stub {
      let answer = try ProgramAnswer(stub, found.request, found.input)
      return try wait(call, forStub: "process.run", seconds: answer.delay) { runtime in
        [try runtime.result(answer.ending, answer.output, answer.errors)]
      }
    }
    let most = mostSourceBytes
    let written = ProgramOutput(memory.account)
    try wait(call, forSource: "process.run", holding: written) { [home] completion in
      guard let runtime = home.runtime else { return {} }
      let program = try runtime.start(found.request, found.input)
      program.slice = runtime.outputSlice
      var timer: LoopTimer?
      func fail(_ error: TideError) {
        timer?.cancel()
        program.end()
        completion(.failure(error))
      }
      var isWaiting = false
      func overflow() {
        fail(
          TideError(
            .source,
            "\"\(found.request.arguments[0].inMessage)\" writes more than \(most) bytes, the limit "
              + "\"value\"; process.lines takes them line by line"))
      }
      let name = "what \"\(found.request.arguments[0].inMessage)\" writes"
      program.admits = { count in
        if isWaiting { return false }
        guard let runtime = home.runtime else { return false }
        let answer = runtime.memory.grow({ written.reserve(count) }) { hasRoom in
          isWaiting = false
          if hasRoom { program.resume() } else { fail(.noRoom(for: name)) }
        }
        if answer == .never { fail(.noRoom(for: name)) }
        isWaiting = answer == .later
        return answer == .now
      }
      program.onOutput = {
        written.output.append($0)
        if written.output.count > most { overflow() }
      }
      program.onErrors = {
        written.errors.append($0)
        if written.errors.count > most { overflow() }
      }
      program.onEnd = { ending in
        timer?.cancel()
        guard let runtime = home.runtime else { return }
        completion(
          Result { [try runtime.result(ending, written.output.finish(), written.errors.finish())] })
      }
      if found.input != nil { program.closeInput() }
      if let seconds = found.timeout {
        timer = runtime.loop.after(seconds) {
          fail(
            TideError(
              .timeout,
              "\"\(found.request.arguments[0].inMessage)\" took longer than "
                + "\(Value.number(seconds).text ?? "?") s, its timeout, and was ended"))
        }
      }
      return {
        timer?.cancel()
        program.end()
      }
    }
  }

  /// The most bytes of output to read at once, limited by the runtime's memory.
  private var outputSlice: Int {
    let memory = lua.memoryLimit
    return memory > 0 ? min(1 << 16, max(1 << 12, memory >> 10)) : 1 << 16
  }

  /// Starts a program, and writes its input.
  func start(_ request: ProgramRequest, _ input: [UInt8]?) throws -> RunningProgram {
    // Reserved first, since the program gets all of the input at its start.
    let reservation = try input.map { try admitInput($0.count, MemoryReservation(memory.account)) }
    let program: RunningProgram
    do throws(SystemError) { program = try RunningProgram(loop, request) } catch {
      throw TideError(error, .source)
    }
    program.inputMemory = reservation
    if let input { program.write(input) }
    return program
  }

  /// Reserves memory for input that the program has not read yet.
  private func admitInput(
    _ bytes: Int, _ reservation: MemoryReservation
  ) throws -> MemoryReservation {
    guard memory.hold(bytes, in: reservation) else {
      throw TideError.noRoom(for: "what the program is to read")
    }
    return reservation
  }

  fileprivate func result(
    _ ending: ProgramEnding, _ output: [UInt8], _ errors: [UInt8]
  ) throws -> LuaValue {
    let what = "what the program has written"
    return .table(
      try lua.table([
        "code": .integer(ending.code), "output": try admittedText(output, of: what),
        "error": try admittedText(errors, of: what),
        "signal": ending.signal.map { .integer(Int($0)) } ?? .nil,
      ]))
  }

  // MARK: process.lines, process.start

  private func lines(ofProgram call: borrowing LuaCall) throws {
    let found = try read(call, "process.lines", ["limit", "name"])
    let list = StreamList(limit: found.limit)
    try charge(Weight.task + Weight.list)
    let feed = LineFeed(list, in: self)
    if let stub = found.stub {
      let answer = try ProgramAnswer(stub, found.request, found.input)
      let error =
        answer.ending.code == 0 ? nil : answer.ending.error(of: found.request, answer.errors)
      list.source = GivenStream(
        feed, answer.output, after: answer.delay, error: error, in: self)
    } else {
      list.source = ProcessStream(feed, found.request, found.input, in: self)
    }
    try begin(list, named: found.name)
    try call.return(luaValue(list))
  }

  private func start(program call: borrowing LuaCall) throws {
    var found = try read(call, "process.start", ["limit"])
    found.request.takesInput = true
    try charge(Weight.task + 2 * Weight.list + Self.size(properties: 5))
    let program = ScriptProgram(found.request, limit: found.limit, in: self)
    if let stub = found.stub {
      let answer = try ProgramAnswer(stub, found.request, found.input)
      let timer = loop.after(answer.delay) {
        program.pretend(answer.output, answer.errors, answer.ending)
      }
      context.own { timer.cancel() }
    } else {
      try program.begin(found.input, in: self)
    }
    try call.return(luaValue(program))
  }

  /// `program:write(text)` and similar methods.
  func addProgramMethods(to methods: LuaTable, of shape: Shape) throws {
    guard shape === ScriptProgram.programShape else { return }
    try method(methods, "write(text)") { [unowned self] call in
      let program = try program(call)
      let bytes = try bytes(call, 1)
      let waiting = program.program?.waitingBytes ?? 0
      let total = waiting + bytes.count
      guard total <= mostSourceBytes else {
        throw TideError(
          .limit,
          "\(waiting) bytes wait for the program to read them, which is as many as the limit "
            + "\"value\" lets wait")
      }
      if let running = program.program {
        let held = running.inputMemory ?? MemoryReservation(memory.account)
        running.inputMemory = try admitInput(total, held)
      }
      call.return(program.program?.write(bytes) ?? false)
    }
    try method(methods, "close()") { [unowned self] call in
      try program(call).program?.closeInput()
    }
    try method(methods, "kill(signal)") { [unowned self] call in
      let name = call.isNil(1) ? "TERM" : try call.string(1)
      guard let number = Self.signals[name] else {
        let names = Self.signals.keys.sorted().joined(separator: ", ")
        throw call.badArgument(1, "\"\(name.inMessage)\" is no signal; there are \(names)")
      }
      call.return(try program(call).program?.signal(number) ?? false)
    }
    try method(methods, "wait()") { [unowned self] call in
      let program = try program(call)
      if let ending = program.ending {
        return try call.return(result(ending, [], [], of: program))
      }
      try wait(call, forSource: "program:wait") { [home] completion in
        program.whenEnded { ending in
          guard let runtime = home.runtime else { return }
          completion(
            Result {
              guard let ending else {
                throw TideError(.cancelled, "the program was ended with its context")
              }
              return [try runtime.result(ending, [], [], of: program)]
            })
        }
      }
    }
  }

  private func result(
    _ ending: ProgramEnding, _ output: [UInt8], _ errors: [UInt8], of program: ScriptProgram
  ) throws -> LuaValue {
    .table(
      try lua.table([
        "code": .integer(ending.code), "signal": ending.signal.map { .integer(Int($0)) } ?? .nil,
      ]))
  }

  private static let signals: [String: Int32] = [
    "CONT": SIGCONT, "HUP": SIGHUP, "INT": SIGINT, "KILL": SIGKILL, "QUIT": SIGQUIT,
    "STOP": SIGSTOP, "TERM": SIGTERM, "USR1": SIGUSR1, "USR2": SIGUSR2, "WINCH": SIGWINCH,
  ]

  private func program(_ call: borrowing LuaCall) throws -> ScriptProgram {
    guard let program = call.object(0)?.dataObject as? ScriptProgram else {
      throw call.wrongType(0, "program")
    }
    return program
  }
}

/// The output of a program so far.
private final class ProgramOutput {
  let output: ReceivedBytes
  let errors: ReceivedBytes

  init(_ account: MemoryAccount) {
    let reservation = MemoryReservation(account)
    output = ReceivedBytes(reservation)
    errors = ReceivedBytes(reservation)
  }

  /// Reserves bytes for both outputs. If only one reservation succeeds, it is used later.
  func reserve(_ count: Int) -> MemoryAccount.Answer {
    let answer = output.reserve(count)
    return answer == .granted ? errors.reserve(count) : answer
  }
}

// MARK: Catalogue

extension APIEntry {
  static let process = APIEntry(
    "process", usage: "process.run(command, arguments)", "Runs programs, where that is allowed.")

  static let processRun = APIEntry(
    "process.run(command, arguments, options)",
    usage: "process.run(command [, arguments [, options]])",
    "Waits for a program to end; gives its code and what it wrote.",
    """
    @param command string
    @param arguments? string[]
    @param options? tidelock.RunOptions
    @return tidelock.ProgramResult
    """)
  static let processLines = APIEntry(
    "process.lines(command, arguments, options)",
    usage: "process.lines(command [, arguments [, options]])",
    "A stream of the lines that a program writes.",
    """
    @param command string
    @param arguments? string[]
    @param options? tidelock.ProgramLinesOptions
    @return tidelock.Stream
    """)
  static let processStart = APIEntry(
    "process.start(command, arguments, options)",
    usage: "process.start(command [, arguments [, options]])",
    "Starts a program that is written to and may be ended.",
    """
    @param command string
    @param arguments? string[]
    @param options? tidelock.StartOptions
    @return tidelock.Program
    """)
  static let processStub = APIEntry(
    "process.stub(answers)", usage: "process.stub { [command] = output }",
    "In a spec: answers in place of programs.",
    """
    @param answers table<string, string|table|function>
    """)
}

extension APISection {
  static let processes = APISection(
    article: "LiveData",
    entries: [.process, .processRun, .processLines, .processStart, .processStub],
    types: """
      ---@class tidelock.ProgramOptions
      ---@field input? string
      ---@field environment? table<string, string>
      ---@field folder? string

      ---@class tidelock.RunOptions : tidelock.ProgramOptions
      ---@field timeout? number

      ---@class tidelock.ProgramLinesOptions : tidelock.ProgramOptions
      ---@field name? string
      ---@field limit? integer

      ---@class tidelock.StartOptions : tidelock.ProgramOptions
      ---@field limit? integer

      ---@class tidelock.ProgramResult
      ---@field code integer
      ---@field output string
      ---@field error string
      ---@field signal integer?

      ---@class tidelock.Program : tidelock.DataObject
      ---@field running boolean
      ---@field code integer?
      ---@field id integer?
      ---@field output tidelock.Stream
      ---@field errors tidelock.Stream
      local Program = {}
      ---Writes to the program's standard input.
      ---@param text string
      ---@return boolean
      function Program:write(text) end
      ---Closes the program's standard input.
      function Program:close() end
      ---Sends a signal to the program.
      ---@param signal? string "TERM" where it is not given
      ---@return boolean
      function Program:kill(signal) end
      ---Waits until the program has ended, and gives its result.
      ---@return { code: integer, signal: integer? }
      function Program:wait() end
      """)
}
