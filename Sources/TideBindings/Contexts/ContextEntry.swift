import TideGraph

/// An entry of a context that may be ended before the context: an observation, an effect or a
/// handler.
///
/// ```swift
/// let entry = context.observe(person.$name) { new, old in label.text = new }
/// entry.cancel()
/// ```
///
/// Releasing this value does not end the entry.
public struct ContextEntry {
  let index: UInt32
  let generation: UInt32
  unowned(unsafe) let table: BindingTable

  init(_ index: UInt32, _ table: BindingTable) {
    self.index = index
    self.table = table
    generation = table.record(index).pointee.generation
  }

  /// Whether it has not ended.
  public var isAlive: Bool { table.isCurrent(index, generation) }

  /// Calls a function when the entry ends, or at once if it has ended.
  package func whenEnded(_ body: @escaping () -> Void) {
    if isAlive { table.makeDetails(for: index).dispose = body } else { body() }
  }

  /// Ends the entry. Has no effect on an ended entry.
  public func cancel() {
    if isAlive { table.end(index) }
  }
}

extension ContextEntry {
  /// Ends another node together with this entry.
  func keep(_ node: Slot) { table.makeDetails(for: index).nodes.append(node) }

  func setEnabled(_ isOn: Bool) {
    guard isAlive, table.record(index).pointee.kind == .node else { return }
    table.graph.setEnabled(isOn, of: table.graph.slot(at: table.record(index).pointee.edge))
  }
}

/// The former name of ``ContextEntry``.
@available(*, deprecated, renamed: "ContextEntry")
public typealias Belonging = ContextEntry
