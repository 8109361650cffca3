package import TideGraph

/// A lifetime group: bindings, observations and effects that end together, latest first.
///
/// ```swift
/// let context = BindingContext()
/// context.bind(person.$name, to: label.$text)
/// context.isEnabled = false     // waits, and catches up when enabled again
/// context.removeAll()
/// ```
///
/// A context that is no longer referenced clears itself.
///
/// It joins the graph of the first entry made in it, and may only be used on the actor or thread of
/// that graph. It may be released on any thread.
public final class BindingContext {
  /// The name in messages; nil for none.
  public let name: String?
  /// The table of the graph that it has joined.
  // Unchecked, because no access spans a call of another function.
  @exclusivity(unchecked) private var home: BindingTable?
  /// Keeps that graph alive if the context could otherwise outlive it.
  private var keptGraph: Graph?
  /// The object with which this context, or one that encloses it, ends.
  package var owner: ObjectHandle?
  /// Receives the objects that scripts make in the context; nil for most contexts.
  package var members: (any ContextMembers)?
  /// Identifies the outermost context that encloses this one, or this one itself.
  package private(set) var family: ObjectIdentifier {
    get { state.pointee.family ?? ObjectIdentifier(self) }
    set { state.pointee.family = newValue }
  }
  /// Its state in the table. For a while, the state outlives a context that was released on another
  /// thread.
  let state: BindingTable.ContextPointer

  /// Its number among the contexts of its table; 0 until it has joined one.
  package var number: Int { Int(state.pointee.number) }

  /// Makes an empty context, which joins a graph when something is made in it.
  public nonisolated init(_ name: String? = nil) {
    self.name = name
    state = .allocate(capacity: 1)
    state.initialize(to: ContextState())
  }

  package init(_ name: String?, in table: BindingTable, parent: BindingContext? = nil) {
    self.name = name
    home = table
    state = .allocate(capacity: 1)
    state.initialize(to: ContextState())
    state.pointee.number = table.enter(state)
    if let parent { belong(to: parent) }
  }

  /// Makes a context of another one's family that does not end with it automatically.
  package init(_ name: String?, kindOf context: BindingContext) {
    self.name = name
    let table = context.table
    home = table
    state = .allocate(capacity: 1)
    state.initialize(to: ContextState())
    state.pointee.number = table.enter(state)
    family = context.family
    members = context.members
  }

  deinit {
    guard let home else { return state.deallocate() }
    if home.graph.isHere {
      home.removeAll(in: state)
      home.leave(state)
    } else {
      home.abandon(state)
    }
  }

  // MARK: Joining

  /// The table of its graph. A context without a graph joins the current one.
  package var table: BindingTable {
    if let home { return home }
    return join(.current)
  }

  @inline(never)
  private func join(_ graph: Graph) -> BindingTable {
    let table = BindingTable.of(graph)
    home = table
    keptGraph = graph
    state.pointee.number = table.enter(state)
    return table
  }

  /// The table in which to make something with some properties or objects. A context without a
  /// graph joins theirs or, if they have none, the current one.
  ///
  /// Throws `graph` if the caller is not the graph's owner, and in a task without an actor.
  @inline(__always)
  package func join(
    near first: @autoclosure () -> Slot? = nil, _ second: @autoclosure () -> Slot? = nil
  ) throws(TideError) -> BindingTable {
    if let home {
      try home.requireHere()
      return home
    }
    return try joinGraph(of: first(), or: second())
  }

  @inline(never)
  private func joinGraph(of first: Slot?, or second: Slot?) throws(TideError) -> BindingTable {
    let joined = [first, second].lazy.compactMap { $0 }.first { !$0.isUnjoined }
    let known = joined.map { Graph.of($0) }
    guard let graph = try known == nil ? Self.graphHere() : known else { throw .ownerless }
    if !graph.isHere { throw .otherGraph("the object belongs to", graph) }
    return join(graph)
  }

  private static func graphHere() throws(TideError) -> Graph? {
    do { return try Graph.findHere() } catch { throw .tooManyGraphs }
  }

  /// Lists an error of a function that cannot throw, in the current graph.
  func refuse(_ error: TideError) -> BindingTable {
    let table = BindingTable.current
    table.list(error)
    return table
  }

  /// Ends with another context, which keeps this one alive.
  package func belong(to parent: BindingContext) {
    owner = owner ?? parent.owner
    family = parent.family
    members = members ?? parent.members
    let details = table.makeDetails(for: table.makeRecord(.disposable, in: parent))
    details.inner = self
    details.dispose = { [self] in removeAll() }
    details.setEnabled = { [unowned self] in isEnabled = $0 }
  }

  // MARK: Contents

  /// The number of its bindings, observations and effects.
  public var count: Int { indexes.count }

  /// Its bindings, oldest first.
  public var bindings: [Binding] { home?.bindings(in: state) ?? [] }

  /// The current errors of its bindings.
  public var errors: [TideError] { bindings.compactMap(\.error) }

  /// The number of entries in it and in the contexts nested in it.
  package var totalCount: Int {
    indexes.reduce(0) { $0 + (home?.details(of: $1)?.inner?.totalCount ?? 1) }
  }

  /// Its records, oldest first.
  var indexes: [UInt32] { home?.indexes(in: state) ?? [] }

  /// Ends everything in it, latest first. The context stays usable.
  public func removeAll() {
    if let home { home.removeAll(in: state) } else { state.pointee.clearCount &+= 1 }
  }

  /// Increases whenever the context is cleared. Work that began before should end.
  package var clearCount: Int { state.pointee.clearCount }

  /// While false, its bindings, observations and effects are paused. Enabling delivers what each
  /// has missed once.
  public var isEnabled: Bool {
    get { state.pointee.isActive }
    set {
      guard newValue != state.pointee.isActive else { return }
      state.pointee.isActive = newValue
      home?.restoringTogether {
        for index in indexes { applyEnabled(to: index) }
      }
    }
  }

  /// Enables it without catching up, because all changes in the meantime have been rolled back.
  package func resume() { table.graph.withoutCatchingUp { isEnabled = true } }

  /// Pauses or resumes a record, depending on the context and the record itself.
  func applyEnabled(to index: UInt32) { table.applyEnabled(to: index, in: state) }

  /// Adds an entry with a cleanup function.
  @discardableResult
  package func own(
    setEnabled: ((Bool) -> Void)? = nil, _ dispose: @escaping () -> Void
  ) -> ContextEntry {
    let index = table.makeRecord(.disposable, in: self)
    let details = table.makeDetails(for: index)
    details.dispose = dispose
    details.setEnabled = setEnabled
    if !isEnabled { setEnabled?(false) }
    return ContextEntry(index, table)
  }

  /// Adds a node of the graph, which ends with the context.
  func own(_ node: Slot) -> ContextEntry {
    let index = table.makeRecord(.node, in: self)
    table.record(index).pointee.edge = node.index
    table.record(index).pointee.reverse = node.generation
    if !isEnabled { table.graph.setEnabled(false, of: node) }
    return ContextEntry(index, table)
  }
}

/// Receives the objects that are made in a context.
package protocol ContextMembers: AnyObject {
  func add(_ object: DataObject)
}
