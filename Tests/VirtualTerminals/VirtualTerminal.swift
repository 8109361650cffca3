import TideSystem
package import TideTerminal
package import TideViews

/// A terminal in memory: interprets what the encoder writes, and complains about what it should
/// not.
package final class VirtualTerminal {
  package struct VirtualCell: Equatable {
    /// What is seen; empty for the right half of a wide character.
    package var text = " "
    package var foreground = Ink.standard
    package var background = Ink.standard
    package var attributes: CellStyle.Attributes = []

    package init(text: String = " ", attributes: CellStyle.Attributes = []) {
      self.text = text
      self.attributes = attributes
    }
  }

  /// How wide clusters of several scalars are taken: as one, or each scalar by itself, as terminals
  /// without notion of clusters do.
  package enum Clusters { case whole, scalars }

  package private(set) var size: Size
  package let clusters: Clusters
  package private(set) var grid: [VirtualCell]
  package private(set) var isCaretShown = true
  package private(set) var isUpdating = false
  /// What is switched on, and what a program that ends switches off: modes by number, the protocol
  /// of keys, titles that are kept.
  package private(set) var modes: Set<String> = []
  package private(set) var complaints: [String] = []
  /// How many characters were drawn, the erased ones not counted.
  package private(set) var drawn = 0
  package private(set) var x = 0
  package private(set) var y = 0
  private var isBeyondEdge = false
  private var pen = VirtualCell()
  /// Where the last character went, for the marks that follow it.
  private var last: Int?

  package init(size: Size, clusters: Clusters = .whole) {
    self.size = size
    self.clusters = clusters
    // Nothing may rely on a clean screen.
    grid = Array(
      repeating: VirtualCell(text: "#", attributes: .underline), count: size.width * size.height)
  }

  /// Takes another size; what is shown then is anybody's guess.
  package func resize(_ size: Size) {
    self.size = size
    grid = Array(
      repeating: VirtualCell(text: "#", attributes: .underline), count: size.width * size.height)
    x = min(x, size.width - 1)
    y = min(y, size.height - 1)
    isBeyondEdge = false
    last = nil
  }

  package subscript(x: Int, y: Int) -> VirtualCell { grid[y * size.width + x] }

  package var lines: [String] {
    (0..<size.height).map { y in (0..<size.width).map { self[$0, y].text }.joined() }
  }

  package func feed(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if Array(text.utf8) != bytes { complain("not UTF-8") }
    var rest = text[...]
    while let character = rest.first {
      if character == "\u{1b}" {
        takeSequence(&rest)
      } else if let ascii = character.asciiValue, ascii < 0x20 || character == "\r\n" {
        rest.removeFirst()
        for scalar in character.unicodeScalars { takeControl(scalar) }
      } else {
        rest.removeFirst()
        takeText(character)
      }
    }
    if isUpdating { complain("an update without end") }
  }

  package func complain(_ what: String) { complaints.append(what) }

  private func takeControl(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\r": x = 0
    case "\n": if y + 1 < size.height { y += 1 } else { complain("scrolled") }
    case "\u{8}": if x > 0 { x -= 1 } else { complain("back beyond the left edge") }
    default: complain("control character \(scalar.value)")
    }
    isBeyondEdge = false
    last = nil
  }

  private func takeText(_ character: Character) {
    switch clusters {
    case .whole: draw(String(character), width: CharacterWidth.of(character))
    case .scalars:
      for scalar in character.unicodeScalars {
        draw(String(Character(scalar)), width: CharacterWidth.of(scalar))
      }
    }
  }

  private func draw(_ text: String, width: Int) {
    if width == 0 {
      if let last { grid[last].text += text } else { complain("a mark without a letter") }
      return
    }
    if isBeyondEdge { complain("wrote beyond the right edge in row \(y)") }
    if x + width > size.width {
      complain("a wide character at the right edge")
      return
    }
    drawn += 1
    separate(x)
    if width == 2 { separate(x + 1) }
    var cell = pen
    cell.text = text
    last = y * size.width + x
    grid[y * size.width + x] = cell
    if width == 2 {
      cell.text = ""
      grid[y * size.width + x + 1] = cell
    }
    isBeyondEdge = x + width == size.width
    x = min(x + width, size.width - 1)
  }

  /// Blanks the other half of a wide character that loses one.
  private func separate(_ x: Int) {
    let index = y * size.width + x
    if grid[index].text.isEmpty && x > 0 { grid[index - 1].text = " " }
    if x + 1 < size.width && grid[index + 1].text.isEmpty { grid[index + 1].text = " " }
  }

  private func takeSequence(_ rest: inout Substring) {
    rest.removeFirst()
    if rest.first == "]" { return takeCommand(&rest) }
    guard rest.first == "[" else { return complain("escape without bracket") }
    rest.removeFirst()
    var parameters = ""
    while let next = rest.first, let ascii = next.asciiValue, ascii < 0x40 {
      parameters.append(next)
      rest.removeFirst()
    }
    guard let final = rest.popFirst() else { return complain("unfinished sequence") }
    last = nil
    execute(parameters, final)
  }

  /// A title or a clipboard's text, up to a bell.
  private func takeCommand(_ rest: inout Substring) {
    guard let end = rest.firstIndex(of: "\u{7}") else {
      rest = ""
      return complain("an unfinished command")
    }
    let command = rest[..<end]
    if !command.hasPrefix("]2;") && !command.hasPrefix("]52;c;") {
      complain("unknown command \(command.prefix(10))")
    }
    rest = rest[rest.index(after: end)...]
    last = nil
  }

  private func execute(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    switch (final, parameters) {
    case ("H", _): move(x: (numbers.count > 1 ? numbers[1] : 1) - 1, y: count - 1)
    case ("C", _): move(x: x + count, y: y)
    case ("D", _): move(x: x - count, y: y)
    case ("J", "2"): for index in grid.indices { grid[index] = erased }
    case ("K", ""): for column in x..<size.width { grid[y * size.width + column] = erased }
    case ("m", _): takeStyle(parameters.isEmpty ? [0] : numbers)
    case ("h", "?25"), ("l", "?25"): isCaretShown = final == "h"
    case ("h", "?2026"), ("l", "?2026"): isUpdating = final == "h"
    case ("h", "?7"), ("l", "?7"): setMode("no wrap", final == "l")
    case ("h", "?1049"), ("h", "?2004"), ("h", "?1000"), ("h", "?1002"), ("h", "?1006"):
      setMode(parameters, true)
    case ("l", "?1049"), ("l", "?2004"), ("l", "?1000"), ("l", "?1002"), ("l", "?1006"):
      setMode(parameters, false)
    case ("u", "=5"), ("u", "=0"): setMode("keys", parameters == "=5")
    case ("t", "22;0"), ("t", "23;0"): setMode("title", parameters == "22;0")
    default: complain("unknown sequence [\(parameters)\(final)")
    }
  }

  private func setMode(_ name: String, _ isOn: Bool) {
    if isOn { modes.insert(name) } else { modes.remove(name) }
  }

  private var erased: VirtualCell {
    if pen.background != .standard || !pen.attributes.isEmpty { complain("erased in a style") }
    return VirtualCell()
  }

  private func move(x: Int, y: Int) {
    if x < 0 || y < 0 || x >= size.width || y >= size.height { complain("moved outside") }
    self.x = min(max(0, x), size.width - 1)
    self.y = min(max(0, y), size.height - 1)
    isBeyondEdge = false
  }

  private func takeStyle(_ codes: [Int]) {
    var codes = codes[...]
    while let code = codes.popFirst() {
      switch code {
      case 0: pen = VirtualCell()
      case 1: pen.attributes.insert(.bold)
      case 2: pen.attributes.insert(.dim)
      case 3: pen.attributes.insert(.italic)
      case 4: pen.attributes.insert(.underline)
      case 7: pen.attributes.insert(.reverse)
      case 22: pen.attributes.subtract([.bold, .dim])
      case 23: pen.attributes.remove(.italic)
      case 24: pen.attributes.remove(.underline)
      case 27: pen.attributes.remove(.reverse)
      case 30...39, 90...97: pen.foreground = ink(code % 10, isBright: code >= 90, &codes)
      case 40...49, 100...107: pen.background = ink(code % 10, isBright: code >= 100, &codes)
      default: complain("unknown style \(code)")
      }
    }
  }

  private func ink(_ digit: Int, isBright: Bool, _ codes: inout ArraySlice<Int>) -> Ink {
    if digit == 9 { return .standard }
    if digit < 8 { return .ansi(UInt8(digit + (isBright ? 8 : 0))) }
    let kind = codes.popFirst()
    let values = codes.prefix(kind == 5 ? 1 : 3).map { UInt8(clamping: $0) }
    codes = codes.dropFirst(values.count)
    switch (kind, values.count) {
    case (5, 1): return .palette(values[0])
    case (2, 3): return .rgb(red: values[0], green: values[1], blue: values[2])
    default:
      complain("unknown colour")
      return .standard
    }
  }
}

