import Testing
import VirtualTerminals

@testable import TideTerminal
@testable import TideViews

@Suite struct FrameEncoderTests {
  @Test(arguments: [
    Size(width: 80, height: 24), Size(width: 1, height: 1), Size(width: 2, height: 2),
    Size(width: 7, height: 1), Size(width: 1, height: 9), Size(width: 20, height: 5),
  ])
  func `after any random frames the terminal shows the last one`(size: Size) {
    for seed in UInt64(1)...12 {
      var painter = RandomPainter(seed: seed)
      let terminal = VirtualTerminal(size: size)
      var encoder = FrameEncoder(capabilities: .full)
      let frame = Frame(size: size)
      for step in 0..<25 {
        painter.paint(frame, strokes: .random(in: 0...8, using: &painter.random))
        terminal.feed(encoder.encode(frame))
        let difference = firstDifference(frame, terminal, .full)
        #expect(difference == nil, "seed \(seed), step \(step): \(difference ?? "")")
        #expect(terminal.complaints == [], "seed \(seed), step \(step)")
        if difference != nil || !terminal.complaints.isEmpty { return }
        #expect(encoder.encode(frame).isEmpty, "seed \(seed), step \(step): nothing changed")
      }
    }
  }

  @Test(arguments: ColorDepth.allCases)
  func `a terminal of few colours shows the nearest ones`(depth: ColorDepth) {
    let capabilities = TerminalCapabilities(colors: depth)
    let size = Size(width: 30, height: 8)
    for seed in UInt64(1)...5 {
      var painter = RandomPainter(seed: seed)
      let terminal = VirtualTerminal(size: size)
      var encoder = FrameEncoder(capabilities: capabilities)
      let frame = Frame(size: size)
      for _ in 0..<20 {
        painter.paint(frame, strokes: 5)
        terminal.feed(encoder.encode(frame))
        #expect(firstDifference(frame, terminal, capabilities) == nil, "seed \(seed)")
        #expect(terminal.complaints == [], "seed \(seed)")
      }
    }
  }

  @Test func `a terminal that knows no clusters has everything else in its place`() {
    let size = Size(width: 40, height: 6)
    for seed in UInt64(1)...20 {
      var painter = RandomPainter(seed: seed)
      let terminal = VirtualTerminal(size: size, clusters: .scalars)
      var encoder = FrameEncoder(capabilities: .full)
      // Only the rows without such a cluster are compared with certainty; in the others, what
      // stands before it, and all that follows on later frames.
      let frame = Frame(size: size)
      for _ in 0..<10 {
        painter.paint(frame, strokes: 4)
        terminal.feed(encoder.encode(frame))
        for y in 0..<size.height where !hasUncertain(frame, y) {
          #expect(firstDifference(frame, terminal, .full, rows: y..<y + 1) == nil, "seed \(seed)")
        }
      }
    }
  }

  @Test func `what follows a flag is placed anew`() {
    let terminal = VirtualTerminal(size: Size(width: 20, height: 1), clusters: .scalars)
    var encoder = FrameEncoder(capabilities: .full)
    let frame = Frame(size: terminal.size)
    frame.write("a👩‍👩‍👧bc", at: .zero)
    terminal.feed(encoder.encode(frame))
    #expect(terminal[3, 0].text == "b")
    #expect(terminal[4, 0].text == "c")
    #expect(terminal[5, 0].text == " ")
  }

  @Test func `bytes follow the number of changed cells, not the size of the frame`() {
    let frame = Frame(size: Size(width: 200, height: 60))
    var encoder = FrameEncoder(capabilities: .full)
    _ = encoder.encode(frame)
    for count in [1, 10, 100] {
      for index in 0..<count {
        frame.write("\(count % 9)", at: Point(x: index * 7 % 200, y: index * 13 % 60))
      }
      let bytes = encoder.encode(frame).count
      #expect(bytes <= 16 + 10 * count)
      for index in 0..<count {
        frame.write(" ", at: Point(x: index * 7 % 200, y: index * 13 % 60))
      }
      _ = encoder.encode(frame)
    }
  }

