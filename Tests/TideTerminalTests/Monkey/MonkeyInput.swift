import Fuzzing
import TideViews

/// What a monkey does next, chosen by bytes.
enum MonkeyStep: CustomStringConvertible {
  /// Bytes that arrive from the terminal.
  case type(String, [UInt8])
  case resize(Size)
  /// Lets so many seconds pass.
  case wait(Double)
  case reload
  case reset
  /// Something covers the app, or nothing does.
  case overlay(Bool)
  case status(Int)

  var description: String {
    switch self {
    case .type(let name, _): name
    case .resize(let size): "resize \(size)"
    case .wait(let seconds): "wait \(seconds)"
    case .reload: "reload"
    case .reset: "reset"
    case .overlay(let isShown): "overlay \(isShown)"
    case .status(let number): "status \(number)"
    }
  }
}

/// Makes steps of bytes: mostly keys and the mouse, at positions in the terminal's present size.
struct MonkeyInput {
  private var source: ByteSource
  private(set) var size: Size
  private var point = Point.zero

  init(_ source: ByteSource, size: Size) {
    self.source = source
    self.size = size
  }

  mutating func next() -> MonkeyStep? {
    if source.isAtEnd { return nil }
    switch source.number(below: 32) {
    case 0...7: return key()
    case 8...11: return .type("Tab", Array("\t".utf8))
    case 12...14: return arrow()
    case 15...16: return letter()
    case 17...23: return mouse()
    case 24: return paste()
    case 25: return junk()
    case 26...27: return resize()
    case 28: return .wait([0.05, 0.15, 0.5, 2][source.number(below: 4)])
    case 29: return source.number(below: 3) == 0 ? .reset : .reload
    case 30: return .overlay(source.flag())
    default: return .status(source.number(below: 4))
    }
  }

  private mutating func key() -> MonkeyStep {
    let known = KeySequences.all
    let number = source.number(below: 256)
    let key = known[number % known.count]
    return .type(key.names, Array(KeySequences.escaped(key.bytes).utf8))
  }

  private mutating func arrow() -> MonkeyStep {
    let letter = source.pick(["A", "B", "C", "D", "B", "C"])
    let modifier = source.pick(["", "", "", "1;2", "1;3", "1;5"])
    return .type("arrow \(modifier)\(letter)", Array("\u{1b}[\(modifier)\(letter)".utf8))
  }

  private mutating func letter() -> MonkeyStep {
    let text = source.pick([
      " ", "\r", "\u{1b}[27u", "/", "?", "x", "A", "é", "漢", "🙂", "-", "+", "*", "1", "9", "\u{7f}",
      "\u{1b}[21~", "\u{1b}[24~", "\u{c}", "<", ">",
    ])
    return .type(text.debugDescription, Array(text.utf8))
  }

  private mutating func mouse() -> MonkeyStep {
    // Often where it was, for double clicks and drags.
    if source.number(below: 3) > 0 {
      point.x = source.number(below: min(256, max(1, size.width)))
      point.y = source.number(below: min(256, max(1, size.height + 1)))
    }
    let position = "\(point.x + 1);\(point.y + 1)"
    func report(_ code: Int, _ end: String) -> String { "\u{1b}[<\(code);\(position)\(end)" }
    let button = source.pick([0, 0, 0, 0, 1, 2, 4, 16])
    let kind = source.number(below: 8)
    let bytes =
      switch kind {
      case 0...2: report(button, "M") + report(button, "m")
      case 3: report(button, "M") + report(button, "m") + report(button, "M") + report(button, "m")
      case 4: report(button, "M")
      case 5: report(button + 32, "M")
      case 6: report(button, "m")
      default: report(source.pick([64, 65, 65, 68, 69, 66, 67]), "M")
      }
    return .type("mouse \(kind) button \(button) at \(point.x), \(point.y)", Array(bytes.utf8))
  }

  private mutating func paste() -> MonkeyStep {
    let text = source.pick([
      "pasted", "two\nlines", "漢字かな", "a\u{301}🇩🇪👩‍👩‍👧", "\u{1}\u{7}\u{9b}1m", "-1e400", "nan",
      String(repeating: "long ", count: 60), "\t\r\n", "12.5", "", "\u{1b}[2J",
    ])
    return .type(
      "paste \(text.prefix(12).debugDescription)", Array("\u{1b}[200~\(text)\u{1b}[201~".utf8))
  }

  private mutating func junk() -> MonkeyStep {
    let likely = Array("\u{1b}[[O<?;;019:~ABMmu$^\u{3}é".utf8)
    // Ends with what ends any sequence, so that the next step begins anew.
    let bytes = (0..<source.number(below: 12)).map { _ in source.pick(likely) } + [0x03]
    return .type("bytes \(bytes)", bytes)
  }

  private mutating func resize() -> MonkeyStep {
    let sizes = [(1, 1), (2, 1), (1, 9), (20, 5), (80, 24), (80, 24), (40, 12), (300, 100), (0, 0)]
    let chosen = sizes[source.number(below: sizes.count)]
    size =
      chosen.0 > 0
      ? Size(width: chosen.0, height: chosen.1)
      : Size(width: 1 + source.number(below: 120), height: 1 + source.number(below: 40))
    return .resize(size)
  }
}
