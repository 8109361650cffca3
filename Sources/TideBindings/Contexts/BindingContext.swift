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
/// It joins the graph of the first thing that is made in it, and is used on the actor or thread of
/// that graph alone. It may be released on any.
public final class BindingContext {
  /// The name that messages give it; nil for none.
  public let name: String?
  /// The table of the graph that it has joined.
  // Unchecked, because nobody holds access to it while calling anything.
  @exclusivity(unchecked) private var home: BindingTable?
  /// Keeps that graph, where the context may outlive it otherwise.
  private var keptGraph: Graph?
  /// The object whose end is this context's, or that of one around it.
  package var owner: ObjectHandle?
  /// Is told of the objects that scripts make in it, for those who follow these; nil in most.
  package var members: (any ContextMembers)?
  /// Names the outermost of the contexts around this one, or itself.
  package private(set) var family: ObjectIdentifier {
    get { state.pointee.family ?? ObjectIdentifier(self) }
    set { state.pointee.family = newValue }
  }
  /// Its state in the table, which is still there for a while when the context is released
  /// elsewhere.
  let state: BindingTable.ContextPointer

  /// Its number among the contexts of its table; 0 as long as it has joined none.
  package var number: Int { Int(state.pointee.number) }

  /// Makes an empty context, which belongs to nobody until something is made in it.
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

  /// For what belongs to another context without ending with it by itself.
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

  /// The bindings and other belongings of its graph. A context that belongs to nobody joins that of
  /// whoever runs here.
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

  /// The table, for something that is to be made with some properties or objects: a context that
  /// belongs to nobody joins their graph, or, where they have none, that of whoever runs here.
  ///
  /// Throws `graph` where somebody else than the graph's owner asks, and in a task on no actor.
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

  /// Lists an error of something that cannot throw, with the graph of whoever runs here.
  func refuse(_ error: TideError) -> BindingTable {
    let table = BindingTable.current
    table.list(error)
    return table
  }

  /// Ends with another context, and is kept alive by it.
  package func belong(to parent: BindingContext) {
    owner = owner ?? parent.owner
    family = parent.family
    members = members ?? parent.members
    let details = table.makeDetails(for: table.makeRecord(.disposable, in: parent))
    details.inner = self
    details.dispose = { [self] in removeAll() }
    details.setEnabled = { [unowned self] in isEnabled = $0 }
  }

  // MARK: What it holds

  /// How many bindings, observations and effects it holds.
  public var count: Int { indexes.count }

  /// Its bindings, oldest first.
  public var bindings: [Binding] { home?.bindings(in: state) ?? [] }

  /// What failed in it and still does.
  public var errors: [TideError] { bindings.compactMap(\.error) }

  /// How much there is in it and in the contexts inside of it.
  package var totalCount: Int {
    indexes.reduce(0) { $0 + (home?.details(of: $1)?.inner?.totalCount ?? 1) }
  }

  /// Its records, oldest first.
  var indexes: [UInt32] { home?.indexes(in: state) ?? [] }

  /// Ends everything in it, latest first. The context stays usable.
  public func removeAll() {
    if let home { home.removeAll(in: state) } else { state.pointee.clearCount &+= 1 }
  }

  /// Grows whenever it is cleared: what began before should end.
  package var clearCount: Int { state.pointee.clearCount }

  /// While false, bindings, observations and effects wait; enabling delivers once what they missed.
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

  /// Enables it without catching up, because all that has changed meanwhile has been taken back.
  package func resume() { table.graph.withoutCatchingUp { isEnabled = true } }

  /// Makes a record wait or go on, as the context and the record itself say.
  func applyEnabled(to index: UInt32) { table.applyEnabled(to: index, in: state) }

  /// Lets the context end something of another kind.
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

  /// Lets the context end a node of the graph.
  func own(_ node: Slot) -> ContextEntry {
    let index = table.makeRecord(.node, in: self)
    table.record(index).pointee.edge = node.index
    table.record(index).pointee.reverse = node.generation
    if !isEnabled { table.graph.setEnabled(false, of: node) }
    return ContextEntry(index, table)
  }
}

/// The objects that are made in a context.
package protocol ContextMembers: AnyObject {
  func add(_ object: DataObject)
}
