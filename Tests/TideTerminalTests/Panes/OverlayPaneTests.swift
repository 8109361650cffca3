import Testing
import TideViews

@testable import TideTerminal

@Suite struct OverlayPaneTests {
  private func shown(_ lines: [String], _ size: Size) -> [String] {
    let frame = Frame(size: size)
    OverlayPane.draw(lines, on: frame)
    return frame.lines
  }

  @Test func `breaks a message between words and cuts a line of a script`() {
    let lines = [
      "app.lua:1:3: error[E0101]: the label has no property \"txet\"; did you mean \"text\"?",
      "  label.txet = 'a long line of a script that nobody breaks'",
      "        ^",
    ]
    let picture = shown(lines, Size(width: 44, height: 12)).joined(separator: "\n")
    #expect(picture.contains("│ app.lua:1:3: error[E0101]: the label     │"), "\(picture)")
    #expect(picture.contains("│   has no property \"txet\"; did you mean   │"), "\(picture)")
    #expect(picture.contains("│   \"text\"?                                │"), "\(picture)")
    #expect(picture.contains("│   label.txet = 'a long line of a script  │"), "\(picture)")
    #expect(picture.contains("│         ^                                │"), "\(picture)")
  }

  @Test(arguments: 2...30) func `shows something where there is room for little`(_ width: Int) {
    let picture = shown(["漢字漢字 aaaaaaaaaaaaaaaaaaaaaaaa b"], Size(width: width, height: 30))
    #expect(picture.contains { $0.contains { $0 != " " } })
    #expect(picture.allSatisfy { CharacterWidth.of($0) <= width })
  }
}
