import Testing
import TideBindings

@testable import TideViews

@Suite struct MouseEventTests {
  private func mouse(
    _ kind: MouseEvent.Kind, _ x: Int, _ y: Int, _ modifiers: Key.Modifiers = [], clicks: Int = 1
  ) -> InputEvent {
    .mouse(MouseEvent(kind, at: Point(x: x, y: y), modifiers: modifiers, clicks: clicks))
  }

  @Test func `a label sends a click where it is pressed and released, with the place`() throws {
    let label = LabelView("hello")
    let shown = try ShownView(ViewClass.column.make([LabelView("above"), label]), 20, 3)
    var heard: [String] = []
    try label.on(.click) { _, event in
      let point = try #require(event.position)
      heard.append("\(point.x),\(point.y) \(event.modifiers.contains(.shift))")
    }
    _ = try shown.text
    shown.click(3, 1)
    #expect(heard == ["3,0 false"])
    shown.scene.send(mouse(.press(.left), 1, 1, .shift))
    shown.scene.send(mouse(.release(.left), 2, 1, .shift))
    #expect(heard == ["3,0 false", "2,0 true"])
  }

  @Test func `a click that ends at another view is none`() throws {
    let label = LabelView("one")
    let shown = try ShownView(ViewClass.column.make([label, LabelView("two")]), 20, 3)
    var clicks = 0
    try label.on(.click) { _, _ in clicks += 1 }
    _ = try shown.text
    shown.scene.send(mouse(.press(.left), 1, 0))
    shown.scene.send(mouse(.release(.left), 1, 1))
    shown.scene.send(mouse(.press(.left), 1, 1))
    shown.scene.send(mouse(.release(.left), 1, 0))
    shown.scene.send(mouse(.press(.right), 1, 0))
    shown.scene.send(mouse(.release(.right), 1, 0))
    #expect(clicks == 0)
  }

  @Test func `a click goes up to the views around, past one that is disabled`() throws {
    let label = LabelView("one")
    label[.enabled] = false
    let row = try ViewClass.row.make([label])
    let shown = try ShownView(ViewClass.column.make([row]), 20, 3)
    var senders: [View] = []
    try row.on(.click) { _, event in senders.append(event.sender) }
    _ = try shown.text
    shown.click(1, 0)
    #expect(senders.count == 1 && senders.first === row)
    label[.enabled] = true
    shown.click(1, 0)
    #expect(senders.count == 2 && senders.last === label)
  }

  @Test func `a second press in quick succession is a double click too`() throws {
    let label = LabelView("one")
    let shown = try ShownView(label, 20, 1)
    var heard: [String] = []
    try label.on(.click) { _, event in heard.append("\(event.name)") }
    try label.on(.doubleClick) { _, event in heard.append("\(event.name)") }
    _ = try shown.text
    for clicks in 1...3 {
      shown.scene.send(mouse(.press(.left), 1, 0, clicks: clicks))
      shown.scene.send(mouse(.release(.left), 1, 0, clicks: clicks))
    }
    #expect(heard == ["click", "click", "doubleClick", "click"])
  }

  @Test func `a button's click comes after its touch`() throws {
    let button = ButtonView("OK")
    let shown = try ShownView(button, 20, 1)
    var heard: [String] = []
    try button.on(.touchUpInside) { _, _ in heard.append("touch") }
    try button.on(.click) { _, _ in heard.append("click") }
    _ = try shown.text
    shown.click(1, 0)
    #expect(heard == ["touch", "click"])
  }

  @Test func `a click in a row tells of the row`() throws {
    let list = ListView(viewClass: .list)
    list[.items] = .object(ValueList(["fig", "pear"]))
    let shown = try ShownView(list, 20, 3)
    var rows: [Int?] = []
    try list.on(.click) { _, event in
      rows.append(event.index)
      #expect(event.value == "pear" && event.cell != nil)
    }
    _ = try shown.text
    shown.click(1, 1)
    #expect(rows == [1])
  }

