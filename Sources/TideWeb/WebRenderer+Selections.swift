import TideBindings
import TideViews

// A button beside rows has no record of its own. Its handler asks a controller for the selection,
// which other viewers may have changed while the event was on its way.
//
//     event ──message──▶ frame ──▶ SelectionHistory: the selection that this person saw
//                                    it is current, or unused     the handler runs
//                                    it is outdated, and used     refused, and rolled back
extension WebRenderer {
  /// Records from now on who selects what, and the frame in which pages show it.
  func followSelections(in scene: Scene) {
    let graph = scene.window.graph
    BindingTable.of(graph).selectionHistory = SelectionHistory(
      of: graph, nextFrame: { [tree] in tree.nextFrame }, changed: { [tree] in tree.touch() })
  }

  /// Carries out a person's act, unless it would apply to a selection that they have not seen.
  func performOnSeen(_ event: PageEvent, of viewer: PageViewer, in scene: Scene) {
    guard let history = BindingTable.of(scene.window.graph).selectionHistory else {
      return perform(event, of: viewer, in: scene)
    }
    let act = history.makeAct(
      by: viewer.person, since: event.message.map(viewer.frame) ?? .max,
      checksSelections: event.actsOnSelection
    ) { [weak self, person = viewer.person, view = event.view] refusal in
      self?.tell(refusal, at: view, to: person)
    }
    history.perform(act) { perform(event, of: viewer, in: scene) }
  }

  /// Notifies a person that an act was stopped. The page may have been reloaded since the act.
  private func tell(_ refusal: PersonalAct.Refusal, at view: Int, to person: ScenePerson) {
    let people = Array(viewers.values) + absent
    guard let viewer = people.first(where: { $0.person === person.present }) else { return }
    let isPartial = refusal.hasKeptChanges || !refusal.lasting.isEmpty
    let notice = isPartial ? PageNotice.selectionLater : .selection
    var text = "\(translate(notice.rawValue, 0)) \(refusal.selected)"
    if !refusal.lasting.isEmpty {
      let lasting = refusal.lasting.joined(separator: ", ")
      text += ". \(translate(PageNotice.lasting.rawValue, 0)) \(lasting)"
    }
    refuse(view, text, to: viewer)
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
