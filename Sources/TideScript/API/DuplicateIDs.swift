import TideBindings
import TideGraph
import TideViews

// Ids that several shown views have. Each is listed for as long as that is the case, whether the
// views were made so, were added later or got their ids later. The cells of a view of rows are
// exempt: they are alike.
//
//     view added, id set ──onID──▶ idsToCheck ──▶ one search after the change ──▶ listed
extension Runtime {
  /// Lists the ids that several shown views have, and follows the views from now on.
  func listDuplicateIDs() {
    list(duplicatesAmong: nil)
    if scene?.host.onID == nil { followIDs() }
    if views.idChecks != nil { return }
    let checks = graph.signal(0)
    views.idChecks = checks
    // It belongs to no context, because it is the runtime's own and outlives reloads.
    views.idEffect = graph.effect { [home] in
      _ = checks.value
      guard let runtime = home.runtime else { return }
      runtime.graph.untracked { runtime.checkIDs() }
    }
  }

  /// Called when a view was added, or got an id.
  func noteID(_ id: String, of view: View) {
    guard let checks = views.idChecks, !views.duplicateIDs.contains(id) else { return }
    graph.untracked {
      if view.isInRow { return }
      let isFirst = views.idsToCheck.isEmpty
      views.idsToCheck.insert(id)
      if isFirst { checks.value &+= 1 }
    }
  }

  private func checkIDs() {
    if views.idsToCheck.isEmpty { return }
    var ids: Set<String> = []
    swap(&ids, &views.idsToCheck)
    // During a reload, views of the old and the new version exist.
    if loader.rollback == nil { list(duplicatesAmong: ids) }
  }

  /// Lists ids that several shown views have.
  ///
  /// - Parameter ids: the ids to look for; nil for all.
  private func list(duplicatesAmong ids: Set<String>?) {
    var known: Set<String> = []
    var found: Set<String> = []
    graph.untracked {
      visitViewsOutsideRows { view in
        if let id = view[.id], ids?.contains(id) ?? true, !known.insert(id).inserted {
          found.insert(id)
        }
        return true
      }
    }
    for id in found.sorted() where views.duplicateIDs.insert(id).inserted { list(duplicate: id) }
  }

  private func list(duplicate id: String) {
    table.with(mainContext) {
      listWhileFound(.duplicate) { [home] in
        guard let runtime = home.runtime, runtime.hasSeveralViews(withID: id) else { return }
        throw TideError(
          .duplicate, "two shown views have the id \"\(id)\"; views.\(id) finds the first")
      }
      mainContext.own { [home] in home.runtime?.views.duplicateIDs.remove(id) }
    }
  }

  /// Whether several shown views have an id; recorded as a read.
  private func hasSeveralViews(withID id: String) -> Bool {
    follow(id: id)
    let found = graph.untracked {
      var found: [View] = []
      visitViewsOutsideRows { view in
        if view[.id] == id, !view.isRemoved { found.append(view) }
        return found.count < 2
      }
      return found
    }
    // Depends on their ids.
    for view in found { _ = view[.id] }
    return found.count > 1
  }

  /// Visits the shown views, without those in the rows of lists, until a function returns false.
  private func visitViewsOutsideRows(_ visit: (View) -> Bool) {
    var stack = topView.map { [$0] } ?? []
    while let view = stack.popLast(), visit(view) {
      if !(view is RowsView) { stack.append(contentsOf: view.subviews) }
    }
  }
}

extension View {
  /// Whether it is in a row of a list, table, tree or collection.
  fileprivate var isInRow: Bool {
    var view = superview
    while let current = view {
      if current is RowsView { return true }
      view = current.superview
    }
    return false
  }
}
