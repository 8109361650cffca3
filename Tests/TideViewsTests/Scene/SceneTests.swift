import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Test func `a frame is drawn only when something has changed`() throws {
  let label = LabelView("a")
  let shown = try ShownView(try ViewClass.column.make([label]), 10, 2)
  #expect(shown.renderer.frameCount == 1)
  #expect(!shown.scene.needsFrame)
  try shown.scene.commit()
  #expect(shown.renderer.frameCount == 1)
  label[.tooltip] = "not drawn"
  label.text = "a"
  try shown.scene.commit()
  #expect(shown.renderer.frameCount == 1)
  label.text = "b"
  #expect(shown.scene.needsFrame)
  try shown.scene.commit()
  #expect(shown.renderer.frameCount == 2)
}

@Test func `another tooltip of the focused view is a frame, of any other none`() throws {
  let button = ButtonView("a")
  let shown = try ShownView(try ViewClass.column.make([button, LabelView("b")]), 10, 2)
  button.focus()
  try shown.scene.commit()
  let count = shown.renderer.frameCount
  button[.tooltip] = "what it does"
  #expect(shown.scene.needsFrame)
  try shown.scene.commit()
  #expect(shown.renderer.frameCount == count + 1)
  #expect(shown.scene.hint == "what it does")
  shown.scene.root?.children[1][.tooltip] = "of nobody"
  try shown.scene.commit()
  #expect(shown.renderer.frameCount == count + 1)
}

@Test func `a renderer is given the changed view and its area alone`() throws {
  let labels = (0..<4).map { LabelView("label \($0)") }
  let root = try ViewClass.column.make(
    [
      try ViewClass.row.make([labels[0], labels[1]]),
      try ViewClass.row.make([labels[2], labels[3]]),
    ])
  let shown = try ShownView(root, 40, 5)
  labels[2].text = "LABEL 2"
  try shown.scene.commit()
  let changes = try #require(shown.renderer.lastChanges)
  #expect(changes.views.map(ObjectIdentifier.init) == [ObjectIdentifier(labels[2])])
  #expect(changes.areas == [Rect(x: 0, y: 1, width: 7, height: 1)])
  #expect(!changes.isWhole)
}

@Test func `a view is drawn once, however many of its properties and subviews changed`() throws {
  let label = LabelView("a")
  let row = try ViewClass.row.make([label])
  let shown = try ShownView(try ViewClass.column.make([row, LabelView("z")]), 10, 2)
  Graph.current.batch {
    label.text = "b"
    label[.bold] = true
    row[.backgroundColor] = "blue"
  }
  try shown.scene.commit()
  #expect(shown.renderer.lastChanges?.views.map(ObjectIdentifier.init) == [ObjectIdentifier(row)])
  #expect(shown.scene.frame[0, 0].style.background == .ansi(4))
  #expect(shown.scene.frame[0, 0].style.attributes.contains(.bold))
}

@Test func `a size that changes nothing around it draws nothing around it`() throws {
  let label = LabelView("short")
  let other = LabelView("other")
  let shown = try ShownView(try ViewClass.column.make([label, other]), 20, 2)
  label.text = "a little longer"
  try shown.scene.commit()
  #expect(shown.renderer.lastChanges?.views.map(ObjectIdentifier.init) == [ObjectIdentifier(label)])
}

@Test func `another root takes the place of the present one`() throws {
  let shown = try ShownView(LabelView("old"), 10, 1)
  try shown.scene.show(LabelView("new"))
  #expect(try shown.text == "new")
  #expect(shown.scene.window.subviews.count == 1)
}

@Test func `a window is shown as it is`() throws {
  let window = try ViewClass.window.make([LabelView("in")])
  let scene = try Scene(root: window)
  #expect(scene.window === window)
  #expect(window.subviews[0].window === window)
}

@Test func `a window shown after another one takes its place, and a view after a window too`()
  throws
{
  let first = try ViewClass.window.make([LabelView("first")])
  first[.title] = "One"
  first[.padding] = 1
  let shown = try ShownView(first, 10, 3)
  #expect(try shown.text == "\n first")
  let label = LabelView("second")
  let second = try ViewClass.window.make([label])
  second[.title] = "Two"
  try shown.scene.show(second)
  #expect(try shown.text == "second")
  #expect(shown.scene.title == "Two")
  #expect(label.window === second)
  #expect(first.window == nil)
  #expect(first.subviews[0].window == nil)
  let plain = LabelView("plain")
  try shown.scene.show(plain)
  #expect(try shown.text == "plain")
  #expect(shown.scene.title.isEmpty)
  #expect(plain.window === shown.scene.window)
  // What was shown is free to be shown again.
  try shown.scene.show(first)
  #expect(try shown.text == "\n first")
  try shown.scene.show(first)
  #expect(plain.superview?.superview == nil)
  #expect(plain.window == nil)
}

@Test func `a renderer that fails is given back, and the error is told`() throws {
  final class Broken: Renderer {
    var isMounted = false
    var failsToMount = false
    func mount(_ scene: Scene) throws {
      isMounted = true
      if failsToMount { throw TideError(.refused, "no terminal") }
    }
    func render(_ changes: Changes) throws { throw TideError(.refused, "closed") }
    func unmount() { isMounted = false }
  }
  let renderer = Broken()
  let scene = try Scene(root: LabelView("x"))
  #expect(throws: TideError.self) { try scene.mount(renderer) }
  #expect(!renderer.isMounted)
  renderer.failsToMount = true
  #expect(throws: TideError.self) { try scene.mount(renderer) }
  #expect(!renderer.isMounted)
}

