import CTideTerminal
import Glibc
import Testing

@testable import TideTerminal

/// The suites that take the process's one terminal: never two at a time.
@Suite(.serialized) enum TerminalSuites {}

extension TerminalSuites {
  /// The terminal is put back on every way out of a process.
  @Suite struct TerminalGuardTests {
    private let enter = Array("<enter>".utf8)
    private let leave = Array("<leave>".utf8)
    private let line = Array("a line\n".utf8)

    /// Takes the terminal, writes a line to the log, and does something.
    private func program(
      options: Int = TIDE_TERMINAL_SIGNALS, before prepare: () -> Void = {}, _ end: () -> Void
    ) throws -> ForkedProgram {
      let terminal = try PseudoTerminal()
      return try ForkedProgram(on: terminal) {
        prepare()
        let failure = tide_terminal_take(
          terminal.slave, terminal.slave, enter, enter.count, leave, leave.count, Int32(options))
        if failure != 0 { _exit(98) }
        _ = write(tide_terminal_log_descriptor(), line, line.count)
        end()
      }
    }

    private func expectRestored(
      _ program: ForkedProgram, _ ending: ForkedProgram.Ending,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let result = program.wait()
      #expect(result.ending == ending, sourceLocation: sourceLocation)
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(text == "<enter><leave>a line\r\n", sourceLocation: sourceLocation)
      #expect(program.terminal.isCooked, sourceLocation: sourceLocation)
    }

    @Test func `leaving restores it and prints the log`() throws {
      expectRestored(
        try program {
          tide_terminal_leave()
          tide_terminal_leave()
          _exit(0)
        }, .exited(0))
      expectRestored(
        try program {
          tide_terminal_release()
          _exit(0)
        }, .exited(0))
    }

    @Test func `exit restores it`() throws {
      expectRestored(try program { exit(3) }, .exited(3))
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS])
    func `a crash restores it and stays a crash`(number: Int32) throws {
      expectRestored(try program { raise(number) }, .signalled(number))
    }

    @Test func `a fault restores it`() throws {
      expectRestored(
        try program { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }, .signalled(SIGSEGV))
    }

    @Test(arguments: [SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGALRM, SIGPROF, SIGVTALRM, SIGIO])
    func `a signal that nobody handles restores it and ends the process`(number: Int32) throws {
      expectRestored(try program { raise(number) }, .signalled(number))
    }

    @Test func `a signal that somebody handles is left to them`() throws {
      let ended = try program(before: { signal(SIGUSR1) { _ in _exit(5) } }) { raise(SIGUSR1) }
      #expect(ended.wait().ending == .exited(5))
    }

    @Test func `a crash ends the process also where its reporter returns`() throws {
      let ended = try program(before: { signal(SIGSEGV) { _ in } }) { raise(SIGSEGV) }
      expectRestored(ended, .signalled(SIGSEGV))
    }

    @Test func `a job in the background ends when it is asked to`() throws {
      let terminal = try PseudoTerminal()
      let session = try ForkedProgram(on: terminal) { endInBackground(terminal.slave) }
      let result = session.wait()
      #expect(result.ending == .exited(7))
      #expect(result.output.isEmpty, "the terminal was never its own")
      #expect(terminal.isCooked)
    }

    /// A job that has never been in front is stopped, asked to end and continued, as `timeout` does.
    private func endInBackground(_ slave: Int32) -> Never {
      guard let symbol = dlsym(nil, "fork") else { _exit(95) }
      let job = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
      if job == 0 {
        setpgid(0, 0)
        let failure = tide_terminal_take(
          slave, slave, enter, enter.count, leave, leave.count, Int32(TIDE_TERMINAL_SIGNALS))
        if failure != 0 { _exit(94) }
        if tide_terminal_next_signal() != SIGTERM { _exit(93) }
        tide_terminal_release()
        _exit(7)
      }
      var status: Int32 = 0
      if waitpid(job, &status, WUNTRACED) != job || status & 0xff != 0x7f { _exit(92) }
      kill(job, SIGTERM)
      kill(job, SIGCONT)
      if waitpid(job, &status, WUNTRACED) != job || status & 0xff == 0x7f {
        kill(job, SIGKILL)
        _exit(91)
      }
      _exit(status >> 8 & 0xff)
    }

    @Test func `a stack that overflows restores it`() throws {
      func descend(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
          bytes[0] = UInt8(truncatingIfNeeded: depth)
          return descend(depth + Int(bytes[0] | 1)) + Int(bytes[1])
        }
      }
      expectRestored(try program { _exit(descend(1) == 0 ? 1 : 2) }, .signalled(SIGSEGV))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func `a signal to end is noted, and a second one ends the process`(number: Int32) throws {
      let ended = try program {
        raise(number)
        if tide_terminal_next_signal() != number { _exit(97) }
        if tide_terminal_next_signal() != 0 { _exit(96) }
        raise(SIGTERM)
      }
      expectRestored(ended, .signalled(number))
    }

