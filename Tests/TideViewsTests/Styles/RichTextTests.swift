import TideBindings
import Testing

@testable import TideViews

@Suite struct `Rich text in a label` {
  private let label = LabelView()
  private let sheet: StyleSheet

  init() { sheet = StyleSheet.of(label.graph) }

  private func text(_ parts: KeyValuePairs<String, RichText.Format>) -> RichText {
    var content = RichText.Content()
    for (part, format) in parts { content.append(part, format) }
    return sheet.richText(content)
  }

  private let red = RichText.Format(color: .ansi(1))

  private func show(_ text: RichText, _ width: Int, _ height: Int = 1) throws -> ShownView {
    try label.set("text", .object(text))
    return try ShownView(label, width, height)
  }

  @Test func `each part has its look`() throws {
    let shown = try show(text(["ab": .bold, "cd": red, "e": RichText.Format()]), 8)
    #expect(try shown.text == "abcde")
    let styles = (0..<5).map { shown.scene.frame[$0, 0].style }
    let bold = CellStyle(attributes: .bold), color = CellStyle(foreground: .ansi(1))
    #expect(styles == [bold, bold, color, color, .plain])
    #expect(label.text == "abcde")
  }

  @Test func `lines are broken and cut as those of plain text`() throws {
    label[.wrap] = true
    let shown = try show(text(["one two ": .bold, "three": red]), 5, 4)
    #expect(try shown.lines.prefix(3) == ["one", "two", "three"])
    #expect(shown.scene.frame[0, 1].style.attributes == .bold)
    #expect(shown.scene.frame[0, 2].style.foreground == .ansi(1))
    label[.wrap] = false
    #expect(try shown.lines[0] == "one …")
    #expect(shown.scene.frame[4, 0].style.attributes == .bold)
  }

  @Test func `wide characters and tabs take their cells`() throws {
    let shown = try show(text(["漢字": .bold, "\t!": red]), 8)
    #expect(try shown.text == "漢字 !")
    #expect(label.naturalSize().width == CharacterWidth.of("漢字 !"))
    #expect(shown.scene.frame[5, 0].style.foreground == .ansi(1))
  }

  @Test func `an equal one draws nothing`() throws {
    let shown = try show(text(["ab": .bold, "c": red]), 8)
    try shown.commit()
    try label.set("text", .object(text(["a": .bold, "b": .bold, "c": red])))
    #expect(!shown.scene.needsFrame)
    try label.set("text", .object(text(["abc": red])))
    #expect(shown.scene.needsFrame)
  }

  @Test func `a part's styles follow their definitions`() throws {
    let first = sheet.define("danger", StyleDefinition(foreground: .ansi(1)))
    let shown = try show(text(["ab": RichText.Format(styles: ["danger"])]), 8)
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style.foreground == .ansi(1))
    let second = sheet.define("danger", StyleDefinition(foreground: .ansi(2)))
    try shown.commit()
    #expect(shown.scene.frame[0, 0].style.foreground == .ansi(2))
    sheet.remove(first)
    sheet.remove(second)
  }
}
