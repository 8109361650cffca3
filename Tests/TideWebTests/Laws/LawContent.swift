import TideBindings

@testable import TideViews
@testable import TideWeb

/// Compares what a page has with another page, and with what the terminal shows.
enum LawContent {
  /// What is different in two pages; nil where nothing is.
  static func difference(_ one: PageMirror, _ other: PageMirror) -> String? {
    guard let first = one.root, let second = other.root else { return "one has no tree" }
    if one.title != other.title { return "titles \(one.title) and \(other.title)" }
    return difference(first, second)
  }

  private static func difference(_ one: PageMirror.Node, _ other: PageMirror.Node) -> String? {
    let name = "\(one.className) \(one.id)"
    // A dialog may be for one of the two alone.
    if one.id == other.id && (one.isWithheld || other.isWithheld) { return nil }
    if one.id != other.id || one.className != other.className {
      return "\(name) and \(other.className) \(other.id)"
    }
    if one.properties != other.properties {
      let names = Set(one.properties.keys).union(other.properties.keys).sorted()
      let found = names.filter { one.properties[$0] != other.properties[$0] }.map {
        "\($0) \(text(one.properties[$0])) and \(text(other.properties[$0]))"
      }
      return "\(name): " + found.joined(separator: ", ")
    }
    let (ones, others) = (children(of: one), children(of: other))
    if one.count != other.count || ones.map(\.row) != others.map(\.row) {
      return
        "\(name): rows \(ones.map(\.row)) of \(one.count) and \(others.map(\.row)) of \(other.count)"
    }
    for (first, second) in zip(ones, others) {
      if let found = difference(first.node, second.node) { return found }
    }
    return nil
  }

  private static func children(
    of node: PageMirror.Node
  ) -> [(row: Int, node: PageMirror.Node)] {
    guard let rows = node.rows else {
      return node.children.enumerated().map { (row: $0, node: $1) }
    }
    return rows.sorted { $0.key < $1.key }.map { (row: $0.key, node: $0.value) }
  }

  private static func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "none" }

  /// What is different in a page and in the scene that a terminal draws; nil where nothing is.
  static func difference(_ page: PageMirror, with scene: Scene) -> String? {
    guard let root = page.root else { return "the page has no tree" }
    let tops = [scene.window] + scene.presented.reversed()
    if root.children.count != tops.count {
      return "\(root.children.count) windows of \(tops.count)"
    }
    for (node, view) in zip(root.children, tops) {
      if let found = difference(node, view) { return found }
    }
    return nil
  }

  /// What both have to agree on, where a view has it.
  static let names = [
    "text", "title", "value", "isOn", "enabled", "hidden", "error", "selected", "label",
  ]

  private static func difference(_ node: PageMirror.Node, _ view: View) -> String? {
    let name = "\(node.className) \(node.id)"
    if node.isWithheld { return nil }
    for property in names {
      let properties = view.viewClass.shape.propertiesByIndex
      guard let index = properties.firstIndex(where: { $0.name == property }) else { continue }
      let value = view.slot(index).load()
      let initial = properties[index].initial.value
      guard let json = value == initial ? "null" : value.wireJSON, let wanted = try? JSON(json)
      else {
        continue
      }
      let shown = node.properties[property] ?? .null
      if shown != wanted { return "\(name): \(property) is \(text(shown)), and not \(json)" }
    }
    let (chosen, selected) = (node.properties["chosen"]?.integer, view.describe().selected)
    if chosen != selected { return "\(name): \(text(chosen)) is chosen, and not \(text(selected))" }
    if let rows = view as? RowsView, node.count != rows.count {
      return "\(name): \(node.count) rows, and not \(rows.count)"
    }
    let (shown, wanted) = (children(of: node), subviews(of: view))
    if shown.map(\.row) != wanted.map(\.row) {
      return "\(name): subviews \(shown.map(\.row)), and not \(wanted.map(\.row))"
    }
    for (child, other) in zip(shown, wanted) {
      if let found = difference(child.node, other.view) { return found }
    }
    return nil
  }

  private static func subviews(of view: View) -> [(row: Int, view: View)] {
    if let rows = view as? RowsView { return rows.cells.map { (row: $0.row, view: $0) } }
    return view.children.filter { !$0.isFloat || $0 is DialogView }.enumerated().map {
      (row: $0, view: $1)
    }
  }

  /// The number of a view in a page that has what the scene has; 0 for none.
  static func number(of view: View?, in page: PageMirror, _ scene: Scene) -> Int {
    let tops = [scene.window] + scene.presented.reversed()
    var rest = Array(zip(page.root?.children ?? [], tops))
    while let (node, other) = rest.popLast() {
      if other === view { return node.id }
      rest += zip(children(of: node), subviews(of: other)).map { ($0.node, $1.view) }
    }
    return 0
  }
}