    @Test func `a process that does not listen ends two seconds after the signal`() throws {
      let stuck = try program {
        raise(SIGTERM)
        while true { pause() }
      }
      expectRestored(stuck, .signalled(SIGTERM))
    }

    @Test func `a stop restores it, going on takes it again`() throws {
      let terminal = try PseudoTerminal()
      let session = try ForkedProgram(on: terminal) { stopAndContinue(terminal.slave) }
      let result = session.wait()
      #expect(result.ending == .exited(0))
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(text == "<enter><leave>stopped <enter><leave>stopped <enter><leave>")
    }

    private func stopAndContinue(_ slave: Int32) -> Never {
      let job = startJob(slave, stoppedBy: SIGTSTP) {
        if !tide_terminal_is_shown() { _exit(92) }
        tide_terminal_suspend()
        while tide_terminal_next_signal() == SIGCONT {}
      }
      let word = Array("stopped ".utf8)
      resume(job) {
        var settings = termios()
        tcgetattr(slave, &settings)
        if settings.c_lflag & UInt32(ICANON) == 0 { _exit(90) }
        _ = write(slave, word, word.count)
      }
    }

    @Test func `after a stop that nobody sees coming it is left and taken again`() throws {
      let terminal = try PseudoTerminal()
      let session = try ForkedProgram(on: terminal) { stopUnseen(terminal.slave) }
      let result = session.wait()
      #expect(result.ending == .exited(0))
      // Each way in has its way out: the terminal's stack of titles must not grow.
      #expect(String(decoding: result.output, as: UTF8.self) == "<enter><leave><enter><leave>")
    }

    private func stopUnseen(_ slave: Int32) -> Never {
      resume(startJob(slave, stoppedBy: SIGSTOP) {}) {}
    }

    /// A session with a job, as a shell has it: a process group that nobody watches does not stop.
    ///
    /// The job takes the terminal, stops, does more once it goes on, and gives the terminal back.
    private func startJob(_ slave: Int32, stoppedBy number: Int32, then goOn: () -> Void) -> pid_t {
      guard let symbol = dlsym(nil, "fork") else { _exit(95) }
      let job = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
      if job != 0 { return job }
      setpgid(0, 0)
      signal(SIGTTOU, SIG_IGN)
      tcsetpgrp(slave, getpid())
      signal(SIGTTOU, SIG_DFL)
      let failure = tide_terminal_take(
        slave, slave, enter, enter.count, leave, leave.count, Int32(TIDE_TERMINAL_SIGNALS))
      if failure != 0 { _exit(94) }
      raise(number)
      if tide_terminal_next_signal() != SIGCONT { _exit(93) }
      goOn()
      tide_terminal_release()
      _exit(0)
    }

    /// Lets the job go on each time that it stops, and ends as it does.
    private func resume(_ job: pid_t, whenStopped look: () -> Void) -> Never {
      while true {
        var status: Int32 = 0
        if waitpid(job, &status, WUNTRACED) != job { _exit(91) }
        if status & 0xff != 0x7f { _exit(status >> 8 & 0xff) }
        look()
        kill(job, SIGCONT)
      }
    }

    @Test func `what the process prints goes to the log`() throws {
      let captures = TIDE_TERMINAL_SIGNALS | TIDE_TERMINAL_CAPTURE
      let terminal = try PseudoTerminal()
      let printing = try ForkedProgram(on: terminal) {
        dup2(terminal.slave, 1)
        dup2(terminal.slave, 2)
        let failure = tide_terminal_take(
          terminal.slave, 1, enter, enter.count, leave, leave.count, Int32(captures))
        if failure != 0 { _exit(98) }
        _ = write(1, line, line.count)
        _ = write(2, line, line.count)
        _ = tide_terminal_write(line, 1)
        abort()
      }
      let result = printing.wait()
      #expect(result.ending == .signalled(SIGABRT))
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(text == "<enter>a<leave>a line\r\na line\r\n")
    }

    @Test func `a child of the process leaves its parent's terminal alone`() throws {
      let parent = try program {
        guard let symbol = dlsym(nil, "fork") else { _exit(95) }
        let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
        if child == 0 {
          tide_terminal_leave()
          raise(SIGTERM)
          _exit(1)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        _exit(status == SIGTERM && tide_terminal_is_shown() ? 0 : 1)
      }
      let result = parent.wait()
      #expect(result.ending == .exited(0))
      #expect(String(decoding: result.output, as: UTF8.self) == "<enter>")
    }

    @Test func `what is no terminal is refused`() throws {
      let null = open("/dev/null", O_RDWR)
      defer { close(null) }
      #expect(tide_terminal_take(null, null, [], 0, [], 0, 0) == ENOTTY)
      #expect(tide_terminal_take(-1, -1, [], 0, [], 0, 0) == EBADF)
      #expect(tide_terminal_descriptor() == -1)
      #expect(tide_terminal_write([1], 1) == EAGAIN)
      tide_terminal_release()
    }
  }
}
