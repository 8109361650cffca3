import TideBindings
import TideGraph
import TideViews

/// The person or program on whose behalf scripts run. Tasks, timers and delayed bindings run on
/// behalf of whoever started them.
///
///     Ann's press ──▶ handler ──▶ after(60, fn)
///     Bob's press ──▶ handler        fn: viewer is Ann
package struct Performer {
  /// Nil for the program.
  private let personsViewer: Viewer?
  let person: ScenePerson?
  fileprivate let act: PersonalAct?
  /// Whether it is part of what the act requests, so that selections are checked.
  fileprivate private(set) var continuesAct = true

  private init(_ viewer: Viewer?, _ person: ScenePerson?, _ act: PersonalAct?) {
    personsViewer = viewer
    self.person = person
    self.act = act
  }

  /// A person without an act.
  package init(_ viewer: Viewer) { self.init(viewer, nil, nil) }

  fileprivate init(_ runtime: Runtime) {
    let person = runtime.scene?.actor
    if runtime.graph.isBusy {
      // Observers and other consequences of a change are not part of the act. What they start keeps
      // the viewer that they saw, because a resource may depend on it.
      let present = runtime.viewer
      self.init(present == runtime.ending.viewer.owner ? nil : present, person, nil)
      return
    }
    let act = runtime.table.selectionHistory?.act
    if let known = runtime.calls.performer, known.person?.present === person {
      self.init(known.personsViewer, known.person, act)
      continuesAct = known.continuesAct
    } else {
      let isPerson = person != nil || act != nil
      self.init(isPerson ? runtime.viewer : nil, person, act)
    }
  }

  /// The same performer for indirect consequences of an act, such as a repeating timer.
  var beyondAct: Performer {
    var other = self
    other.continuesAct = false
    return other
  }

  /// Whether the act was refused, so that none of its tasks continue.
  var isRevoked: Bool { act?.isRefused ?? false }

  fileprivate func viewer(in runtime: Runtime) -> Viewer {
    personsViewer ?? runtime.ending.viewer.owner
  }
}

extension Runtime {
  /// The current performer.
  package var performer: Performer { Performer(self) }

  /// Runs a function on behalf of a person or the program. Scripts read the person from `viewer`,
  /// and errors are reported to the person.
  package func run(as performer: Performer, _ body: () -> Void) {
    let outer = calls.performer
    calls.performer = performer
    let own = performer.viewer(in: self)
    let present = own == viewer ? nil : ending.viewer.begin(own)
    defer {
      calls.performer = outer
      if let present { ending.viewer.end(present) }
    }
    guard let history = table.selectionHistory else { return attribute(to: performer.person, body) }
    history.perform(performer.act, checks: performer.continuesAct) {
      attribute(to: performer.person, body)
    }
  }

  /// Runs a delayed part of an act, such as the arrival of a query's rows, with the budget of a
  /// turn.
  package func complete(_ performer: Performer, _ body: () -> Void) {
    home.runWithinBudget { if performer.act == nil { body() } else { run(as: performer, body) } }
  }

  private func attribute(to person: ScenePerson?, _ body: () -> Void) {
    if let scene { scene.acting(as: person, body) } else { body() }
  }
}
