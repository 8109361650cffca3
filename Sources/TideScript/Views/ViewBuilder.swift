import TideBindings
import TideLua
import TideViews

/// How a script made a view: its table, the objects it owns, and the same for its subviews. Kept so
/// that a function can rebuild the view.
final class ViewBuilder {
  let view: View
  private(set) var fields: LuaTable?
  /// Owns the view's bindings, handlers and effects.
  let context: BindingContext
  /// Owns what a component's function made, which ends only with the view.
  let body: BindingContext
  var children: [Child] = []

  enum Child {
    /// A subview, and its builder unless the subview was made elsewhere.
    case view(View, ViewBuilder?)
    case live(LiveChildren)

    var view: View? {
      if case .view(let view, _) = self { view } else { nil }
    }
  }

  init(_ view: View, _ fields: LuaTable?, in context: BindingContext) {
    self.view = view
    self.fields = fields
    self.context = BindingContext(within: context)
    body = BindingContext(within: context)
  }

  /// Ends everything that belongs to the view and its subviews.
  func end() {
    context.removeAll()
    body.removeAll()
    for child in children { child.end() }
    children = []
  }

  func setEnabled(_ isEnabled: Bool) {
    context.isEnabled = isEnabled
    body.isEnabled = isEnabled
    for child in children {
      switch child {
      case .view(_, let making): making?.setEnabled(isEnabled)
      case .live(let live): live.setEnabled(isEnabled)
      }
    }
  }

  /// Updates the view to match another builder's view.
  ///
  /// Only properties whose values differ between the two tables are written, so that input of a
  /// person stays. Bindings, handlers and functions are replaced.
  func become(
    _ new: ViewBuilder, of collection: MakingCollection, in runtime: Runtime
  ) throws {
    collection.keep(view, insteadOf: new.view)
    new.context.removeAll()
    new.body.removeAll()
    let entry = HeldEntry(of: view)
    let old = fields
    fields = new.fields
    try runtime.table.with(context) {
      try runtime.perform(batching: true) {
        context.removeAll()
        try runtime.update(view, from: old, to: new.fields)
        entry?.resume()
        try takeChildren(of: new, of: collection, in: runtime)
      }
    }
  }

  private func takeChildren(
    of new: ViewBuilder, of collection: MakingCollection, in runtime: Runtime
  ) throws {
    if view.viewClass === new.view.viewClass, runtime.isComponent(view) { return }
    var kept: [ObjectIdentifier: Child] = [:]
    var match = SiblingMatch(children.compactMap(\.view))
    for (old, coming) in match.pairs(with: new.children.compactMap(\.view)) {
      kept[ObjectIdentifier(coming)] = children.first { $0.view === old }
    }
    var lives = children.compactMap { if case .live(let live) = $0 { live } else { nil } }
    var next: [Child] = []
    for child in new.children {
      switch child {
      case .view(let coming, let making):
        guard let old = kept[ObjectIdentifier(coming)], case .view(_, let oldMaking?) = old,
          let making, !runtime.isChanged(component: oldMaking.view, given: making)
        else {
          next.append(child)
          continue
        }
        try oldMaking.become(making, of: collection, in: runtime)
        next.append(old)
      case .live(let live):
        if lives.isEmpty {
          next.append(.live(live.moved(to: view)))
        } else {
          let old = lives.removeFirst()
          old.takeFunction(of: live)
          live.end()
          next.append(.live(old))
        }
      }
    }
    for live in lives { live.dismiss() }
    let staying = Set(next.compactMap { $0.view.map(ObjectIdentifier.init) })
    for case .view(let old, let making) in children where !staying.contains(ObjectIdentifier(old)) {
      view.dismiss([old])
      making?.end()
    }
    new.children = []
    children = next
    try arrange(next)
  }

  /// Puts the subviews into the order of the children.
  private func arrange(_ children: [Child]) throws {
    var index = 0
    var before: [LiveChildren.Neighbour] = []
    for child in children {
      switch child {
      case .view(let subview, _):
        try view.add(subview, at: index)
        index += 1
        before.append(.view(subview))
      case .live(let live):
        live.before = before
        for subview in live.shown {
          try view.add(subview, at: index)
          index += 1
        }
        before.append(.live(live))
      }
    }
  }
}

extension ViewBuilder.Child {
  fileprivate func end() {
    switch self {
    case .view(_, let making): making?.end()
    case .live(let live): live.end()
    }
  }
}

extension BindingContext {
  /// A context that its creator ends. Its objects belong to the same owner as those of the other
  /// context.
  convenience init(within other: BindingContext) {
    self.init(nil, in: other.table)
    owner = other.owner
  }
}

/// Collects the builders of the views that a function makes, and what the function connects to
/// these views apart from their tables, by `bind`, `on` or `observe`.
///
/// A new view may only update a shown view, which stays in its place. The connections are then made
/// again, with the shown view:
///
///     new field ◀── bind, on, observe           made by the function
///         ╎ update
///     shown field ◀── bind, on, observe         made again
final class MakingCollection {
  let context: BindingContext
  private var makings: [ObjectIdentifier: ViewBuilder] = [:]
  private var connections: [Connection] = []
  private var kept: [ObjectIdentifier: (new: View, shown: View)] = [:]

  private struct Connection {
    let objects: [DataObject]
    let context: BindingContext
    let connect: ([DataObject]) throws -> Void
  }

  init(in context: BindingContext) { self.context = context }

  func add(_ making: ViewBuilder) { makings[ObjectIdentifier(making.view)] = making }

  /// Passes a view's builder to its new owner.
  func take(_ view: View) -> ViewBuilder? {
    makings.removeValue(forKey: ObjectIdentifier(view))
  }

  func add(
    connectionOf objects: [DataObject], in context: BindingContext,
    _ connect: @escaping ([DataObject]) throws -> Void
  ) {
    connections.append(Connection(objects: objects, context: context, connect: connect))
  }

  /// Records that a shown view is updated by a new one.
  func keep(_ shown: View, insteadOf new: View) { kept[ObjectIdentifier(new)] = (new, shown) }

  /// Makes the connections of new views again, with the shown views that they have updated.
  func reconnect(in table: BindingTable) throws {
    if kept.isEmpty { return }
    for connection in connections {
      var isOther = false
      let objects = connection.objects.map { object in
        guard let shown = kept[ObjectIdentifier(object)]?.shown else { return object }
        isOther = true
        return shown
      }
      if isOther { try table.with(connection.context) { try connection.connect(objects) } }
    }
  }

  /// Ends everything that belongs to views without an owner.
  func endAll() {
    for making in makings.values { making.end() }
    makings = [:]
  }
}

extension Runtime {
  /// Notes a connection of objects, some of which may be views that a function of children makes.
  func noteConnection(
    of objects: [DataObject], _ connect: @escaping ([DataObject]) throws -> Void
  ) {
    guard let collection = views.collection, objects.contains(where: { $0 is View }) else { return }
    collection.add(connectionOf: objects, in: context, connect)
  }

  /// Collects the builders of views made by the body; nil collects none.
  func collecting<Result>(
    in collection: MakingCollection?, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = views.collection
    views.collection = collection
    defer { views.collection = outer }
    return try body()
  }
}
