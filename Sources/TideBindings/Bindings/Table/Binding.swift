import TideGraph

/// A live connection between two properties.
///
/// ```swift
/// let binding = try context.bind("name -> text", person, label)
/// binding.unbind()
/// ```
///
/// A binding belongs to the context in which it was made and holds its ends weakly: when one of
/// them is gone, it ends. This is a handle; releasing it does not end the binding.
public struct Binding {
  /// Its entry in the context.
  private let entry: ContextEntry

  init(_ index: UInt32, _ table: BindingTable) { entry = ContextEntry(index, table) }

  var index: UInt32 { entry.index }
  var table: BindingTable { entry.table }

  /// Whether it still carries values.
  public var isAlive: Bool { entry.isAlive }

  /// Ends the binding. Has no effect on an ended binding.
  public func unbind() { entry.cancel() }

  /// Whether the binding is enabled. A disabled binding is paused; enabling it carries a missed
  /// change once.
  public var isEnabled: Bool {
    get { isAlive && table.record(index).pointee.flags & BindingRecord.disabled == 0 }
    nonmutating set {
      guard isAlive, newValue != isEnabled else { return }
      table.record(index).pointee.flags ^= BindingRecord.disabled
      table.applyEnabled(to: index)
    }
  }

  /// Carries the source's value now, unless its condition (`when`) does not hold.
  public func fire() {
    guard isAlive else { return }
    if let gate = table.details(of: index)?.gates.first { return gate.fire() }
    let record = table.record(index).pointee
    let edge = record.edge != 0 ? record.edge : record.reverse
    if edge != 0 { table.graph.fire(edge) }
  }

  /// Returns how often it has carried a value since the last call, and resets the count. Always 0
  /// while the graph does not count runs.
  package func takeRuns() -> Int {
    guard isAlive else { return 0 }
    let record = table.record(index).pointee
    return table.graph.takeRuns(of: record.edge) + table.graph.takeRuns(of: record.reverse)
  }

  /// Its number of runs and their total time while the graph is being measured; nil otherwise.
  package var measure: Graph.Measure? {
    guard isAlive else { return nil }
    let record = table.record(index).pointee
    let measures = [record.edge, record.reverse].compactMap { edge in
      edge == 0 ? nil : table.graph.measure(of: table.graph.target(of: edge))
    }
    return measures.isEmpty ? nil : measures.reduce(.zero, +)
  }

  /// The last error, cleared by the next success. For an ended binding, the error that ended it.
  public var error: TideError? {
    isAlive ? table.details(of: index)?.error : table.ending(of: index, entry.generation)
  }

  /// Where in a script it was made.
  public var location: SourceLocation? { isAlive ? table.origin(of: index)?.location : nil }

  /// The expression, or the names of both ends, preceded by the binding's name if it has one.
  public var description: String {
    guard isAlive else { return "binding (ended)" }
    if let text = table.origin(of: index)?.description { return text }
    let record = table.record(index).pointee
    guard record.edge != 0 else { return "binding" }
    let graph = table.graph
    let arrow = record.reverse != 0 ? "<>" : "->"
    return "\(graph.name(of: graph.source(of: record.edge))) \(arrow) "
      + graph.name(of: graph.target(of: record.edge))
  }

  /// The source object, if known.
  public var source: DataObject? { ends?.source.object ?? end { $0.source(of: $1) } }
  /// The target object, if known.
  public var target: DataObject? { ends?.target.object ?? end { $0.target(of: $1) } }

  private var ends: (source: ObjectHandle, target: ObjectHandle)? {
    isAlive ? table.details(of: index)?.ends : nil
  }

  /// The objects whose slots its edge connects.
  var objects: (source: ObjectHandle, target: ObjectHandle)? {
    guard let source = end({ $0.source(of: $1) }), let target = end({ $0.target(of: $1) }) else {
      return nil
    }
    return (ObjectHandle(source), ObjectHandle(target))
  }

  private func end(_ slot: (Graph, EdgeIndex) -> Slot) -> DataObject? {
    guard isAlive else { return nil }
    let record = table.record(index).pointee
    let edge = record.edge != 0 ? record.edge : record.reverse
    if edge == 0 { return nil }
    return slot(table.graph, edge).blockHeader?.block as? DataObject
  }
}

extension Binding: CustomStringConvertible {}

extension Binding {
  /// Whether it writes a property of an object, whatever object its path starts from. A two-way
  /// binding writes both ends.
  package func writes(_ property: String, of object: DataObject) -> Bool {
    guard isAlive else { return false }
    let record = table.record(index).pointee
    return [record.edge, record.reverse].contains { edge in
      edge != 0 && writes(property, of: object, through: edge)
    }
  }

  private func writes(
    _ property: String, of object: DataObject, through edge: EdgeIndex
  ) -> Bool {
    let target = table.graph.target(of: edge)
    let body = table.graph.body(of: edge)
    let transfer = body as? BindingTransfer ?? (body as? Gate)?.transfer
    // An unresolved path has no destination.
    if let transfer, let destination = try? transfer.destination(of: target) {
      return destination.isProperty(property, of: object)
    }
    return object.slot(named: property) == target
  }
}

extension Destination {
  fileprivate func isProperty(_ name: String, of object: DataObject) -> Bool {
    switch self {
    case .property(let holder, let index):
      holder === object && index == object.shape.index(of: name)
    case .entry(let holder, let entry): holder === object && entry == name
    }
  }
}

/// The source notation of a binding, shared by all bindings that one script line makes.
package final class BindingOrigin {
  package let text: String?
  package let location: SourceLocation?
  package let name: String?
  private let held: CountedText?

  package init(
    text: String?, location: SourceLocation? = nil, name: String? = nil, in table: BindingTable
  ) {
    // The parsed form takes about as much memory again.
    held = table.hold(2 * (text?.utf8.count ?? 0) + (name?.utf8.count ?? 0))
    self.text = text
    self.location = location
    self.name = name
  }

  /// The text, preceded by the name if there is one.
  package var description: String? {
    guard let name else { return text }
    return text.map { "\(name): \($0)" } ?? name
  }
}
