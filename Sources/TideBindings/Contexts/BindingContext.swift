import TideGraph

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
public final class BindingContext {
  /// By which it is told from others in messages; nil for none.
  public let name: String?
  package let table: BindingTable
  /// The object whose end is this context's, or that of one around it.
  package var owner: ObjectHandle?
  /// Names the outermost of the contexts around this one, or itself.
  package private(set) var family: ObjectIdentifier {
    get { state.pointee.family ?? ObjectIdentifier(self) }
    set { state.pointee.family = newValue }
  }
  /// Its place in the table.
  private let state: UnsafeMutablePointer<State>

  private struct State {
    var number: UInt32 = 0
    /// The record made last, from which the others are linked.
    var newest: UInt32 = 0
    var isActive = true
    var clearCount = 0
    var family: ObjectIdentifier?
  }

  /// Opens nothing; belongs to the calling thread's graph.
  public convenience init(_ name: String? = nil) {
    self.init(name, in: .current)
  }

  package init(_ name: String?, in table: BindingTable, parent: BindingContext? = nil) {
    self.name = name
    self.table = table
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    state.pointee.number = table.enter(self)
    if let parent { belong(to: parent) }
  }

  /// For what belongs to another context without ending with it by itself.
  package init(_ name: String?, kindOf context: BindingContext) {
    self.name = name
    table = context.table
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    state.pointee.number = table.enter(self)
    family = context.family
  }

  deinit {
    removeAll()
    table.leave(state.pointee.number)
    state.deallocate()
  }

  /// Ends with another context, and is kept alive by it.
  package func belong(to parent: BindingContext) {
    owner = owner ?? parent.owner
    family = parent.family
    let details = table.makeDetails(for: table.makeRecord(.disposable, in: parent))
    details.inner = self
    details.dispose = { [self] in removeAll() }
    details.setEnabled = { [unowned self] in isEnabled = $0 }
  }

  // MARK: What it holds

  /// How many bindings, observations and effects it holds.
  public var count: Int {
    var count = 0
    forEach { _ in count += 1 }
    return count
  }

  /// Its bindings, oldest first.
  public var bindings: [Binding] {
    var found: [Binding] = []
    forEach { if table.record($0).pointee.kind == .binding { found.append(Binding($0, table)) } }
    return found.reversed()
  }

  /// What failed in it and still does.
  public var errors: [TideError] { bindings.compactMap(\.error) }

  /// How much there is in it and in the contexts inside of it.
  package var deepCount: Int {
    var count = 0
    forEach { count += table.details(of: $0)?.inner?.deepCount ?? 1 }
    return count
  }

  /// Its records, oldest first.
  var indexes: [UInt32] {
    var indexes: [UInt32] = []
    forEach { indexes.append($0) }
    return indexes.reversed()
  }

  private func forEach(_ visit: (UInt32) -> Void) {
    var index = state.pointee.newest
    while index != 0 {
      let next = table.record(index).pointee.older
      visit(index)
      index = next
    }
  }

  /// Ends everything in it, latest first. The context stays usable.
  public func removeAll() {
    state.pointee.clearCount &+= 1
    if state.pointee.newest == 0 { return }
    table.restoringTogether {
      while state.pointee.newest != 0 { table.end(state.pointee.newest) }
    }
  }

  /// Grows whenever it is cleared: what began before should end.
  package var clearCount: Int { state.pointee.clearCount }

  /// While false, bindings, observations and effects wait; enabling delivers once what they missed.
  public var isEnabled: Bool {
    get { state.pointee.isActive }
    set {
      guard newValue != state.pointee.isActive else { return }
      state.pointee.isActive = newValue
      table.restoringTogether {
        for index in indexes { applyEnabled(to: index) }
      }
    }
  }

  /// Enables it without catching up, because all that has changed meanwhile has been taken back.
  package func resume() { table.graph.withoutCatchingUp { isEnabled = true } }

  /// Makes a record wait or go on, as the context and the record itself say.
  func applyEnabled(to index: UInt32) {
    let record = table.record(index)
    let isOn = isEnabled && record.pointee.flags & BindingRecord.disabled == 0
    switch record.pointee.kind {
    case .binding:
      for edge in [record.pointee.edge, record.pointee.reverse] where edge != 0 {
        table.graph.setEnabled(isOn, ofEdge: edge)
      }
      for edge in table.details(of: index)?.extraEdges ?? [] {
        table.graph.setEnabled(isOn, ofEdge: edge)
      }
      for trigger in table.details(of: index)?.triggers ?? [] {
        trigger.running.setEnabled?(isOn)
      }
      if !isOn, let gates = table.details(of: index)?.gates, !gates.isEmpty {
        table.restoreValues(of: gates, isOver: false)
        table.putBack()
      }
    case .node: table.graph.setEnabled(isOn, of: table.graph.slot(at: record.pointee.edge))
    case .disposable: table.details(of: index)?.setEnabled?(isOn)
    case .free: break
    }
  }

  // MARK: Records

  @inline(__always)
  func link(_ index: UInt32, in table: BindingTable) {
    let record = table.record(index)
    let newest = state.pointee.newest
    record.pointee.context = state.pointee.number
    record.pointee.older = newest
    if newest != 0 { table.record(newest).pointee.newer = index }
    state.pointee.newest = index
  }

  func unlink(_ index: UInt32, in table: BindingTable) {
    let record = table.record(index)
    let older = record.pointee.older, newer = record.pointee.newer
    if older != 0 { table.record(older).pointee.newer = newer }
    if newer != 0 {
      table.record(newer).pointee.older = older
    } else {
      state.pointee.newest = older
    }
  }

  /// Lets the context end something of another kind.
  @discardableResult
  package func own(
    setEnabled: ((Bool) -> Void)? = nil, _ dispose: @escaping () -> Void
  ) -> Belonging {
    let index = table.makeRecord(.disposable, in: self)
    let details = table.makeDetails(for: index)
    details.dispose = dispose
    details.setEnabled = setEnabled
    if !isEnabled { setEnabled?(false) }
    return Belonging(index, table)
  }

  /// Lets the context end a node of the graph.
  func own(_ node: Slot) -> Belonging {
    let index = table.makeRecord(.node, in: self)
    table.record(index).pointee.edge = node.index
    table.record(index).pointee.reverse = node.generation
    if !isEnabled { table.graph.setEnabled(false, of: node) }
    return Belonging(index, table)
  }
}

/// Something that belongs to a context and may be ended before it: an observation, an effect, a
/// handler.
public struct Belonging {
  let index: UInt32
  private let generation: UInt32
  unowned(unsafe) let table: BindingTable

  init(_ index: UInt32, _ table: BindingTable) {
    self.index = index
    self.table = table
    generation = table.record(index).pointee.generation
  }

  /// Whether it has not ended.
  public var isAlive: Bool { table.isCurrent(index, generation) }

  /// Lets something be done when it ends, beside what ends it.
  package func whenEnded(_ body: @escaping () -> Void) {
    if isAlive { table.makeDetails(for: index).dispose = body } else { body() }
  }

  /// Ends it; harmless when it has ended.
  public func cancel() {
    if isAlive { table.end(index) }
  }
}
