import TideBindings

@testable import TideWeb

/// What a page has after the operations that it was sent: as simple as can be.
final class PageMirror {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  final class Node {
    let id: Int
    let className: String
    var properties: [String: JSON]
    var children: [Node] = []
    /// By row, of a view of rows.
    var rows: [Int: Node]?
    var count = 0

    init(_ json: JSON, _ mirror: PageMirror) throws {
      let json =
        if case .string = json {
          JSON.array([
            .number(Double(mirror.lastMade + 1)), .string("label"), .object(["text": json]),
          ])
        } else { json }
      guard let id = json[0].integer, case .object(let properties) = json[2] else {
        throw Broken(description: "no node: \(json)")
      }
      self.id = id
      className = json[1].text
      self.properties = properties
      if mirror.nodes[id] != nil { throw Broken(description: "\(id) is there already") }
      mirror.nodes[id] = self
      mirror.lastMade = id
      if let count = json[4].integer {
        self.count = count
        var rows: [Int: Node] = [:]
        for cell in json[3].items { rows[cell[0].integer ?? -1] = try mirror.cell(cell) }
        self.rows = rows
      } else {
        children = try json[3].items.map { try Node($0, mirror) }
      }
    }

    /// Whether another one is right below it.
    func holds(_ other: Node) -> Bool {
      children.contains { $0 === other } || rows?.values.contains { $0 === other } == true
    }

    /// Whether it stands for a dialog of another person, of which this page has nothing else.
    var isWithheld: Bool {
      className == "dialog" && children.isEmpty && properties == ["hidden": .boolean(true)]
    }

    /// Everything but the numbers.
    var content: JSON {
      var parts: [JSON] = [.string(className), .object(properties)]
      if let rows {
        parts.append(.number(Double(count)))
        parts.append(
          .array(
            rows.sorted { $0.key < $1.key }.map { .array([.number(Double($0)), $1.content]) }))
      } else {
        parts.append(.array(children.map(\.content)))
      }
      return .array(parts)
    }
  }

  private(set) var root: Node?
  fileprivate(set) var nodes: [Int: Node] = [:]
  fileprivate var lastMade = 0
  private(set) var title = ""
  private(set) var acknowledged = 0
  private(set) var focus = 0
  private(set) var session: String?
  /// What a person was told, in the order in which it came.
  private(set) var notices: [String] = []
  /// Where views were scrolled to, by their numbers.
  private(set) var places: [Int: [Int]] = [:]
  /// The rows that were given to the clipboard.
  private(set) var copied: [String] = []
  /// The tables that were given to paper: their numbers, headings and rows.
  private(set) var printed: [[JSON]] = []
  /// The views whose context menus were to open.
  private(set) var openedMenus: [Int] = []
  /// The dialogs that keep a person from the rest, in the order in which they were opened.
  private(set) var openedModals: [Int] = []

  /// Does what a message says.
  func apply(_ message: String) throws {
    for operation in try JSON(message).items { try apply(operation) }
    let open = nodes.values.filter { node in
      node.className == "dialog" && node.properties["modal"] == .boolean(true)
        && path(to: node.id).allSatisfy { $0.properties["hidden"] != .boolean(true) }
    }.map(\.id)
    openedModals.removeAll { !open.contains($0) }
    openedModals += ids.filter { open.contains($0) && !openedModals.contains($0) }
  }

  private func node(_ json: JSON) throws -> Node {
    guard let id = json.integer, let node = nodes[id] else {
      throw Broken(description: "no view \(json)")
    }
    return node
  }

