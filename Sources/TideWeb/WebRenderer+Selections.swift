import TideBindings
import TideViews

// A button beside rows has no record of its own: its handler asks a controller for what is selected,
// which others may have changed while the press was on its way.
//
//     event ──message──▶ frame ──▶ SelectionHistory: what this person saw selected
//                                    the same, or nobody asks     the handler runs
//                                    another, and it asks         taken back, and told
extension WebRenderer {
  /// Notes from now on who selects what, and in which frame pages show that.
  func followSelections(in scene: Scene) {
    let graph = scene.window.graph
    BindingTable.of(graph).selectionHistory = SelectionHistory(
      of: graph, nextFrame: { [tree] in tree.nextFrame }, changed: { [tree] in tree.touch() })
  }

  /// Does what a person has done, unless it would be done to what they did not see selected.
  func performOnSeen(_ event: PageEvent, of viewer: PageViewer, in scene: Scene) {
    guard event.actsOnSelection,
      let history = BindingTable.of(scene.window.graph).selectionHistory
    else { return perform(event, of: viewer, in: scene) }
    let selected = history.perform(
      by: ObjectIdentifier(viewer), since: event.message.map(viewer.frame) ?? .max
    ) {
      perform(event, of: viewer, in: scene)
    }
    guard let selected else { return }
    refuse(event.view, "\(translate(PageNotice.selection.rawValue, 0)) \(selected)", to: viewer)
  }
}

extension PageEvent {
  /// Whether a handler may run that asks what is selected. What is typed says by itself what it is
  /// for.
  fileprivate var actsOnSelection: Bool {
    switch kind {
    case .action, .key, .menu: true
    default: false
    }
  }
}