  @Test func `one changed cell costs a cursor move and itself`() {
    let frame = Frame(size: Size(width: 80, height: 24))
    var encoder = FrameEncoder(capabilities: .full)
    _ = encoder.encode(frame)
    frame.write("x", at: Point(x: 9, y: 4))
    #expect(text(encoder.encode(frame)) == "[5;10Hx")
    frame.write("y", at: Point(x: 10, y: 4))
    #expect(text(encoder.encode(frame)) == "y")
    frame.write("z", at: Point(x: 0, y: 5), style: CellStyle(attributes: .bold))
    #expect(text(encoder.encode(frame)) == "\r\n[1mz")
  }

  @Test func `small gaps are written again, larger ones jumped over`() {
    let frame = Frame(size: Size(width: 80, height: 1))
    var encoder = FrameEncoder(capabilities: .full)
    frame.write("abcdefghijkl", at: .zero)
    _ = encoder.encode(frame)
    frame.write("A", at: .zero)
    frame.write("D", at: Point(x: 3, y: 0))
    frame.write("J", at: Point(x: 9, y: 0))
    #expect(text(encoder.encode(frame)) == "[?2026h\rAbcD[5CJ[?2026l")
  }

  @Test func `the rest of a row that becomes blank is erased`() {
    let frame = Frame(size: Size(width: 80, height: 1))
    var encoder = FrameEncoder(capabilities: .full)
    frame.write("a long line of text", at: .zero)
    _ = encoder.encode(frame)
    frame.write("b" + String(repeating: " ", count: 79), at: .zero)
    let terminal = VirtualTerminal(size: frame.size)
    #expect(text(encoder.encode(frame)) == "\rb[K")
    encoder.forget()
    terminal.feed(encoder.encode(frame))
    #expect(terminal.drawn == 1, "an erased screen needs no spaces")
  }

  @Test func `only the areas that were drawn again are compared`() {
    let frame = Frame(size: Size(width: 20, height: 3))
    var encoder = FrameEncoder(capabilities: .full)
    _ = encoder.encode(frame)
    frame.write("in", at: Point(x: 5, y: 1))
    frame.write("out", at: Point(x: 5, y: 2))
    let area = Rect(x: 4, y: 1, width: 6, height: 1)
    #expect(text(encoder.encode(frame, areas: [area])) == "[2;6Hin")
    #expect(encoder.encode(frame, areas: []).isEmpty)
    #expect(text(encoder.encode(frame)) == "[3;6Hout")
  }

  @Test func `the caret is hidden while cells are drawn, and shown where it stands`() {
    let frame = Frame(size: Size(width: 20, height: 3))
    var encoder = FrameEncoder(capabilities: .full)
    let terminal = VirtualTerminal(size: frame.size)
    frame.caret = Point(x: 4, y: 2)
    terminal.feed(encoder.encode(frame))
    #expect(terminal.isCaretShown && terminal.x == 4 && terminal.y == 2)
    frame.write("ab", at: .zero)
    let change = encoder.encode(frame)
    #expect(text(change).hasPrefix("[?25l"))
    terminal.feed(change)
    #expect(terminal.isCaretShown && terminal.x == 4 && terminal.y == 2)
    frame.caret = Point(x: 99, y: 0)
    #expect(text(encoder.encode(frame)) == "[?25l")
    #expect(encoder.encode(frame).isEmpty)
  }

  @Test func `a terminal of ASCII gets ASCII in the same columns`() {
    let capabilities = TerminalCapabilities(colors: .ansi16, isUnicode: false)
    let frame = Frame(size: Size(width: 20, height: 2))
    var encoder = FrameEncoder(capabilities: capabilities)
    let terminal = VirtualTerminal(size: frame.size)
    frame.write("┌─┐é漢👩‍👩‍👧▁█⣿!", at: .zero)
    let bytes = encoder.encode(frame)
    terminal.feed(bytes)
    #expect(bytes.allSatisfy { $0 < 0x80 })
    #expect(terminal.lines[0] == "+-+e????_##!        ")
  }

  @Test func `a dumb terminal gets no styles and no modes`() {
    let capabilities = TerminalCapabilities(colors: .none, hasAttributes: false)
    let frame = Frame(size: Size(width: 20, height: 2))
    var encoder = FrameEncoder(capabilities: capabilities)
    frame.write("hi", at: .zero, style: CellStyle(foreground: .ansi(1), attributes: .bold))
    frame.write("there", at: Point(x: 4, y: 1), style: CellStyle(attributes: .reverse))
    let bytes = text(encoder.encode(frame))
    #expect(bytes == "[H[2J[Hhi[2;5Hthere")
  }

