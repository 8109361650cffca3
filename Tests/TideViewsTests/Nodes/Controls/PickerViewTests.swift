import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct PickerViewTests {
  private func picker(_ items: String...) throws -> PickerView {
    let picker = PickerView(viewClass: .picker)
    picker[.items] = .object(ValueList(items.map { .string($0) }))
    return picker
  }

  @Test func `closed it shows what is chosen, open what there is`() throws {
    let picker = try picker("red", "green", "blue")
    picker[.selectedIndex] = 1
    let root = try ViewClass.column.make([picker, LabelView("below"), LabelView("below")])
    let shown = try ShownView(root, 16, 6)
    #expect(try shown.lines == ["[green  ▾]", "below", "below", "", "", ""])
    #expect(picker[.selectedObject] == "green")
    try shown.press("Tab Enter")
    #expect(
      try shown.lines
        == [
          "[green  ▾]", "┌─────────┐", "│ red     │", "│ green ✓ │", "│ blue    │", "└─────────┘",
        ])
    try shown.press("Down Enter")
    #expect(try shown.lines == ["[blue   ▾]", "below", "below", "", "", ""])
    #expect(picker[.selectedIndex] == 2)
  }

  @Test func `a screen that is too small for now does not close it`() throws {
    let picker = try picker("red", "green", "blue")
    let label = LabelView("above")
    let shown = try ShownView(try ViewClass.column.make([label, picker]), 16, 7)
    picker.focus()
    try shown.press("Enter")
    let open = try shown.lines
    shown.scene.resize(Size(width: 1, height: 1))
    _ = try shown.text
    shown.scene.resize(Size(width: 16, height: 7))
    #expect(try shown.lines == open)
    try shown.press("Down Enter")
    #expect(picker[.selectedObject] == "red" || picker[.selectedObject] == "green")
  }

  @Test func `what a person chooses is told once`() throws {
    let picker = try picker("red", "green")
    let shown = try ShownView(try ViewClass.column.make([picker]), 16, 6)
    var heard: [Value] = []
    try picker.on(.valueChanged) { _, event in heard.append(event.value) }
    try shown.press("Tab Space Escape")
    #expect(heard == [])
    try shown.press("Space Enter Right Right Left")
    #expect(heard == ["red", "green", "red"])
    picker[.selectedIndex] = 1
    #expect(heard.count == 3)
  }

  @Test func `the mouse opens, chooses and closes`() throws {
    let picker = try picker("red", "green")
    var clicks = 0
    let button = ButtonView("under")
    try button.on(.touchUpInside) { _, _ in clicks += 1 }
    let root = try ViewClass.column.make([picker, button, button])
    let shown = try ShownView(root, 16, 6)
    shown.click(1, 0)
    #expect(picker.isOpen)
    _ = try shown.text
    shown.click(2, 3)
    #expect(picker[.selectedObject] == "green")
    #expect(!picker.isOpen)
    #expect(clicks == 0)
    shown.click(1, 0)
    _ = try shown.text
    shown.click(14, 1)
    #expect(!picker.isOpen)
    #expect(picker[.selectedObject] == "green")
  }

  @Test func `typing finds what begins so`() throws {
    let picker = try picker("apple", "apricot", "banana")
    let shown = try ShownView(try ViewClass.column.make([picker]), 16, 6)
    try shown.press("Tab a p r")
    #expect(picker[.selectedObject] == "apricot")
    try shown.press("Enter b Enter")
    #expect(picker[.selectedObject] == "banana")
    try shown.press("a a")
    #expect(picker[.selectedObject] == "apricot")
  }

  @Test func `objects go by their titles, and are followed`() throws {
    let things = [Thing("One"), Thing("Two")]
    let picker = PickerView(viewClass: .picker)
    picker[.items] = .object(ValueList(things.map { .object($0) }))
    picker[.selectedObject] = .object(things[1])
    let shown = try ShownView(try ViewClass.column.make([picker]), 16, 6)
    #expect(try shown.text == "[Two    ▾]")
    things[1].name = "2"
    #expect(try shown.text == "[2      ▾]")
  }

  @Test func `titles are read once a frame, however many items come`() throws {
    let things = ValueList([.object(Thing("One"))])
    let picker = PickerView(viewClass: .picker)
    picker[.items] = .object(things)
    picker[.selectedIndex] = 0
    let shown = try ShownView(try ViewClass.column.make([picker]), 16, 6)
    #expect(try shown.text == "[One    ▾]")
    let late = Thing("Longer")
    for _ in 0..<300 { try things.append(.object(Thing("x"))) }
    try things.insert(.object(late), at: 0)
    #expect(picker[.selectedIndex] == 1)
    #expect(try shown.text == "[One    ▾]")
    late.name = "Longest"
    #expect(try shown.text == "[One     ▾]")
    picker[.selectedIndex] = 0
    #expect(try shown.text == "[Longest ▾]")
    late.name = "Less"
    #expect(try shown.text == "[Less   ▾]")
  }

  @Test func `the choice stays with its item when others come and go`() throws {
    let items = ValueList(["a", "b", "c"])
    let picker = PickerView(viewClass: .picker)
    picker[.items] = .object(items)
    picker[.selectedObject] = "b"
    #expect(picker[.selectedIndex] == 1)
    try items.insert("z", at: 0)
    #expect(picker[.selectedIndex] == 2)
    try items.remove(at: 2)
    #expect(picker[.selectedIndex] == nil)
    #expect(picker[.selectedObject] == .null)
  }

  @Test func `an object that is no item yet is waited for`() throws {
    let picker = PickerView(viewClass: .picker)
    picker[.selectedObject] = "b"
    #expect(picker[.selectedIndex] == nil)
    picker[.items] = .object(ValueList(["a", "b"]))
    #expect(picker[.selectedIndex] == 1)
    #expect(picker[.selectedObject] == "b")
  }

  @Test func `the list opens above where there is no room below`() throws {
    let picker = try picker("red", "green")
    let root = try ViewClass.column.make([
      LabelView("1"), LabelView("2"), LabelView("3"), LabelView("4"), picker,
    ])
    let shown = try ShownView(root, 16, 5)
    try shown.press("Tab Enter")
    #expect(
      try shown.lines
        == ["┌────────┐", "│ red    │", "│ green  │", "└────────┘", "[       ▾]"])
  }

  @Test func `a picker that goes takes its list along`() throws {
    let picker = try picker("red", "green")
    let root = try ViewClass.column.make([picker, LabelView("below")])
    let shown = try ShownView(root, 16, 5)
    try shown.press("Tab Enter")
    _ = try shown.text
    picker.remove()
    #expect(try shown.text == "below")
    #expect(!picker.isOpen)
  }

  @Test func `a million items open at once, and the end is a key away`() throws {
    let picker = PickerView(viewClass: .picker)
    picker[.items] = .object(ValueList((1...200_000).map { .integer($0) }))
    let shown = try ShownView(try ViewClass.column.make([picker]), 20, 8)
    try shown.press("Tab Enter End")
    #expect(try shown.text.contains("200000"))
    try shown.press("Enter")
    #expect(picker[.selectedIndex] == 199_999)
  }

  @Test func `it stands any size, without items and with wrong indexes`() throws {
    for (width, height) in [(0, 0), (1, 1), (3, 2), (300, 100)] {
      for index in [nil, 0, -1, 1, Int.max, Int.min] {
        let picker = width == 1 ? PickerView(viewClass: .picker) : try picker("red", "green")
        picker[.selectedIndex] = index
        let shown = try ShownView(try ViewClass.column.make([picker]), width, height)
        try shown.press("Tab Enter Down End PageUp Enter x Left Right Up Escape")
        _ = try shown.text
      }
    }
  }

  @Test func `one that is let go of while it is open leaves nothing behind`() throws {
    var picker: PickerView? = try picker("red", "green")
    let root = try ViewClass.column.make([try #require(picker), LabelView("below")])
    let shown = try ShownView(root, 16, 6)
    try shown.press("Tab Enter")
    _ = try shown.text
    weak let gone = picker
    picker?.remove()
    picker = nil
    #expect(gone == nil)
    // Before the next frame, and after it.
    shown.click(2, 2)
    try shown.press("Down Enter")
    #expect(try shown.lines == ["below", "", "", "", "", ""])
    shown.click(2, 2)
  }
}
