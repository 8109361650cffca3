import Fuzzing
import TideViews

/// Random strokes on frames: text of all widths, styles, spaces, a caret.
struct RandomPainter {
  var random: SeededGenerator
  /// Only styles of this many kinds of colour: 1 standard, 2 ANSI too, 3 all.
  var colors = 3
  var words = [
    "a", "hello", "漢字", "e\u{301}", "▁▂▃█", "┌─┐", " ", "     ", "x漢y", "日", "~", "👩‍👩‍👧", "🇩🇪",
    "❤️", "👍🏽", "é", "⣿", "ok then", "🙂", "                    ",
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func paint(_ frame: Frame, strokes: Int) {
    for _ in 0..<strokes {
      let point = Point(
        x: .random(in: -2..<frame.width + 2, using: &random),
        y: .random(in: -1..<frame.height + 1, using: &random))
      frame.write(words.randomElement(using: &random) ?? "", at: point, style: style())
    }
    let hasCaret = Bool.random(using: &random) && !frame.size.isEmpty
    frame.caret =
      hasCaret
      ? Point(
        x: .random(in: 0..<frame.width, using: &random),
        y: .random(in: 0..<frame.height, using: &random)) : nil
  }

  mutating func style() -> CellStyle {
    if Int.random(in: 0..<3, using: &random) == 0 { return .plain }
    return CellStyle(
      foreground: color(), background: color(),
      attributes: CellStyle.Attributes(rawValue: .random(in: 0..<32, using: &random)))
  }

  private mutating func color() -> Color {
    switch Int.random(in: 0..<colors, using: &random) {
    case 0: .standard
    case 1: .ansi(.random(in: 0..<16, using: &random))
    default:
      .rgb(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
  }
}
