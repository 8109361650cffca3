public import TideGraph

/// One row of a tree controller: an object, and the nodes of its children.
///
/// ```swift
/// let folders = TreeController(root, childrenPath: "folders")
/// for node in folders.selectedNodes { print(node.level, node.object) }
/// ```
public final class TreeNode: ControllerPart {
  /// The object that the node represents.
  public let object: Value
  private let owner: ObjectHandle
  fileprivate let above: ObjectHandle?
  private var nodes: ValueList?
  /// The node's last known index among its siblings.
  fileprivate var lastPosition = 0
  private var failure: FunctionFailure?

  private static let nodeShape = Shape(
    name: "node",
    properties: [
      PropertyDescription("object", isReadOnly: true),
      .derived("children", .list, of: TreeNode.self) { .object($0.children) },
      .derived("parent", of: TreeNode.self) { $0.parent.map { .object($0) } ?? .null },
      .derived("isLeaf", .boolean, of: TreeNode.self) { .boolean($0.isLeaf) },
      .derived("count", .integer, of: TreeNode.self) { .integer($0.count) },
      .derived("level", .integer, of: TreeNode.self) { .integer($0.level) },
      .derived("selected", .boolean, of: TreeNode.self) {
        .boolean($0.controller?.isSelected($0) ?? false)
      },
    ])

  init(_ object: Value, of controller: TreeController, below parent: TreeNode?) {
    self.object = object
    owner = ObjectHandle(controller)
    above = parent.map { ObjectHandle($0) }
    super.init(shape: Self.nodeShape)
    _ = slot(0).store(object)
  }

  package var controller: TreeController? { owner.object as? TreeController }

  /// The parent node; nil at the top level.
  public var parent: TreeNode? { above?.object as? TreeNode }

  /// The nodes of the object's children. This is always the same list, which follows the children.
  public var children: ValueList {
    if let nodes { return nodes }
    guard let controller else { return ValueList() }
    let made = controller.makeNodes(below: self)
    nodes = made
    return made
  }

  /// The size in bytes of a node with its list of children.
  static let weight = 1400

  /// The number of children whose nodes have yet to be made, up to a limit.
  func count(limit: Int) -> Int {
    nodes == nil ? min(childList?.count ?? 0, limit) : 0
  }

  /// The list of the object's children; nil if there is none, or for an error, which is listed.
  var childList: ValueList? {
    guard let controller else { return nil }
    do {
      let list = try controller.findChildren(of: object)
      if failure != nil { graph.untracked { failure = nil } }
      return list
    } catch {
      if (error as? any PassingFailure)?.isPassing != true {
        graph.untracked { note(error, of: controller) }
      }
      return nil
    }
  }

  private func note(_ error: any Error, of controller: TreeController) {
    let table = BindingTable.of(graph)
    let failure = self.failure ?? FunctionFailure(in: table)
    self.failure = failure
    var error = TideError(wrapping: error, graph: graph)
    error.location = error.location ?? controller.pathLocations["childrenPath"]
    var site = FailureSite(view: table.hooks.nameOfObject?(controller) ?? controller.label)
    if let index = siblings?.index(of: .object(self)) {
      site.row = FailureSite.Row(number: index.number, title: RowTitle.of(object))
    }
    if let news = failure.note(error, at: site) { table.tell(of: news) }
  }

  /// The depth of the node; 1 at the top level.
  public var level: Int {
    var level = 1
    var next = parent
    while let node = next {
      level += 1
      next = node.parent
    }
    return level
  }

  /// The number of children: the value of `countPath` if that is set, else the length of the list.
  public var count: Int {
    if let path = controller?.path("countPath"),
      let value = try? controller?.read(path, of: object),
      case .integer(let count) = value
    {
      return count
    }
    return childList?.count ?? 0
  }

  /// Whether it cannot have children: the value of `leafPath` if that is set, else whether it has
  /// no list of children.
  public var isLeaf: Bool {
    if let path = controller?.path("leafPath"), let value = try? controller?.read(path, of: object)
    {
      return value == true
    }
    return childList == nil
  }

  /// The list of nodes that contains it.
  var siblings: ValueList? { parent?.children ?? controller?.arrangedObjects }