  private func apply(_ operation: JSON) throws {
    if operation[0].integer != nil {
      guard case .object(let properties) = operation[1] else { return try applyRows(operation) }
      let node = try node(operation[0])
      for (name, value) in properties {
        // The server sends a field an empty text where its own default text is empty.
        let isDefault = value == .null || (name == "text" && value == .string(""))
        node.properties[name] = isDefault ? nil : value
      }
      return
    }
    switch operation[0].text {
    case "tree":
      nodes = [:]
      root = try Node(operation[1], self)
    case "add":
      let parent = try node(operation[1])
      let child = try Node(operation[3], self)
      parent.children.insert(child, at: operation[2].integer ?? 0)
    case "remove":
      let gone = try node(operation[1])
      for other in nodes.values { other.children.removeAll { $0 === gone } }
      forget(gone)
    case "move":
      let moved = try node(operation[1])
      guard let parent = nodes.values.first(where: { $0.children.contains { $0 === moved } })
      else { throw Broken(description: "\(moved.id) stands nowhere") }
      parent.children.removeAll { $0 === moved }
      parent.children.insert(moved, at: operation[2].integer ?? 0)
    case "text":
      let node = try node(operation[1])
      let former = node.properties["text"]?.text ?? ""
      guard let start = operation[2].integer, let removed = operation[3].integer,
        start >= 0, removed >= 0, start + removed <= former.utf16.count
      else { throw Broken(description: "no part of \(former): \(operation)") }
      let change = TextChange(at: start, removed: removed, added: operation[4].text.utf16.count)
      let text = former.changed(by: change, adding: operation[4].text)
      node.properties["text"] = text.isEmpty ? nil : .string(text)
    case "title": title = operation[1].text
    case "ack": acknowledged = operation[1].integer ?? 0
    case "focus": focus = operation[1].integer ?? 0
    case "hello":
      guard case .object(let hello) = operation[1] else { return }
      session = hello["session"]?.text
    case "scroll":
      let numbers = operation.items.compactMap(\.integer)
      places[try node(operation[1]).id] = Array(numbers.dropFirst())
    case "context": openedMenus.append(try node(operation[1]).id)
    case "copied": copied.append(operation[1].text)
    case "print":
      _ = try node(operation[1])
      printed.append(Array(operation.items.dropFirst()))
    case "refused": notices.append(operation[2].text)
    case "report": notices.append(operation[1].text)
    case "errors", "draft", "failed", "end", "mark", "pick": break
    default: throw Broken(description: "unknown: \(operation)")
    }
  }

  private func applyRows(_ operation: JSON) throws {
    let view = try node(operation[0])
    view.count = operation[1].integer ?? 0
    for id in operation.items.dropFirst(4) {
      let gone = try node(id)
      view.rows = view.rows?.filter { $0.value !== gone }
      forget(gone)
    }
    let shifts = operation[2].items.compactMap(\.integer)
    var rows: [Int: Node] = [:]
    for (row, cell) in view.rows ?? [:] {
      var distance = 0
      for index in stride(from: 0, to: shifts.count, by: 2) where shifts[index] <= row {
        distance = shifts[index + 1]
      }
      // Those that go elsewhere do so below.
      let isPlaced = operation[3].items.contains { $0[1].integer == cell.id }
      if !isPlaced { rows[row + distance] = cell }
    }
    for placed in operation[3].items { rows[placed[0].integer ?? -1] = try cell(placed) }
    view.rows = rows
  }

  /// A cell that is there already, or comes with what is in it.
  fileprivate func cell(_ json: JSON) throws -> Node {
    guard let id = json[1].integer else { return try Node(json[1], self) }
    let below = Array(json.items.dropFirst(2))
    if below.isEmpty { return try node(json[1]) }
    if let former = nodes[id] { forget(former) }
    return try Node(
      .array([.number(Double(id)), .string("cell"), .object([:]), .array(below)]), self)
  }

  private func forget(_ node: Node) {
    nodes[node.id] = nil
    for child in node.children + Array((node.rows ?? [:]).values) { forget(child) }
  }
}

extension PageMirror {
  /// The number of the cell that shows a row, from 0.
  func row(_ row: Int, of rows: Int) -> Int? { nodes[rows]?.rows?[row]?.id }

  func property(_ name: String, of node: Int) -> JSON? { nodes[node]?.properties[name] }

  var ids: [Int] { nodes.keys.sorted() }

  subscript(id: Int) -> Node? { nodes[id] }

  /// A node with those above it, which come first; empty for one that is gone.
  func path(to id: Int) -> [Node] {
    guard var node = nodes[id] else { return [] }
    var path = [node]
    while let above = nodes.values.first(where: { $0.holds(node) }) {
      path.insert(above, at: 0)
      node = above
    }
    return path
  }

  /// The number of a node of a class, and of a title or label where several have that class.
  func node(_ className: String, _ title: String? = nil) throws -> Int {
    var rest = root.map { [$0] } ?? []
    while let node = rest.popLast() {
      let titles = ["title", "label"].compactMap { node.properties[$0]?.text }
      if node.className == className, title.map(titles.contains) ?? true {
        return node.id
      }
      rest += node.children + (node.rows?.sorted { $0.key < $1.key }.map(\.value) ?? [])
    }
    throw Broken(description: "no \(className)")
  }
}
