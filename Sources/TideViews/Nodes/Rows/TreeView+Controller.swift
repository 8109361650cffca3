import TideBindings
import TideGraph

// Synchronizes the selection with a tree controller.
extension TreeView {
  func follow(_ found: TreeController?) {
    if found === controller && (found == nil || controllerSelection != nil) { return }
    controller = found
    controllerSelection?.cancel()
    controllerSelection = nil
    guard let found else { return }
    controllerSelection = graph.effect { [weak self, weak found] in
      guard let self, let found else { return }
      let objects = found.selectedNodes.map(\.object)
      graph.untracked {
        if self.mode == .many {
          self.show(selected: objects)
        } else {
          self.show(selected: objects.first ?? .null)
        }
      }
    }
  }

  private func show(selected objects: [Value]) {
    if isSelecting || content == nil { return }
    isSelecting = true
    defer { isSelecting = false }
    select(objects: objects)
  }

  private func show(selected object: Value) {
    if isSelecting || content == nil { return }
    if let selection, content?.row(selection) == object { return }
    if object == .null && selection == nil { return }
    isSelecting = true
    defer { isSelecting = false }
    select(object == .null ? nil : content?.index(of: object))
    revealsSelection = true
    setNeedsLayout()
  }

  /// Selects in the controller the rows that are selected in the view.
  func selectInController() {
    guard let controller, !isSelecting, let rows else { return }
    isSelecting = true
    defer { isSelecting = false }
    if mode == .many { return selectMarks(in: controller, rows) }
    let entry = selection.flatMap { rows.entry($0) }
    guard case .object(let node as TreeNode)? = entry?.element else { return }
    if controller.selectedNodes.first === node { return }
    do {
      try controller.select([node])
    } catch {
      report(error)
    }
    let chosen = graph.untracked { controller.selectedNodes.first }
    if chosen !== node {
      // The controller may keep a row that is being edited.
      select(chosen.flatMap { rows.index(of: $0.object) })
    }
  }

  private func selectMarks(in controller: TreeController, _ rows: TreeRows) {
    let nodes = marks.rows.rows.compactMap { row -> TreeNode? in
      guard case .object(let node as TreeNode)? = rows.entry(row)?.element else { return nil }
      return node
    }
    let isSame = { (chosen: [TreeNode]) in
      Set(chosen.map { ObjectIdentifier($0) }) == Set(nodes.map { ObjectIdentifier($0) })
    }
    if isSame(graph.untracked { controller.selectedNodes }) { return }
    do {
      try controller.select(nodes)
    } catch {
      report(error)
    }
    let chosen = graph.untracked { controller.selectedNodes }
    // The controller may keep a row that is being edited.
    if !isSame(chosen) { select(objects: chosen.map(\.object)) }
  }
}
