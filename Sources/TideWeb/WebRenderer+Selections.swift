import TideBindings
import TideViews

// A button beside rows has no record of its own. Its handler asks a controller for the selection,
// which others may have changed while the press was on its way.
//
//     event ──message──▶ frame ──▶ SelectionHistory: the selection that this person saw
//                                    it is current, or unused     the handler runs
//                                    it is outdated, and used     refused, and taken back
extension WebRenderer {
  /// Records from now on who selects what, and in which frame pages show it.
  func followSelections(in scene: Scene) {
    let graph = scene.window.graph
    BindingTable.of(graph).selectionHistory = SelectionHistory(
      of: graph, nextFrame: { [tree] in tree.nextFrame }, changed: { [tree] in tree.touch() })
  }

  /// Carries out a person's act, unless it would apply to a selection that they have not seen.
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
  /// Whether the event may run a handler that asks for the selection. Typed text names its record
  /// itself.
  fileprivate var actsOnSelection: Bool {
    switch kind {
    case .action, .key, .menu: true
    default: false
    }
  }
}
