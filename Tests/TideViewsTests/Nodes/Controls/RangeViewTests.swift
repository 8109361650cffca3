import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct RangeViewTests {
  private func view(_ kind: ViewClass, _ low: Double, _ high: Double, step: Double) -> View {
    let view = kind.make()
    view[ViewKey<Double>("minimum")] = low
    view[ViewKey<Double>("maximum")] = high
    view[ViewKey<Double>("step")] = step
    return view
  }

  @Test func `a slider goes by keys`() throws {
    let slider = view(.slider, 0, 10, step: 1)
    slider[.width] = 11
    let shown = try ShownView(try ViewClass.column.make([slider]), 20, 1)
    #expect(try shown.text == "●──────────")
    var heard: [Value] = []
    try slider.on(.valueChanged) { _, event in heard.append(event.value) }
    try shown.press("Tab Left Right Right")
    #expect(try shown.text == "━━●────────")
    try shown.press("End Right Home PageUp")
    #expect(heard == [1, 2, 10, 0, 1])
  }

  @Test func `a slider is dragged`() throws {
    let slider = view(.slider, 0, 1, step: 0)
    slider[.width] = 11
    let shown = try ShownView(try ViewClass.column.make([slider]), 20, 1)
    shown.scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 5, y: 0))))
    #expect(slider[.value] == 0.5)
    shown.scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 99, y: 9))))
    #expect(slider[.value] == 1)
    shown.scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: 99, y: 9))))
    #expect(try shown.text == "━━━━━━━━━━●")
  }

  @Test func `a stepper goes by keys, and its buttons by the mouse`() throws {
    let stepper = view(.stepper, 0, 1, step: 0.1)
    let shown = try ShownView(try ViewClass.column.make([stepper]), 20, 1)
    try shown.press("Tab Up Up +")
    #expect(try shown.text == "[-] 0.3 [+]")
    #expect(stepper[.value] == 0.3)
    try shown.press("- Left")
    #expect(stepper[.value] == 0.1)
    shown.click(9, 0)
    shown.click(9, 0)
    shown.click(1, 0)
    #expect(stepper[.value] == 0.2)
    try shown.press("PageUp PageUp")
    #expect(try shown.text == "[-]  1  [+]")
  }

  @Test func `a stepper goes from 0 to 100 by itself`() throws {
    let stepper = ViewClass.stepper.make()
    let shown = try ShownView(try ViewClass.column.make([stepper]), 20, 1)
    try shown.press("Tab Down Up PageUp")
    #expect(stepper[.value] == 11)
    try shown.press("End Up")
    #expect(try shown.text == "[-] 100 [+]")
  }

  @Test(arguments: [0.0, 1, -1, .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude])
  func `wrong numbers are harmless`(number: Double) throws {
    for kind in [ViewClass.slider, .stepper, .progress] {
      for name in ["value", "minimum", "maximum", "step"] {
        let view = kind.make()
        view[ViewKey<Double>(name)] = number
        let shown = try ShownView(try ViewClass.column.make([view]), 15, 1)
        try shown.press("Tab Left Right PageUp PageDown End Home Up")
        shown.click(3, 0)
        shown.click(12, 0)
        _ = try shown.text
      }
    }
  }

  @Test func `they stand any size and are plain without Unicode`() throws {
    let slider = view(.slider, 0, 10, step: 1)
    slider[.value] = 5
    let shown = try ShownView(try ViewClass.column.make([slider, ViewClass.stepper.make()]), 11, 2)
    shown.scene.symbols = .ascii
    #expect(try shown.lines == ["=====O-----", "[-]  0  [+]"])
    for (width, height) in [(0, 0), (1, 1), (2, 2), (5, 2), (300, 100)] {
      shown.scene.resize(Size(width: width, height: height))
      _ = try shown.text
    }
  }
}
