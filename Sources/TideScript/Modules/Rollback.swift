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
  /// Graph nodes that were created to invalidate computed values.
  private var causes: [Slot] = []
  /// The values before the reload.
  package let journal: Journal
  private let graph: Graph

  /// For models that were declared again: the number of properties that kept their values, and of
  /// those that took a new default.
  package var kept = 0
  package var reset = 0
  /// The former versions of the modules to reload, by name.
  package let former: [String: Module]
  /// The modules that end when the reload commits.
  package var leaving: [Module] = []
  /// The view that the new version has shown so far. It becomes visible when the reload commits.
  package var shown: View?
  /// Models that the new main script has declared although another module declares them. Each has
  /// the error to throw if that module is still needed at the end.
  package var takenModels: [(owner: Module, error: TideError)] = []
  /// Classes that have moved from one module to another.
  var movedClasses: Set<ObjectIdentifier> = []
  /// Models that did not exist before the reload.
  package var newModels: Set<ObjectIdentifier> = []
  /// The former properties of models that were declared again.
  package var formerProperties: [ObjectIdentifier: Set<String>] = [:]
  /// Whether the error being listed is caused by kept data, and not by the new version.
  package internal(set) var isListingKeptData = false
  private let lookup = FileLookup()
  /// Whether ids refer to the new views only, while the main script runs again.
  package var hidesOldViews = false

  package init(_ graph: Graph, of former: [Module]) {
    self.graph = graph
    self.former = Dictionary(former.map { ($0.name, $0) }) { first, _ in first }
    journal = graph.beginJournal(includesRestored: true)
  }

  /// Whether a module's file can be read. The result is cached, since a new version may require a
  /// thousand modules.
  func canRead(_ path: String) -> Bool { lookup.canRead(path) }

  /// Adds the undo step of an operation that has just been done.
  package func keep(_ undo: @escaping () -> Void) { steps.append(undo) }

  /// Adds work to do when the reload commits.
  package func onCommit(_ body: @escaping () -> Void) { endings.append(body) }

  package func note(_ cause: Slot?) {
    if let cause { causes.append(cause) }
  }

  /// Restores the state before the reload.
  package func rollBack() {
    while let step = steps.popLast() { step() }
    journal.rollBackProperties()
    end()
  }

  /// Ends the reload and runs the deferred work.
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
  /// During a reload, adds the undo step of an operation that has just been done.
  func keepUndo(_ undo: @escaping () -> Void) { loader.rollback?.keep(undo) }

  /// During a reload, records the position of a view that another module may take over, so that a
  /// rollback restores it.
  func keepPosition(of view: View) {
    guard let rollback = loader.rollback else { return }
    // A function that makes views does not depend on their position.
    graph.untracked {
      guard let parent = view.superview,
        let index = parent.subviews.firstIndex(where: { $0 === view })
      else { return }
      rollback.keep { try? parent.add(view, at: index) }
    }
  }
}
