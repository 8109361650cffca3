public import TideGraph

extension TreeController {
  /// Inserts an object before the first selected node, or at the end of the top level.
  ///
  /// - Throws: `readOnly` when the controller or the list cannot be edited, and the error of a
  ///   pending edit that the model refuses.
  public func insert(_ object: Value) throws {
    guard let node = graph.untracked({ selectedNodes.first }) else { return try add(object) }
    try insert(object, into: node.parent, at: contentPosition(of: node))
  }

  /// Adds an object as the last child of the first selected node.
  ///
  /// - Throws: as `insert(_:)` does, and `refused` when no node is selected or it has no list of
  ///   children.
  public func addChild(_ object: Value) throws {
    try insert(object, into: parentForChild(), at: nil)
  }

  /// Inserts an object as the first child of the first selected node.
  ///
  /// - Throws: as `addChild(_:)` does.
  public func insertChild(_ object: Value) throws {
    try insert(object, into: parentForChild(), at: 0)
  }

  /// Inserts an object at an index path, unless it is sorted elsewhere. Indexes count from 0.
  ///
  /// - Throws: `outOfRange` if there is no such position, `refused` if the parent node has no list
  ///   of children, and as `insert(_:)` does.
  public func insert(_ object: Value, at path: [Int]) throws {
    let (parent, index) = try position(path, first: 0)
    try insert(object, into: parent, at: index)
  }

  /// Inserts an object at a script's index path, which counts from 1.
  package func insert(_ object: Value, atNumbers numbers: [Int]) throws {
    let (parent, index) = try position(numbers, first: 1)
    try insert(object, into: parent, at: index, isNumbered: true)
  }

  private func position(_ path: [Int], first: Int) throws -> (parent: TreeNode?, index: Int) {
    let above = path.dropLast().map { first == 0 ? $0 : $0.position }
    let parent = graph.untracked { node(at: above) }
    guard let last = path.last, above.isEmpty || parent != nil else {
      throw Self.noNode(at: path)
    }
    return (parent, first == 0 ? last : last.position)
  }

  private static func noNode(at path: [Int]) -> TideError {
    TideError(
      .outOfRange,
      path.isEmpty
        ? "an empty path leads to no node"
        : "there is no node at \(path.map(String.init).joined(separator: "."))")
  }

  /// Removes the object of the node at an index path, which counts from 0.
  ///
  /// - Throws: `outOfRange` if there is no such node, `readOnly` when the controller or the list
  ///   cannot be edited.
  public func remove(at path: [Int]) throws { try remove(at: path, first: 0) }

  /// Removes the object at a script's index path, which counts from 1.
  package func remove(atNumbers numbers: [Int]) throws { try remove(at: numbers, first: 1) }

  private func remove(at path: [Int], first: Int) throws {
    guard let node = graph.untracked({ node(at: path.map { first == 0 ? $0 : $0.position }) })
    else {
      throw Self.noNode(at: path)
    }
    try remove(node)
  }

  func remove(_ node: TreeNode) throws {
    try checkEditable()
    guard let list = graph.untracked({ list(of: node.parent) }) else { return }
    // A node whose parent was removed before is gone already.
    if let position = graph.untracked({ list.index(of: node.object) }) {
      try list.remove(at: position)
    } else if graph.untracked({ node.parent == nil && contentValue == node.object }) {
      contentValue = .null
    }
  }

  /// Removes the objects of several nodes, with one change for each list.
  func remove(_ nodes: [TreeNode]) throws {
    if nodes.count == 1 { return try remove(nodes[0]) }
    try checkEditable()
    var order: [ValueList] = []
    var objects: [ObjectIdentifier: [Value]] = [:]
    for node in nodes {
      if let list = graph.untracked({ list(of: node.parent) }) {
        if objects[ObjectIdentifier(list)] == nil { order.append(list) }
        objects[ObjectIdentifier(list), default: []].append(node.object)
      }
    }
    // Everything that can fail is done before the first removal.
    let found = try graph.untracked {
      try order.map { list in
        try RowSelection.rows(of: objects[ObjectIdentifier(list)] ?? [], in: list.values)
      }
    }
    for (list, positions) in zip(order, found) { try list.remove(positions) }
  }

  private func parentForChild() throws -> TreeNode {
    if let node = graph.untracked({ selectedNodes.first }) { return node }
    throw TideError(.refused, "no node is selected, so there is none to add a child to")
  }

  private func list(of parent: TreeNode?) -> ValueList? {
    guard let parent else { return topList() }
    return childList(of: parent.object)
  }

  private func contentPosition(of node: TreeNode) -> Int? {
    graph.untracked { list(of: node.parent)?.index(of: node.object) }
  }

  func insert(
    _ object: Value, into parent: TreeNode?, at index: Int?, isNumbered: Bool = false
  ) throws {
    try checkEditable()
    try commitEditing()
    let known = graph.untracked { list(of: parent) }
    if known == nil, let parent {
      throw TideError(
        .refused, "\(parent.object.literal) has no list of children to add to")
    }
    try graph.batch {
      if let known {
        if isNumbered, let index { _ = try known.position(numbered: index.number, orAfter: true) }
        try known.insert(object, at: index ?? graph.untracked { known.count })
      } else {
        contentValue = .object(ValueList([object]))
      }
      guard graph.untracked({ self["selectsInsertedObjects"] == true }) else { return }
      let nodes = graph.untracked { (parent?.children ?? arrangedObjects).values }
      for case .object(let node as TreeNode) in nodes.reversed() where node.object == object {
        return try select([node])
      }
    }
  }
}
