import Testing
import TideBindings
import TideGraph
import TideViews

@Test func `adding tells both views`() throws {
  let column = try ViewClass.column.make([LabelView("a")])
  let label = LabelView("b")
  #expect(label.superview == nil)
  try column.add(label)
  #expect(label.superview === column)
  #expect(label["superview"] == .object(column))
  #expect(column.subviews.map { $0[.text] } == ["a", "b"])
  guard case .object(let list as ValueList) = column["subviews"] else {
    Issue.record("subviews is no list")
    return
  }
  #expect(list.values == column.subviews.map { .object($0) })
}

@Test func `a view has one superview`() throws {
  let label = LabelView("a")
  let first = try ViewClass.column.make([label])
  let second = try ViewClass.column.make([])
  try second.add(label)
  #expect(first.subviews.isEmpty)
  #expect(label.superview === second)
}

@Test func `views are added at, moved to and replaced at indexes`() throws {
  let views = (0..<4).map { LabelView("\($0)") }
  let row = try ViewClass.row.make([views[0], views[1]])
  func texts() -> String { row.subviews.map { $0[.text] }.joined() }
  try row.add(views[2], at: 0)
  #expect(texts() == "201")
  try views[2].move(to: 2)
  #expect(texts() == "012")
  try views[0].replace(with: views[3])
  #expect(texts() == "312")
  try views[3].replace(with: views[2])
  #expect(texts() == "21")
  views[2].remove()
  views[2].remove()
  #expect(texts() == "1")
  row.removeSubviews()
  #expect(texts() == "")
}

@Test func `a view cannot come to stand in itself`() throws {
  let inner = try ViewClass.column.make([])
  let middle = try ViewClass.column.make([inner])
  let outer = try ViewClass.column.make([middle])
  for (view, target) in [(outer, inner), (outer, outer), (middle, inner)] {
    do {
      try target.add(view)
      Issue.record("a loop of views")
    } catch {
      #expect(error.code == .badTree)
    }
  }
  #expect(throws: TideError.self) { try inner.replace(with: outer) }
  #expect(inner.superview === middle)
}

@Test func `indexes out of range, leaves and lone views are errors`() throws {
  let row = try ViewClass.row.make([LabelView("a")])
  #expect(throws: TideError.self) { try row.add(LabelView("b"), at: 2) }
  #expect(throws: TideError.self) { try row.add(LabelView("b"), at: -1) }
  #expect(throws: TideError.self) { try row.subviews[0].move(to: 1) }
  #expect(throws: TideError.self) { try LabelView("a").add(LabelView("b")) }
  #expect(throws: TideError.self) { try row.move(to: 0) }
  #expect(throws: TideError.self) { try row.replace(with: LabelView("b")) }
  #expect(row.subviews.count == 1)
}

@Test func `a superview is followed by what reads it`() throws {
  let label = LabelView("a")
  let first = try ViewClass.column.make([])
  first[.id] = "first"
  let second = try ViewClass.column.make([])
  second[.id] = "second"
  var seen: [String] = []
  let effect = Graph.current.effect { seen.append(label.superview?[.id] ?? "none") }
  try first.add(label)
  try second.add(label)
  label.remove()
  #expect(seen == ["none", "first", "second", "none"])
  effect.cancel()
}

@Test func `a list of subviews is followed by what reads it`() throws {
  let row = try ViewClass.row.make([])
  var counts: [Int] = []
  let effect = Graph.current.effect { counts.append(row.subviews.count) }
  let label = LabelView("a")
  try row.add(label)
  try row.add(LabelView("b"))
  try label.move(to: 1)
  label.remove()
  #expect(counts == [0, 1, 2, 2, 1])
  effect.cancel()
}

@Test func `a tree goes when nobody holds it`() throws {
  weak var root: View?
  weak var leaf: View?
  do {
    let label = LabelView("a")
    let column = try ViewClass.column.make([try ViewClass.row.make([label])])
    root = column
    leaf = label
    #expect(label.superview?.superview === column)
  }
  #expect(root == nil)
  #expect(leaf == nil)
}

@Test func `a view outlives its superview and then has none`() throws {
  let label = LabelView("a")
  do {
    let column = try ViewClass.column.make([label])
    #expect(label.superview === column)
  }
  #expect(label.superview == nil)
  #expect(label["superview"] == .null)
}

@Test func `views are removed from the front, the middle and the end of many`() throws {
  let column = try ViewClass.column.make([])
  let views = (0..<1000).map { LabelView("\($0)") }
  for view in views { try column.add(view) }
  for view in views where Int(view.text).map({ $0 % 3 == 0 || $0 > 900 }) ?? false { view.remove() }
  #expect(
    column.subviews.map { $0[.text] }
      == (0...900).filter { $0 % 3 != 0 }.map(String.init))
  while let first = column.subviews.first { first.remove() }
  #expect(column.subviews.isEmpty)
}

@Test func `find goes through the tree in order`() throws {
  let a = LabelView("a")
  a[.id] = "x"
  let b = LabelView("b")
  b[.id] = "x"
  b[.tag] = 7
  let button = ButtonView("c")
  button[.key] = 3
  let root = try ViewClass.column.make([try ViewClass.row.make([a]), b, button])
  root[.id] = "root"
  #expect(root.find("x") === a)
  #expect(root.find("root") == nil)
  #expect(root.find("nope") == nil)
  #expect(root.find(tag: 7) === b)
  #expect(root.find(class: "button") === button)
  #expect(root.find(class: "label", key: 3) == nil)
  #expect(root.find(key: 3) === button)
}
