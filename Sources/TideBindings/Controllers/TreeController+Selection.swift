public import TideGraph

extension TreeController {
  /// The selected nodes. The read is recorded.
  public var selectedNodes: [TreeNode] {
    graph.readListing(slot(.state))
    return selectedNodesNow
  }

  func isSelected(_ node: TreeNode) -> Bool {
    _ = selectedNodes
    return selectedIdentities.contains(ObjectIdentifier(node))
  }

  /// The index path of the first selected node, from 0; nil for none.
  ///
  /// The property of the same name, which scripts and bindings see, counts from 1.
  public var selectionIndexPath: [Int]? {
    get { selectedNodes.first?.indexPath }
    set { try? select(paths: newValue.map { [$0] } ?? []) }
  }

  /// The index paths of the selected objects, from 0.
  public var selectionIndexPaths: [[Int]] {
    get { (try? foundIndexPaths()) ?? [] }
    set { try? select(paths: newValue) }
  }

  /// Like `selectionIndexPaths`, but throws if the running turn has too little time or memory.
  func foundIndexPaths() throws(WorkError) -> [[Int]] {
    var finder = TreeNode.Finder()
    var paths: [[Int]] = []
    var (bytes, admitted) = (0, 1 << 20)
    for node in selectedNodes {
      guard let path = try finder.indexPath(of: node) else { continue }
      paths.append(path)
      bytes += path.count * MemoryLayout<Int>.stride
      if bytes < admitted { continue }
      admitted = 2 * bytes
      try WorkBudget.admit(bytes: admitted)
    }
    return paths
  }

  /// Selects the nodes at index paths, from 0. Ignores paths without a node.
  ///
  /// - Throws: `WorkError` when the running turn has no time or memory left.
  public func select(paths: [[Int]]) throws {
    try select(graph.untracked { paths.compactMap { node(at: $0) } })
  }

  /// Selects the nodes of some objects. Ignores objects that are not in the tree.
  ///
  /// - Throws: `WorkError` when the running turn has no time or memory left.
  public func select(objects: [Value]) throws {
    try select(graph.untracked { try nodes(of: objects) })
  }

  /// Selects nodes of this controller, after committing pending edits. Has no effect if the model
  /// refuses an edit.
  ///
  /// - Throws: `WorkError` when the running turn has no time left, and the error of a host's editor
  ///   if it is not a `TideError`.
  public func select(_ nodes: [TreeNode]) throws {
    if graph.untracked({ isEditing }) {
      do { try commitEdits() } catch is TideError { return }
    }
    let nodes = try graph.untracked {
      var finder = TreeNode.Finder()
      return try nodes.filter { try $0.controller === self && finder.pathHash(of: $0) != nil }
    }
    if nodes.isEmpty && selectedNodesNow.isEmpty && isEmptyOnPurpose { return }
    let isOther = !nodes.elementsEqual(selectedNodesNow, by: ===)
    selectedNodesNow = nodes
    isEmptyOnPurpose = nodes.isEmpty
    isTouched = true
    bump(.command)
    if isOther { endRecordEditsAfterSelection() }
  }

  /// Deselects nodes that have left the tree. Returns whether the selection has changed.
  ///
  /// Throws if the running turn has no time left; the selection then stays.
  func settleSelection() throws(WorkError) -> Bool {
    let avoidsEmpty = self["avoidsEmptySelection"] == true
    let top = arrangedObjects
    _ = top.count
    let before = selectedNodesNow
    let isDropped = dropsSelection()
    var finder = TreeNode.Finder()
    var kept: [TreeNode] = []
    var pathHashes: [Int] = []
    if isDropped { lastPath = [] }
    for node in before where !isDropped {
      if let pathHash = try finder.pathHash(of: node) {
        kept.append(node)
        pathHashes.append(pathHash)
      } else if let again = try finder.node(insteadOf: node),
        let pathHash = try finder.pathHash(of: again)
      {
        // The object may have a new node.
        kept.append(again)
        pathHashes.append(pathHash)
      }
    }
    if kept.isEmpty, avoidsEmpty, !isEmptyOnPurpose, let next = nearest(to: lastPath) {
      kept = [next]
    }
    if let first = kept.first, let path = try finder.indexPath(of: first) { lastPath = path }
    selectedNodesNow = kept
    selectedIdentities = Set(kept.map { ObjectIdentifier($0) })
    defer {
      isTouched = false
      shownPathHashes = pathHashes
    }
    return isTouched || before.count != kept.count || pathHashes != shownPathHashes
      || zip(before, kept).contains { $0 !== $1 }
  }

  /// Whether the nodes were rearranged in a way that drops the selection.
  private func dropsSelection() -> Bool {
    let former = arrangedBy
    arrangedBy = (self["content"], self["sort"])
    if former == arrangedBy || isTouched || self["preservesSelection"] == true { return false }
    return BindingTable.of(graph).editedRecords?.rows(heldBy: self) == nil
  }

  /// The node nearest to a removed one: the next sibling, the last sibling, or the parent.
  private func nearest(to path: [Int]) -> TreeNode? {
    var path = path.isEmpty ? [0] : path
    while let index = path.popLast() {
      let parent = node(at: path)
      guard path.isEmpty || parent != nil else { continue }
      let list = parent?.children ?? arrangedObjects
      if list.count > 0, case .object(let node as TreeNode)? = list[min(index, list.count - 1)] {
        return node
      }
      if let parent { return parent }
    }
    return nil
  }
}
