import TideBindings
import TideGraph
import TideLua
import TideViews

/// The subviews that a function among a view's children returns. The function runs again when
/// something that it has read changes.
///
///     view.column { view.label {…}, function() … end, view.button {…} }
///                   before ────┐    │ shown: a, b, c
///     column.subviews       [ label, a, b, c, button ]
///
/// A new view with the class and `key` (or `id`) of a shown view does not replace it. Instead the
/// shown view is updated, with its subviews, so that focus, caret and typed text stay.
final class LiveChildren {
  private let home: Home
  private weak var view: View?
  private var function: LuaFunction
  private let context: BindingContext
  /// Contains the effect, and outlives its runs.
  private let scope: BindingContext
  /// Owns what the last run has made, except views.
  private var run: BindingContext
  private var makings: [ObjectIdentifier: ViewBuilder] = [:]
  private(set) var shown: [View] = []
  /// The preceding siblings, the nearest last.
  var before: [Neighbour]
  /// Makes the effect run again with a new function.
  private let version: Signal<Int>

  enum Neighbour {
    case view(View)
    case live(LiveChildren)
  }

  init(
    of view: View, by function: LuaFunction, after before: [Neighbour], in runtime: Runtime
  ) {
    home = runtime.home
    self.view = view
    self.function = function
    self.before = before
    context = runtime.context
    scope = BindingContext(within: context)
    run = BindingContext(within: context)
    version = runtime.graph.signal(0)
    _ = scope.effect { [unowned self] in
      _ = version.value
      do { try refresh() } catch var error as TideError {
        error.holder = self.view.map { ObjectHandle($0) }
        throw error
      }
    }
  }

  /// Ends this, and creates another with the same function for another view.
  func moved(to view: View) -> LiveChildren {
    defer { end() }
    guard let runtime = home.runtime else { return self }
    return LiveChildren(of: view, by: function, after: [], in: runtime)
  }

  func takeFunction(of other: LiveChildren) {
    function = other.function
    version.value += 1
  }

  func setEnabled(_ isEnabled: Bool) {
    scope.isEnabled = isEnabled
    run.isEnabled = isEnabled
    for making in makings.values { making.setEnabled(isEnabled) }
  }

  /// Removes the subviews, and ends everything that belongs to them.
  func end() {
    scope.removeAll()
    run.removeAll()
    for making in makings.values { making.end() }
    makings = [:]
    for view in shown { view.remove() }
    shown = []
  }

  /// Dismisses the subviews, and ends everything that belongs to them.
  func dismiss() {
    view?.dismiss(shown)
    end()
  }

  // MARK: Running

  private func refresh() throws {
    guard let runtime = home.runtime, view != nil else { return }
    let fresh = BindingContext(within: context)
    let collection = MakingCollection(in: fresh)
    let made: [View]
    do {
      made = try runtime.collecting(in: collection) {
        try runtime.table.with(fresh) { try views(given: runtime) }
      }
    } catch {
      collection.endAll()
      fresh.removeAll()
      throw error
    }
    try runtime.graph.untracked { try show(made, collection, fresh, runtime) }
  }

  /// Calls the function. A view that occurs twice keeps its first position.
  private func views(given runtime: Runtime) throws -> [View] {
    let results = try runtime.perform { try function.call([]) }
    var known: Set<ObjectIdentifier> = []
    return try LuaValue.views(in: results, givenBy: "a function among subviews")
      .filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// A returned view, and the shown view that it updates.
  private struct Child {
    let new: View
    let making: ViewBuilder?
    var old: (view: View, making: ViewBuilder)?

    var view: View { old?.view ?? new }
  }

  private func show(
    _ made: [View], _ collection: MakingCollection, _ fresh: BindingContext, _ runtime: Runtime
  ) throws {
    defer { collection.endAll() }
    guard let view else {
      _ = endRun(next: fresh, keeping: [])
      return
    }
    let children = pairs(of: made, collection, runtime)
    let next = children.map(\.view)
    let staying = Set(next.map(ObjectIdentifier.init))
    let gone = shown.filter { !staying.contains(ObjectIdentifier($0)) }
    var index = insertionIndex(in: view)
    // What was entered there is written by bindings that may belong to the last run.
    view.dismiss(gone, of: shown, leaving: next)
    for old in gone { makings[ObjectIdentifier(old)]?.end() }
    var entries = endRun(next: fresh, keeping: children.compactMap(\.old?.view))
    // Left after an error.
    defer { for entry in entries { entry.resume() } }
    var nextMakings: [ObjectIdentifier: ViewBuilder] = [:]
    for child in children {
      if let old = child.old, let making = child.making {
        try old.making.become(making, of: collection, in: runtime)
        nextMakings[ObjectIdentifier(old.view)] = old.making
      } else {
        nextMakings[ObjectIdentifier(child.new)] =
          child.making ?? makings[ObjectIdentifier(child.new)]
      }
    }
    for child in next {
      runtime.keepPosition(of: child)
      try view.add(child, at: index)
      index = (view.subviews.firstIndex { $0 === child } ?? index) + 1
    }
    shown = next
    makings = nextMakings
    try runtime.perform(batching: true) {
      try collection.reconnect(in: runtime.table)
      for entry in entries { entry.resume() }
      entries = []
    }
  }

  private func pairs(
    of made: [View], _ collection: MakingCollection, _ runtime: Runtime
  ) -> [Child] {
    var match = SiblingMatch(shown, keyedOnly: true)
    var olds: [ObjectIdentifier: View] = [:]
    for (old, new) in match.pairs(with: made, keyedOnly: true) where old !== new {
      olds[ObjectIdentifier(new)] = old
    }
    return made.map { new in
      var child = Child(new: new, making: collection.take(new))
      if let old = olds[ObjectIdentifier(new)], let known = makings[ObjectIdentifier(old)],
        let making = child.making, !runtime.isChanged(component: old, given: making)
      {
        child.old = (old, known)
      }
      return child
    }
  }

  /// Ends what the last run has made. Returns what people have entered in views that stay, as far
  /// as bindings of that run held it.
  private func endRun(next: BindingContext, keeping views: [View]) -> [HeldEntry] {
    let last = run
    run = next
    if last.count == 0 { return [] }
    let entries = HeldEntry.all(in: views)
    last.removeAll()
    return entries.map(\.ofEndedBindings)
  }

  /// The index of the first subview.
  private func insertionIndex(in view: View) -> Int {
    let subviews = view.subviews
    if let first = subviews.firstIndex(where: { subview in shown.contains { $0 === subview } }) {
      return first
    }
    for neighbour in before.reversed() {
      if let last = neighbour.last, let index = subviews.firstIndex(where: { $0 === last }) {
        return index + 1
      }
    }
    return 0
  }
}

extension LiveChildren.Neighbour {
  fileprivate var last: View? {
    switch self {
    case .view(let view): view
    case .live(let live): live.shown.last
    }
  }
}