extension VirtualTerminal {
  /// Plays a recording in the format asciicast v2 to its end.
  ///
  /// - Throws: the error of the first line that is no JSON.
  package convenience init(playing cast: String) throws {
    let lines = try cast.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    let header = lines.first ?? .null
    self.init(size: Size(width: header["width"].int ?? 80, height: header["height"].int ?? 24))
    for line in lines.dropFirst() {
      let text = line[2].string ?? ""
      switch line[1].string {
      case "o": feed(Array(text.utf8))
      case "r":
        if let size = Size(screen: text) { resize(size) } else { complain("no size: \(text)") }
      case "m": break
      default: complain("unknown event \(line[1].text)")
      }
    }
  }

  /// What it shows, to be drawn.
  package var frame: Frame {
    let frame = Frame(size: size)
    for y in 0..<size.height {
      for x in 0..<size.width where !self[x, y].text.isEmpty {
        frame.write(self[x, y].text, at: Point(x: x, y: y), style: self[x, y].style)
      }
    }
    if isCaretShown { frame.caret = Point(x: x, y: y) }
    return frame
  }
}

extension VirtualTerminal.VirtualCell {
  /// The colours and attributes; colours of a palette beyond the terminal's own are left out.
  package var style: CellStyle {
    CellStyle(
      foreground: Self.color(foreground), background: Self.color(background),
      attributes: attributes)
  }

  private static func color(_ ink: Ink) -> Color {
    switch ink {
    case .standard: .standard
    case .ansi(let number): .ansi(number)
    case .palette(let number): number < 16 ? .ansi(number) : .standard
    case .rgb(let red, let green, let blue): .rgb(red: red, green: green, blue: blue)
    }
  }
}