  /// Its index path from the top, from 0; nil when it is no longer in the tree.
  public var indexPath: [Int]? {
    var path: [Int] = []
    var node = self
    while true {
      guard let index = node.siblings?.index(of: .object(node)) else { return nil }
      path.append(index)
      guard let above = node.above else { return path.reversed() }
      guard let parent = above.object as? TreeNode else { return nil }
      node = parent
    }
  }
}

extension TreeNode {
  /// Finds the positions of many nodes, with one pass over each list of siblings.
  struct Finder {
    private var positions: [ObjectIdentifier: [ObjectIdentifier: Int]] = [:]
    private var nodes: [ObjectIdentifier: [ContentKey: TreeNode]] = [:]
    /// The path hash of each node that was asked for; nil if the node has left the tree.
    private var pathHashes: [ObjectIdentifier: Int?] = [:]
    private var clock = WorkClock()

    /// The node's position among its siblings.
    private mutating func position(of node: TreeNode) throws(WorkError) -> Int? {
      guard let siblings = node.siblings else { return nil }
      if let near = Self.position(of: node, near: node.lastPosition, in: siblings) { return near }
      if let known = positions[ObjectIdentifier(siblings)] { return known[ObjectIdentifier(node)] }
      var found: [ObjectIdentifier: Int] = [:]
      for (index, value) in siblings.values.enumerated() {
        try clock.step()
        guard case .object(let object) = value else { continue }
        if found[ObjectIdentifier(object)] == nil { found[ObjectIdentifier(object)] = index }
      }
      positions[ObjectIdentifier(siblings)] = found
      if let position = found[ObjectIdentifier(node)] { node.lastPosition = position }
      return found[ObjectIdentifier(node)]
    }

    /// Searches near the last known index first: most edits leave a node there, or move it by one.
    private static func position(
      of node: TreeNode, near last: Int, in siblings: ValueList
    ) -> Int? {
      for position in [last, last + 1, last - 1] where siblings[position] == Value.object(node) {
        node.lastPosition = position
        return position
      }
      return nil
    }

    /// A hash of the path to the node; nil for a node that is no longer in the tree. Storing the
    /// paths themselves would take memory quadratic in the depth.
    mutating func pathHash(of node: TreeNode) throws(WorkError) -> Int? {
      // Walk up to a node with a known hash, or to the top; then down again.
      var way: [TreeNode] = []
      var pathHash: Int? = 0
      var next: TreeNode? = node
      while let current = next {
        try clock.step()
        if let known = pathHashes[ObjectIdentifier(current)] {
          pathHash = known
          break
        }
        way.append(current)
        if current.above != nil && current.parent == nil {
          pathHash = nil
          break
        }
        next = current.parent
      }
      for node in way.reversed() {
        if let above = pathHash, let position = try position(of: node) {
          var hasher = Hasher()
          hasher.combine(above)
          hasher.combine(position)
          pathHash = hasher.finalize()
        } else {
          pathHash = nil
        }
        pathHashes[ObjectIdentifier(node)] = .some(pathHash)
      }
      return pathHash
    }

    /// The node's `indexPath`.
    mutating func indexPath(of node: TreeNode) throws(WorkError) -> [Int]? {
      guard try pathHash(of: node) != nil else { return nil }
      var path: [Int] = []
      var next: TreeNode? = node
      while let current = next, let position = try position(of: current) {
        try clock.step()
        path.append(position)
        next = current.parent
      }
      return path.reversed()
    }

    /// The first node of the same object among the same siblings.
    mutating func node(insteadOf node: TreeNode) throws(WorkError) -> TreeNode? {
      guard let siblings = node.siblings else { return nil }
      if let known = nodes[ObjectIdentifier(siblings)] { return known[ContentKey(node.object)] }
      var found: [ContentKey: TreeNode] = [:]
      for case .object(let other as TreeNode) in siblings.values {
        try clock.step()
        let key = ContentKey(other.object)
        if found[key] == nil { found[key] = other }
      }
      nodes[ObjectIdentifier(siblings)] = found
      return found[ContentKey(node.object)]
    }
  }
}

extension TreeNode: DescribedObject {
  package var describedText: String { "node of \(object.literal)" }
}