  @Test func `control characters in a frame do not reach the terminal`() {
    for character in ["\u{1b}", "\u{7f}", "\u{9b}", "\r\n", "\u{0}"] as [Character] {
      let frame = Frame(size: Size(width: 4, height: 1))
      var encoder = FrameEncoder(capabilities: .full)
      let terminal = VirtualTerminal(size: frame.size)
      frame.put(character, width: 1, x: 1, y: 0, style: .plain, clip: Rect(frame.size))
      terminal.feed(encoder.encode(frame))
      #expect(terminal.complaints == [])
      #expect(terminal.lines == [" ?  "])
    }
  }

  @Test func `another size or another table of glyphs draws everything`() {
    var encoder = FrameEncoder(capabilities: .full)
    let small = Frame(size: Size(width: 3, height: 1))
    small.write("abc", at: .zero)
    _ = encoder.encode(small)
    let other = Frame(size: small.size)
    other.write("abc", at: .zero)
    #expect(text(encoder.encode(other)).contains("abc"))
    let large = Frame(size: Size(width: 4, height: 1), glyphs: other.glyphs)
    large.write("abc", at: .zero)
    #expect(text(encoder.encode(large)).contains("abc"))
  }
}

/// Without the escapes, so that expectations can be read.
private func text(_ bytes: [UInt8]) -> String {
  String(decoding: bytes.filter { $0 != 0x1b }, as: UTF8.self)
}

private func hasUncertain(_ frame: Frame, _ y: Int) -> Bool {
  (0..<frame.width).contains { CharacterWidth.isUncertain(frame.character(x: $0, y: y)) }
}

/// Where the terminal shows something else than the frame; nil when it shows the same.
func firstDifference(
  _ frame: Frame, _ terminal: VirtualTerminal, _ capabilities: TerminalCapabilities,
  rows: Range<Int>? = nil
) -> String? {
  for y in rows ?? 0..<frame.height {
    for x in 0..<frame.width {
      let cell = frame[x, y]
      var expected = VirtualTerminal.VirtualCell()
      expected.text = expectedText(x, y, frame, capabilities)
      expected.foreground = Ink(
        cell.style.foreground, capabilities.colors, isBackground: false)
      expected.background = Ink(cell.style.background, capabilities.colors, isBackground: true)
      expected.attributes = cell.style.attributes
      let shown = terminal[x, y]
      if shown != expected { return "at \(x), \(y): \(shown) instead of \(expected)" }
    }
  }
  if rows != nil { return nil }
  if terminal.isCaretShown != (frame.caret != nil) { return "caret \(terminal.isCaretShown)" }
  if let caret = frame.caret, caret != Point(x: terminal.x, y: terminal.y) {
    return "caret at \(terminal.x), \(terminal.y) instead of \(caret)"
  }
  return nil
}

/// What a cell shows: in a terminal without Unicode, each half of a wide character its stand-in.
private func expectedText(
  _ x: Int, _ y: Int, _ frame: Frame, _ capabilities: TerminalCapabilities
) -> String {
  let cell = frame[x, y]
  if capabilities.isUnicode {
    return cell.isRightHalf ? "" : String(frame.character(of: cell))
  }
  let character = frame.character(of: cell.isRightHalf ? frame[x - 1, y] : cell)
  guard let first = character.unicodeScalars.first else { return "" }
  return String(UnicodeScalar(AsciiFallback.byte(for: first)))
}

@Test(arguments: [
  ("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("light w", "bGlnaHQgdw=="),
  ("漢字", "5ryi5a2X"), ("\u{0}\u{7F}ÿ", "AH/Dvw=="),
])
func `copied text goes out in base 64`(text: String, encoded: String) {
  #expect(ClipboardSequence.encode(text) == Array("\u{1b}]52;c;\(encoded)\u{7}".utf8))
}

@Test func `text that is too long for terminals is not offered`() {
  #expect(ClipboardSequence.encode(String(repeating: "a", count: 74_001)) == nil)
}