  @Test func `a click on a view that its own press has taken out is none`() throws {
    let label = LabelView("one")
    let column = try ViewClass.column.make([label])
    let shown = try ShownView(column, 20, 1)
    var clicks = 0
    try label.on(.click) { _, _ in clicks += 1 }
    _ = try shown.text
    shown.scene.send(mouse(.press(.left), 1, 0))
    label.remove()
    shown.scene.send(mouse(.release(.left), 1, 0))
    #expect(clicks == 0)
    shown.expectSound()
  }

  // MARK: Hovering

  @Test func `hover tells of moves over a view, and once when the mouse leaves`() throws {
    let label = LabelView("one")
    let shown = try ShownView(ViewClass.column.make([label, LabelView("two")]), 20, 3)
    var heard: [String] = []
    try label.on(.hover) { _, event in
      heard.append(event.isInside == true ? "\(event.position?.x ?? -1)" : "left")
    }
    _ = try shown.text
    for (x, y) in [(1, 0), (2, 0), (2, 1), (3, 1), (4, 0), (40, 9), (41, 9)] {
      shown.scene.send(mouse(.move, x, y))
    }
    #expect(heard == ["1", "2", "left", "4", "left"])
  }

  @Test func `a view that holds another hears of the mouse until it leaves both`() throws {
    let label = LabelView("one")
    let row = try ViewClass.row.make([label])
    let shown = try ShownView(ViewClass.column.make([row, LabelView("two")]), 20, 3)
    var heard: [String] = []
    try row.on(.hover) { _, event in heard.append(event.isInside == true ? "in" : "out") }
    _ = try shown.text
    shown.scene.send(mouse(.move, 1, 0))
    shown.scene.send(mouse(.move, 9, 0))
    try label.on(.hover) { _, event in heard.append(event.isInside == true ? "label" : "no label") }
    shown.scene.send(mouse(.move, 2, 0))
    shown.scene.send(mouse(.move, 2, 1))
    #expect(heard == ["in", "in", "label", "out", "no label"])
  }

  @Test func `a renderer of views tells of the mouse over one as a terminal does`() throws {
    let label = LabelView("one")
    let other = LabelView("two")
    let row = try ViewClass.row.make([label, other])
    let shown = try ShownView(ViewClass.column.make([row]), 20, 3)
    var heard: [String] = []
    try row.on(.hover) { _, event in
      let place = event.position.map { "\($0.x),\($0.y)" } ?? "nowhere"
      let sender = (event.sender as? LabelView)?.text ?? "row"
      heard.append(
        "\(event.isInside == true) \(sender) \(place) \(event.modifiers.contains(.shift))")
    }
    _ = try shown.text
    shown.scene.hover(over: label, at: PointerPosition(Point(x: 2, y: 0), .shift))
    shown.scene.hover(over: other, at: PointerPosition(Point(x: 1, y: 0)))
    shown.scene.hover(over: nil, at: PointerPosition(Point(x: 0, y: 0)))
    let told = ["true one 2,0 true", "true two 1,0 false", "false row nowhere false"]
    #expect(heard == told)
    row[.enabled] = false
    shown.scene.hover(over: label, at: PointerPosition(Point(x: 2, y: 0)))
    #expect(heard == told)
  }

  @Test func `movements are asked for only while a view in the scene listens to hover`() throws {
    let label = LabelView("one")
    let other = LabelView("two")
    let column = try ViewClass.column.make([label])
    let shown = try ShownView(column, 20, 3)
    var wanted: [Bool] = []
    shown.scene.onHoverInterest = { wanted.append($0) }
    try label.on(.any) { _, _ in }
    try shown.commit()
    #expect(wanted == [])
    let handler = try label.on(.hover) { _, _ in }
    try other.on(.hover) { _, _ in }
    #expect(shown.scene.needsFrame)
    try shown.commit()
    #expect(wanted == [true])
    try column.add(other)
    handler.cancel()
    try shown.commit()
    #expect(wanted == [true])
    other.remove()
    try shown.commit()
    #expect(wanted == [true, false])
    #expect(!shown.scene.needsFrame)
  }
}