@Test func `a renderer is unmounted with its scene`() throws {
  let renderer = TextRenderer()
  let label = LabelView("x")
  do {
    let scene = try Scene(root: label)
    try scene.mount(renderer)
    #expect(renderer.isMounted)
  }
  #expect(!renderer.isMounted)
  #expect(label.window == nil)
  label.text = "still fine"
}

@Test func `a colour that came past the check is told and drawn plainly`() throws {
  let label = LabelView("x")
  let shown = try ShownView(label, 5, 1)
  var errors: [TideError] = []
  shown.scene.onError = { errors.append($0) }
  label.put(.textColor, "nope")
  #expect(try shown.text == "x")
  #expect(errors.map(\.code) == [.badColor])
}

@Test func `every frame equals one drawn from nothing, whatever changes`() throws {
  for seed in UInt64(1)...30 {
    var random = SeededGenerator(seed: seed)
    let root = try ViewClass.column.make([])
    var views: [View] = [root]
    let shown = try ShownView(root, 24, 10)
    for step in 0..<120 {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try change(&views, &random) }
      try shown.commit()
      let fresh = Scene(size: shown.scene.size)
      root.remove()
      try fresh.show(root)
      _ = fresh.update()
      let expected = fresh.frame
      root.remove()
      try shown.scene.show(root)
      shown.expectSound()
      let picture = Frame(size: expected.size, glyphs: shown.scene.frame.glyphs)
      picture.copy(Rect(picture.size), from: shown.scene.frame)
      #expect(picture == expected, "seed \(seed), step \(step)")
      if picture != expected { return }
      try shown.scene.commit()
    }
  }
}

/// One random edit of a tree of views.
private func change(_ views: inout [View], _ random: inout SeededGenerator) throws {
  guard let view = views.randomElement(using: &random) else { return }
  switch Int.random(in: 0..<14, using: &random) {
  case 0, 1, 2:
    let made: [View] = [
      LabelView("text 漢字"), try ViewClass.row.make([]), try ViewClass.column.make([]),
      ButtonView("OK"),
      BoxView(viewClass: .box), ProgressView(value: 0.3), FieldView("field"),
    ]
    guard let child = made.randomElement(using: &random), view.takesSubviews else { return }
    try view.add(child, at: Int.random(in: 0...view.subviews.count, using: &random))
    views.append(child)
  case 3:
    guard view !== views[0] else { return }
    view.remove()
    views.removeAll { $0 === view || $0.isInside(view) }
  case 4: view[.hidden] = Bool.random(using: &random)
  case 5: try view.set("grow", .integer(Int.random(in: 0...2, using: &random)))
  case 6: try view.set("padding", .integer(Int.random(in: 0...1, using: &random)))
  case 7: try view.set("width", Bool.random(using: &random) ? .null : 7)
  case 8: view[.backgroundColor] = ["red", "blue", nil].randomElement(using: &random) ?? nil
  case 9: view[.align] = ["start", "center", "end", "stretch"].randomElement(using: &random) ?? ""
  case 10: view[.bold] = Bool.random(using: &random)
  case 11: try view.set("margin", .integer(Int.random(in: 0...1, using: &random)))
  case 12: view[.spacing] = Double(Int.random(in: 0...2, using: &random))
  default:
    guard let label = view as? LabelView else { return }
    label.text =
      ["", "x", "some words to wrap", "漢字漢字", "a\nb"].randomElement(using: &random) ?? ""
    label[.wrap] = Bool.random(using: &random)
  }
}

extension View {
  fileprivate func isInside(_ other: View) -> Bool {
    var view = superview
    while let current = view {
      if current === other { return true }
      view = current.superview
    }
    return false
  }
}

@Test func `trees that were shown and forgotten leave nothing behind in the graph`() throws {
  let graph = Graph.current
  func showAndForget() throws {
    let list = ListView(viewClass: .list)
    list[.items] = .object(ValueList((0..<30).map { .integer($0) }))
    let chart = ViewClass.chart.make()
    chart[.values] = .object(ValueList([1, 2, 3]))
    let field = FieldView("text")
    let root = try ViewClass.column.make([
      try ViewClass.box.make([LabelView("a"), field]), list, chart, ButtonView("OK"),
    ])
    root.dataObject = .object(Thing("apple"))
    let shown = try ShownView(root, 20, 10)
    try shown.press("Tab x Tab Down Down")
    #expect(field.dataObject == root.dataObject)
    _ = root["subviews"]
    _ = root.subviews
    _ = try shown.text
    _ = list.snapshot(size: Size(width: 5, height: 5))
  }
  try showAndForget()
  Scene.collectChanges(in: graph)
  let before = graph.counts
  for _ in 0..<20 { try showAndForget() }
  Scene.collectChanges(in: graph)
  #expect(graph.counts == before)
}

@Test func `another window closes what the one before has opened`() throws {
  for _ in 0..<20 {
    var old: View? = ViewClass.window.make()
    let picker = ViewClass.picker.make()
    picker[.items] = .object(ValueList(["one", "two"]))
    try old?.add(picker)
    let shown = try ShownView(try #require(old), 20, 6)
    shown.scene.focus(picker)
    try shown.press("Enter")
    #expect(try shown.text.contains("two"))
    let window = ViewClass.window.make()
    try window.add(LabelView("new"))
    try shown.scene.show(window)
    #expect(try shown.text == "new")
    picker.remove()
    weak let gone = old
    old = nil
    #expect(gone == nil, "nothing keeps the window that is not shown any more")
    try window.add(picker)
    shown.scene.focus(picker)
    try shown.press("Enter")
    #expect(try shown.text.contains("two"))
  }
}
