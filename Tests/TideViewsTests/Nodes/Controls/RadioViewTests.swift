import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct RadioViewTests {
  private func radio(_ items: String...) -> RadioView {
    let radio = RadioView(viewClass: .radio)
    radio[.items] = .object(ValueList(items.map { .string($0) }))
    return radio
  }

  @Test func `arrows move the choice`() throws {
    let radio = radio("small", "large")
    let shown = try ShownView(try ViewClass.column.make([radio]), 12, 3)
    #expect(try shown.lines == ["( ) small", "( ) large", ""])
    var heard: [Int?] = []
    try radio.on(.valueChanged) { _, event in heard.append(event.index) }
    try shown.press("Tab Space Down Down Up")
    #expect(try shown.lines == ["(•) small", "( ) large", ""])
    #expect(heard == [0, 1, 0])
  }

  @Test func `a click chooses`() throws {
    let radio = radio("small", "large")
    let shown = try ShownView(try ViewClass.column.make([radio]), 12, 3)
    shown.click(5, 1)
    #expect(radio[.selectedObject] == "large")
    #expect(shown.scene.focused === radio)
  }

  @Test func `a low one shows the items around the choice`() throws {
    let radio = radio("1", "2", "3", "4")
    radio[.height] = 2
    let shown = try ShownView(try ViewClass.column.make([radio]), 12, 3)
    try shown.press("Tab End")
    #expect(try shown.lines == ["( ) 3", "(•) 4", ""])
    shown.click(1, 0)
    #expect(radio[.selectedIndex] == 2)
  }

  @Test func `in ASCII, at any size, and with nothing in it`() throws {
    for (width, height) in [(0, 0), (1, 1), (3, 2), (300, 100)] {
      let shown = try ShownView(try ViewClass.column.make([radio("a"), radio()]), width, height)
      shown.scene.symbols = .ascii
      try shown.press("Tab Up Down Home End Space x Tab Up Enter")
      _ = try shown.text
    }
  }
}
