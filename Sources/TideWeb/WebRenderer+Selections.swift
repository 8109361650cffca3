import TideBindings
import TideViews

// Acts of pages apply to the selection that their person saw; see `Scene.perform(by:seeing:)`.
extension WebRenderer {
  /// Records from now on who selects what, and the frame in which pages show it.
  func followSelections(in scene: Scene) {
    let graph = scene.window.graph
    selections = SelectionHistory(
      of: graph, nextFrame: { [tree] in tree.nextFrame }, changed: { [tree] in tree.touch() })
    BindingTable.of(graph).selectionHistory = selections
  }

  /// The frames of pages end. A terminal that the app is shown in later counts its own.
  func endSelections() {
    guard let scene else { return }
    let table = BindingTable.of(scene.window.graph)
    if table.selectionHistory === selections { table.selectionHistory = nil }
    selections = nil
  }

  /// Carries out a person's act, unless it would apply to a selection that they have not seen.
  func performOnSeen(_ event: PageEvent, of viewer: PageViewer, in scene: Scene) {
    let notify = {
      [weak self, person = viewer.person, view = event.view] (refusal: PersonalAct.Refusal) in
      self?.tell(refusal, at: view, to: person) ?? ()
    }
    scene.perform(
      by: viewer.person, seeing: event.message.map(viewer.frame) ?? .max,
      checksSelections: event.actsOnSelection, notify
    ) {
      perform(event, of: viewer, in: scene)
    }
  }

  /// Notifies a person that an act was stopped. The page may have been reloaded since the act.
  private func tell(_ refusal: PersonalAct.Refusal, at view: Int, to person: ScenePerson) {
    let people = Array(viewers.values) + absent
    guard let viewer = people.first(where: { $0.person === person.present }) else { return }
    refuse(view, SelectionNotice.text(of: refusal) { translate($0, 0) }, to: viewer)
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
