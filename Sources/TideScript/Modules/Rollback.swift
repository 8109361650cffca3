package import TideBindings
package import TideGraph
import TideSystem
package import TideViews

/// Undoes what a new version of an app's modules has done so far, or completes it when the reload
/// commits.
package final class Rollback {
  /// Undo steps, run last to first.
  private var steps: [() -> Void] = []
  private var endings: [() -> Void] = []
  /// Nodes that have let computed values be evaluated anew.
  private var causes: [Slot] = []
  /// What the graph held before.
  package let journal: Journal
  private let graph: Graph

  /// How many properties of models that were declared again hold what they held before, and how
  /// many have taken a new default.
  package var kept = 0
  package var reset = 0
  /// The modules as they were, by name, of those that are to be run anew.
  package let former: [String: Module]
  /// The modules that end when the reload commits.
  package var leaving: [Module] = []
  /// What the new version has shown so far: it becomes visible when the reload commits.
  package var shown: View?
  /// Models that the new version has declared in place of modules that it may not need any more,
  /// with what is wrong if it does.
  package var takenModels: [(owner: Module, error: TideError)] = []
  /// Classes that the new version declares in another module than the old one did.
  var movedClasses: Set<ObjectIdentifier> = []
  /// Models that the new version has declared first.
  package var newModels: Set<ObjectIdentifier> = []
  /// What models had before that it has declared anew.
  package var formerProperties: [ObjectIdentifier: Set<String>] = [:]
  private let lookup = FileLookup()
  /// While the main script runs anew, ids mean the views that it is about to show.
  package var hidesOldViews = false

  package init(_ graph: Graph, of former: [Module]) {
    self.graph = graph
    self.former = Dictionary(former.map { ($0.name, $0) }) { first, _ in first }
    journal = graph.beginJournal(includesRestored: true)
  }

  /// Whether a module's file can be read. The new version may require a thousand.
  func canRead(_ path: String) -> Bool { lookup.canRead(path) }

  /// Adds the undo step of something that has just been done.
  package func keep(_ undo: @escaping () -> Void) { steps.append(undo) }

  /// Adds what is to be done when the reload commits.
  package func onCommit(_ body: @escaping () -> Void) { endings.append(body) }

  package func note(_ cause: Slot?) {
    if let cause { causes.append(cause) }
  }

  /// Leaves everything as it was before.
  package func rollBack() {
    while let step = steps.popLast() { step() }
    journal.rollBackProperties()
    end()
  }

  /// Does what remains to be done.
  package func commit() {
    end()
    for ending in endings { ending() }
  }

  private func end() {
    graph.end(journal)
    for cause in causes { graph.dispose(cause) }
    causes = []
  }
}

extension Runtime {
  /// While a new version is tried, adds what undoes something that has just been done.
  func keepUndo(_ undo: @escaping () -> Void) { loader.rollback?.keep(undo) }

  /// Has a view of a module that is not run anew return to where it stands, when the version that
  /// takes it over turns out no good.
  func keepPosition(of view: View) {
    guard let rollback = loader.rollback else { return }
    // A function that makes views does not depend on where they stand.
    graph.untracked {
      guard let parent = view.superview,
        let index = parent.subviews.firstIndex(where: { $0 === view })
      else { return }
      rollback.keep { try? parent.add(view, at: index) }
    }
  }
}
