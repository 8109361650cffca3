public import TideGraph

extension TreeController {
  /// The selected nodes, recorded.
  public var selectedNodes: [TreeNode] {
    graph.refreshListing(slot(.state))
    Graph.trackRead(of: slot(.state))
    return selectedNodesNow
  }

  func isSelected(_ node: TreeNode) -> Bool { selectedNodes.contains { $0 === node } }

  /// Where the first selected node is; nil for none.
  public var selectionIndexPath: [Int]? {
    get { selectedNodes.first?.indexPath }
    set { try? select(paths: newValue.map { [$0] } ?? []) }
  }

  public var selectionIndexPaths: [[Int]] {
    get { selectedNodes.compactMap(\.indexPath) }
    set { try? select(paths: newValue) }
  }

  /// Selects the nodes at some places; where there are none, they are left out.
  public func select(paths: [[Int]]) throws {
    try select(graph.untracked { paths.compactMap { node(at: $0) } })
  }

  /// Selects the nodes of some objects; those that are not in the tree are left out.
  public func select(objects: [Value]) throws {
    try select(graph.untracked { try nodes(of: objects) })
  }

  /// Selects nodes of this controller's, after what is being edited has been committed; nothing
  /// happens when that is refused.
  public func select(_ nodes: [TreeNode]) throws {
    if graph.untracked({ isEditing }) {
      do { try commitEditing() } catch is TideError { return }
    }
    let nodes = graph.untracked { nodes.filter { $0.controller === self && $0.indexPath != nil } }
    if nodes.isEmpty && selectedNodesNow.isEmpty && isEmptyOnPurpose { return }
    selectedNodesNow = nodes
    isEmptyOnPurpose = nodes.isEmpty
    isTouched = true
    bump(.command)
  }

  /// Lets go of nodes that have left the tree; true when the selection is different from before.
  func settleSelection() -> Bool {
    let avoidsEmpty = self["avoidsEmptySelection"] == true
    let top = arrangedObjects
    _ = top.count
    let before = selectedNodesNow
    var kept: [(node: TreeNode, path: [Int])] = []
    for node in before {
      if let path = node.indexPath {
        kept.append((node, path))
      } else if let again = moved(node), let path = again.indexPath {
        kept.append((again, path))
      }
    }
    let paths = kept.map(\.path)
    selectedNodesNow = kept.map(\.node)
    if selectedNodesNow.isEmpty, avoidsEmpty, !isEmptyOnPurpose, let next = nearest(to: lastPath) {
      selectedNodesNow = [next]
    }
    lastPath = selectedNodesNow.first?.indexPath ?? paths.first ?? lastPath
    defer { isTouched = false }
    return isTouched || before.count != selectedNodesNow.count
      || zip(before, selectedNodesNow).contains { $0 !== $1 } || paths != lastPaths(paths)
  }

  /// The paths of the time before; keeps these for the next.
  private func lastPaths(_ paths: [[Int]]) -> [[Int]] {
    defer { shownPaths = paths }
    return shownPaths
  }

  /// Another node of the same object among the same siblings: rows may be made anew.
  private func moved(_ node: TreeNode) -> TreeNode? {
    guard let siblings = node.siblings else { return nil }
    for case .object(let other as TreeNode) in siblings.values where other.object == node.object {
      return other
    }
    return nil
  }

  /// The node that took the place of one that went: the next, the last, or the one above.
  private func nearest(to path: [Int]) -> TreeNode? {
    var path = path.isEmpty ? [1] : path
    while let index = path.popLast() {
      let parent = node(at: path)
      guard path.isEmpty || parent != nil else { continue }
      let list = parent?.children ?? arrangedObjects
      if list.count > 0, case .object(let node as TreeNode)? = list[min(index, list.count)] {
        return node
      }
      if let parent { return parent }
    }
    return nil
  }
}
