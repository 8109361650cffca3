import Fuzzing
import TideViews

/// What happens next to an app that is compared with its twin: a person does something, time
/// passes, or somebody saves.
enum LawStep: CustomStringConvertible {
  case input(String, [InputEvent])
  case wait(Double)
  case save(LawSave)

  var description: String {
    switch self {
    case .input(let name, _): name
    case .wait(let seconds): "wait \(seconds)"
    case .save(let save): "save \(save)"
    }
  }
}

/// Makes steps of bytes: mostly keys and the mouse, at places in the present size.
struct LawPerson {
  private var source: ByteSource
  private(set) var size: Size
  private var point = Point.zero

  init(_ source: ByteSource, size: Size) {
    self.source = source
    self.size = size
  }

  mutating func next() -> LawStep? {
    if source.isAtEnd { return nil }
    switch source.number(below: 32) {
    case 0...6: return key()
    case 7...10: return .input("Tab", [.key(Key(.tab))])
    case 11...15: return letter()
    case 16...20: return mouse()
    case 21: return paste()
    case 22: return resize()
    case 23...24: return .wait([0.05, 0.2, 0.5, 2][source.number(below: 4)])
    default: return .save(LawSave(&source))
    }
  }

  private static let keys: [Key] =
    [
      Key(.up), Key(.down), Key(.down), Key(.left), Key(.right), Key(.home), Key(.end),
      Key(.pageUp), Key(.pageDown), Key(.enter), Key(.enter), Key(.space), Key(.escape),
      Key(.backspace), Key(.delete), Key(.tab, modifiers: .shift), Key(.left, modifiers: .shift),
      Key(.right, modifiers: .shift), Key(.up, modifiers: .shift), Key(.down, modifiers: .shift),
      Key("z", modifiers: .control), Key("y", modifiers: .control), Key("a", modifiers: .control),
      Key("s", modifiers: .control), Key("u", modifiers: .control), Key("x", modifiers: .control),
      Key("v", modifiers: .control), Key("c", modifiers: .control),
      Key(.up, modifiers: .alt), Key(.down, modifiers: .alt), Key(.left, modifiers: .control),
      Key("1", modifiers: .alt), Key("2", modifiers: .alt), Key("3", modifiers: .alt),
    ] + (1...10).map { Key(.function($0)) }

  private mutating func key() -> LawStep {
    let key = source.pick(Self.keys)
    return .input("\(key)", [.key(key)])
  }

  private mutating func letter() -> LawStep {
    let letter = source.pick(Array("xAé漢19.-5/<>"))
    return .input("'\(letter)'", [.key(Key(letter))])
  }

  private mutating func mouse() -> LawStep {
    // Often where it was, for double clicks and drags.
    if source.number(below: 3) > 0 {
      point.x = source.number(below: min(256, max(1, size.width)))
      point.y = source.number(below: min(256, max(1, size.height)))
    }
    func event(_ kind: MouseEvent.Kind, clicks: Int = 1) -> InputEvent {
      .mouse(MouseEvent(kind, at: point, clicks: clicks))
    }
    let kind = source.number(below: 8)
    let events: [InputEvent] =
      switch kind {
      case 0...3: [event(.press(.left)), event(.release(.left))]
      case 4:
        [
          event(.press(.left)), event(.release(.left)), event(.press(.left), clicks: 2),
          event(.release(.left), clicks: 2),
        ]
      case 5: [event(.press(.left))]
      case 6: [event(.drag(.left)), event(.release(.left))]
      default: [event(.scroll(source.pick([1, 3, -1, -3])))]
      }
    return .input("mouse \(kind) at \(point.x), \(point.y)", events)
  }

  private mutating func paste() -> LawStep {
    let text = source.pick([
      "pasted", "two\nlines", "a\u{301}🇩🇪", "12.5", "-3", "nan", "", "words of it",
    ])
    return .input("paste \(text.debugDescription)", [.paste(text)])
  }

  private mutating func resize() -> LawStep {
    let sizes = [(80, 24), (80, 24), (40, 12), (100, 40), (20, 6)]
    let chosen = sizes[source.number(below: sizes.count)]
    size = Size(width: chosen.0, height: chosen.1)
    return .input("resize \(size)", [.resize(size)])
  }
}
