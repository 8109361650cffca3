import Testing

@testable import TideTerminal

@Suite struct TerminalCapabilitiesTests {
  @Test(
    arguments: [
      ("TERM=xterm-256color COLORTERM=truecolor", .trueColor),
      ("TERM=xterm-256color COLORTERM=24bit", .trueColor),
      ("TERM=xterm-256color", .palette256),
      ("TERM=xterm", .ansi16),
      ("TERM=linux", .ansi8),
      ("TERM=vt100", .none),
      ("TERM=vt100 TMUX=/tmp/x COLORTERM=truecolor", .none),
      ("TERM=linux TMUX=/tmp/x", .ansi8),
      ("TERM=dumb", .none),
      ("TERM=dumb COLORTERM=truecolor", .none),
      ("", .none),
      ("TERM=xterm-direct", .trueColor),
      ("TERM=tmux-256color TMUX=/tmp/x", .trueColor),
      ("TERM=screen TMUX=/tmp/x", .trueColor),
      ("TERM=screen-256color STY=1.x COLORTERM=truecolor", .palette256),
      ("TERM=screen STY=1.x COLORTERM=truecolor", .ansi16),
      ("TERM=alacritty", .trueColor),
      ("TERM=xterm-256color VTE_VERSION=7006", .trueColor),
      ("TERM=nobody-knows-256color", .palette256),
      ("TERM=nobody-knows", .ansi8),
      ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1", .none),
      ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=", .trueColor),
    ] as [(String, ColorDepth)])
  func `colours follow the environment`(environment: String, expected: ColorDepth) {
    #expect(detect(environment).colors == expected)
  }

  @Test func `a locale that is set and not UTF-8 means ASCII`() {
    #expect(detect("TERM=xterm LANG=de_DE.UTF-8").isUnicode)
    #expect(detect("TERM=xterm LANG=C.utf8").isUnicode)
    #expect(detect("TERM=xterm").isUnicode)
    #expect(!detect("TERM=xterm LANG=C").isUnicode)
    #expect(!detect("TERM=xterm LC_ALL=C LANG=de_DE.UTF-8").isUnicode)
    #expect(!detect("TERM=xterm LC_CTYPE=POSIX LANG=de_DE.UTF-8").isUnicode)
    #expect(detect("TERM=xterm LC_ALL= LANG=de_DE.UTF-8").isUnicode)
  }

  @Test func `only a dumb terminal has no attributes`() {
    #expect(!detect("TERM=dumb").hasAttributes)
    #expect(detect("TERM=vt100").hasAttributes)
    #expect(detect("TERM=xterm NO_COLOR=1").hasAttributes)
  }

  @Test func `the system's descriptions are found`() {
    #expect(Terminfo.find("xterm-256color")?.colors == 256)
    #expect(Terminfo.find("vt100")?.colors == 0)
    #expect(Terminfo.find("no such terminal") == nil)
    #expect(Terminfo.find("") == nil)
  }

  private func detect(_ environment: String) -> TerminalCapabilities {
    var variables: [String: String] = [:]
    for assignment in environment.split(separator: " ") {
      let parts = assignment.split(separator: "=", omittingEmptySubsequences: false)
      variables[String(parts[0])] = String(parts[1])
    }
    // What Debian's descriptions say, so that the test needs none.
    let known = [
      "xterm": Terminfo(colors: 8), "xterm-256color": Terminfo(colors: 256),
      "xterm-direct": Terminfo(colors: 1 << 24, hasRGB: true), "linux": Terminfo(colors: 8),
      "vt100": Terminfo(colors: 0), "tmux-256color": Terminfo(colors: 256),
    ]
    return TerminalCapabilities.detect(terminfo: { known[$0] }, { variables[$0] })
  }
}
