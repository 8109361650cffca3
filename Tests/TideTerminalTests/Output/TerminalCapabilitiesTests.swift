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

@Suite struct AsciiFallbackTests {
  @Test func `every scalar has a printable stand-in`() {
    for value in UInt32(0)...0x1_2000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect((0x20...0x7e).contains(AsciiFallback.byte(for: scalar)))
    }
  }

  @Test(arguments: [
    ("┌─┬─┐│└┴┘", "+-+-+|+++"), ("àÉîøüß", "aEious"), ("šČżŁ", "sCzL"), ("═║╔", "=|+"),
    ("▁▄█", "_-#"), ("░▒▓", ".:%"), ("⠀⠁⣿", " .#"), ("→←↑↓", "><^v"), ("–…“”‘", "-.\"\"'"),
    ("漢", "?"), ("plain ~", "plain ~"),
  ])
  func `stand-ins resemble what they stand for`(text: String, expected: String) {
    let bytes = text.unicodeScalars.map(AsciiFallback.byte(for:))
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}

@Suite struct PaletteTests {
  @Test func `every colour of the cube and every grey is nearest to itself`() {
    for red in 0..<6 {
      for green in 0..<6 {
        for blue in 0..<6 {
          let found = Palette.nearest256(red: level(red), green: level(green), blue: level(blue))
          #expect(found == 16 + 36 * red + 6 * green + blue)
        }
      }
    }
    for grey in 0..<24 {
      let shade = UInt8(8 + 10 * grey)
      let found = Palette.nearest256(red: shade, green: shade, blue: shade)
      // Some greys are in the cube too.
      #expect(found == 232 + grey || found < 232 && shade == level(Int(found - 16) / 43))
    }
  }

  @Test func `pure colours keep their hue among 8 and 16`() {
    for (red, green, blue, plain, bright) in [
      (255, 0, 0, 1, 9), (0, 255, 0, 2, 10), (0, 0, 255, 4, 4), (255, 255, 255, 7, 15),
      (0, 0, 0, 0, 0), (210, 210, 210, 7, 7), (255, 255, 0, 3, 11),
    ] as [(UInt8, UInt8, UInt8, UInt8, UInt8)] {
      #expect(Palette.nearest(among: 8, red: red, green: green, blue: blue) % 8 == plain)
      #expect(Palette.nearest(among: 16, red: red, green: green, blue: blue) == bright)
    }
  }

  private func level(_ step: Int) -> UInt8 { UInt8(step == 0 ? 0 : 55 + 40 * step) }
}
