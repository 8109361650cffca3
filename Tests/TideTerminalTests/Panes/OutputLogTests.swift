import CTideTerminal
import Glibc
import Testing

@testable import TideTerminal

extension TerminalSuites {
  @Suite struct OutputLogTests {
    @Test func `lines are kept in order, unfinished ones wait for their end`() throws {
      var log = OutputLog()
      log.append("one")
      log.append("two\nthree")
      #expect(log.lines == ["one", "two", "three"])
    }

    @Test func `only the last lines are kept for the pane`() {
      var log = OutputLog()
      for number in 0..<5000 { log.append("line \(number)") }
      #expect(log.lines.count >= 1000 && log.lines.count <= 2000)
      #expect(log.lines.last == "line 4999")
    }

    @Test func `a very long line is cut, bytes that are no UTF-8 are replaced`() throws {
      try withTerminal { terminal in
        var log = OutputLog()
        log.append(String(repeating: "x", count: 1_000_000))
        let bad: [UInt8] = [0x61, 0xff, 0x0a]
        _ = write(tide_terminal_log_descriptor(), bad, bad.count)
        let isNew = log.drain()
        #expect(isNew)
        #expect(log.lines.map(\.utf8.count) == [10_000, 4])
        #expect(log.lines.last == "a\u{FFFD}")
        let isMore = log.drain()
        #expect(!isMore)
      }
    }

    @Test func `what the process wrote comes between what was logged`() throws {
      try withTerminal { terminal in
        var log = OutputLog()
        log.append("before")
        let bytes = Array("from elsewhere\nhalf".utf8)
        _ = write(tide_terminal_log_descriptor(), bytes, bytes.count)
        log.append(" a line")
        #expect(log.lines == ["before", "from elsewhere", "half a line"])
        tide_terminal_release()
        let text = String(decoding: terminal.output(), as: UTF8.self)
        #expect(text == "before\r\nfrom elsewhere\r\nhalf a line\r\n")
      }
    }

    @Test func `lines for the pane alone are not copied at the end, and split no line`() throws {
      try withTerminal { terminal in
        var log = OutputLog()
        let bytes = Array("printed\nhalf".utf8)
        _ = write(tide_terminal_log_descriptor(), bytes, bytes.count)
        log.insert("for now\nand this")
        log.append(" a line")
        #expect(log.lines == ["printed", "for now", "and this", "half a line"])
        tide_terminal_release()
        let text = String(decoding: terminal.output(), as: UTF8.self)
        #expect(text == "printed\r\nhalf a line\r\n")
      }
    }

    @Test func `colours and links are for the terminal, and not in the lines of the pane`() throws {
      try withTerminal { terminal in
        var log = OutputLog()
        let link = "\u{1b}]8;;https://example.org\u{1b}\\here\u{1b}]8;;\u{07}"
        log.append("\u{1b}[1;31merror[E1]:\u{1b}[0m \u{1b}[38:2::1:2:3m漢\u{1b}[m \(link).")
        #expect(log.lines == ["error[E1]: 漢 here."])
        tide_terminal_release()
        #expect(
          String(decoding: terminal.output(), as: UTF8.self).contains("\u{1b}[1;31merror[E1]"))
      }
    }

    @Test func `what is no whole sequence stays in the line`() {
      for line in [
        "\u{1b}", "a\u{1b}[", "\u{1b}[12;", "\u{1b}[1漢", "\u{1b}]0;title", "\u{1b}]0\u{1b}x",
      ] {
        var log = OutputLog()
        log.append(line)
        #expect(log.lines == [line])
      }
    }

    @Test func `the file is bounded, and says what it lost`() throws {
      try withTerminal { terminal in
        var log = OutputLog()
        let line = String(repeating: "y", count: 99_999)
        for _ in 0..<200 { log.append(line) }
        let size = lseek(tide_terminal_log_descriptor(), 0, SEEK_END)
        #expect(size < 9 << 20)
        var start = [UInt8](repeating: 0, count: 40)
        pread(tide_terminal_log_descriptor(), &start, start.count, 0)
        let text = String(decoding: start, as: UTF8.self)
        #expect(text.hasPrefix("(") && text.contains(" earlier lines of output"))
        let kept = Int(size) / 100_000
        #expect(text.hasPrefix("(\(200 - kept) "))
      }
    }

    private func withTerminal(_ body: (PseudoTerminal) throws -> Void) throws {
      let terminal = try PseudoTerminal()
      #expect(tide_terminal_take(terminal.slave, terminal.slave, [], 0, [], 0, 0) == 0)
      try body(terminal)
      // Nobody reads this terminal, which holds a few kilobytes.
      ftruncate(tide_terminal_log_descriptor(), 0)
      tide_terminal_release()
    }
  }
}
