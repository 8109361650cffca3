import Testing
import TideViews

@Suite struct `A picture as SVG` {
  private func frame(_ text: String, width: Int = 10, style: CellStyle = .plain) -> Frame {
    let frame = Frame(size: Size(width: width, height: 1))
    frame.write(text, at: .zero, style: style)
    return frame
  }

  private func lines(_ frame: Frame, title: String? = nil) -> [Substring] {
    frame.svg(title: title).split(separator: "\n")
  }

  @Test func `has a run of text for each style, held to the grid`() {
    let frame = frame("ab ")
    frame.write(
      "cd", at: Point(x: 3, y: 0), style: CellStyle(foreground: .rgb(red: 255, green: 0, blue: 16)))
    let texts = lines(frame).filter { $0.hasPrefix("<text") }
    #expect(
      texts == [
        "<text x=\"10\" y=\"22.9\" textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#d3d7e3\">ab</text>",
        "<text x=\"35.2\" y=\"22.9\" textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#ff0010\">cd</text>",
      ])
  }

  @Test func `escapes what markup is made of, and controls nothing`() {
    let picture = frame("<&\">").svg(title: "a<b\u{1b}")
    #expect(picture.contains(">&lt;&amp;&quot;&gt;</text>"))
    #expect(picture.contains("a&lt;b\u{FFFD}</text>"))
    let turned = frame("x").svg(title: "a\u{9b}31m\u{202e}b\u{2066}")
    #expect(turned.contains("a\u{FFFD}31m\u{FFFD}b\u{FFFD}</text>"))
  }

  @Test func `draws blocks, lines and dots as shapes`() {
    let picture = frame("▄│⠁", width: 3).svg()
    #expect(!picture.contains("<text"))
    #expect(picture.contains("M10 18.5h8.4v8.5h-8.4z"))
    #expect(picture.contains("M22.6 18.5L22.6 10M22.6 18.5L22.6 27"))
    #expect(picture.contains("a1.4 1.4 0 1 0 2.8 0"))
  }

  @Test func `exchanges colours where they are reversed, and shows attributes`() {
    let style = CellStyle(
      foreground: .ansi(1), attributes: [.reverse, .bold, .italic, .underline, .dim])
    let picture = frame("x", width: 1, style: style).svg()
    #expect(picture.contains("width=\"8.4\" height=\"17\" fill=\"#f0717b\""))
    #expect(
      picture.contains(
        "fill=\"#1a1d27\" font-weight=\"bold\" font-style=\"italic\" text-decoration=\"underline\" opacity=\"0.55\">x<"
      ))
  }

  @Test func `places a wide character and a cluster by itself`() {
    let texts = lines(frame("a漢e\u{301}b")).filter { $0.hasPrefix("<text") }
    #expect(texts.count == 4)
    #expect(texts[1].contains("x=\"18.4\"") && texts[1].contains("textLength=\"16.8\""))
    #expect(texts[3].contains("x=\"43.6\""))
  }

  @Test func `shows the caret, and a title where there is one`() {
    let frame = frame("ab")
    frame.caret = Point(x: 1, y: 0)
    #expect(frame.svg().contains("<rect x=\"18.4\" y=\"11\" width=\"1.8\" height=\"15\""))
    #expect(!frame.svg().contains("<circle"))
    #expect(frame.svg(title: "fruit").contains(">fruit</text>"))
  }

  @Test func `of nothing is a document all the same`() {
    let picture = Frame(size: .zero).svg()
    #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
  }
}
