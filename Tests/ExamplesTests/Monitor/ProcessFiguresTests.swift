import Testing

@testable import Monitor

@Suite struct ProcessFiguresTests {
  /// The text of a stat file for a process of that name.
  private func text(name: String, flags: Int = 4_194_304) -> [UInt8] {
    Array(
      """
      4321 (\(name)) S 17 4321 4321 0 -1 \(flags) 99 0 0 0 250 50 0 0 20 0 3 0 354874 3133440 410 \
      18446744073709551615 94362986205184 94362986225065 140730190076320 0 0 0 0 0 0 0 0 0 17 1 0

      """.utf8)
  }

  @Test func `a process is read`() throws {
    let process = try #require(ProcessFigures(parsing: text(name: "cat")))
    #expect(
      process
        == ProcessFigures(
          pid: 4321, name: "cat", state: "S", parent: 17, isKernelThread: false, ticks: 300,
          threads: 3, started: 354_874, residentPages: 410))
  }

  @Test(arguments: [
    "tmux: server", "(sd-pam)", "a) R 1 (b", ") ) )", "((", "", "ends with )", "näme", "two\nlines",
  ])
  func `a name may hold anything`(name: String) throws {
    let process = try #require(ProcessFigures(parsing: text(name: name)))
    #expect(process.name == name)
    #expect(process.parent == 17)
    #expect(process.residentPages == 410)
  }

  @Test func `a name that is not UTF-8 is repaired`() throws {
    let bytes = Array("7 (".utf8) + [0xff, 0x41] + text(name: "").drop { $0 != UInt8(ascii: ")") }
    #expect(try #require(ProcessFigures(parsing: bytes)).name == "\u{fffd}A")
  }

  @Test func `a kernel thread is known by its flag`() throws {
    let thread = try #require(
      ProcessFigures(parsing: text(name: "kworker/0:1-events", flags: 69_238_880)))
    #expect(thread.isKernelThread)
    #expect(thread.command(parsing: []) == "[kworker/0:1-events]")
  }

  @Test func `a text that is cut anywhere gives a process or nothing`() {
    let whole = text(name: "a (b) c")
    for count in whole.indices {
      let process = ProcessFigures(parsing: Array(whole[..<count]))
      #expect(process == nil || process?.pid == 4321)
    }
    #expect(ProcessFigures(parsing: []) == nil)
    #expect(ProcessFigures(parsing: Array(")(".utf8)) == nil)
  }

  @Test func `a command is its arguments`() throws {
    let process = try #require(ProcessFigures(parsing: text(name: "cat")))
    #expect(process.command(parsing: Array("cat\0-n\0a file\0".utf8)) == "cat -n a file")
    #expect(process.command(parsing: Array("sshd: ada [priv]\0\0\0".utf8)) == "sshd: ada [priv]")
  }
}
