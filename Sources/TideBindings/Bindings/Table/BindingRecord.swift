import TideGraph

/// An entry of a context: a binding, a node of the graph, or a disposable with a cleanup function.
///
/// All records are in one table. Those of a context are linked latest first, which is the order in
/// which the context ends them. Index 0 is unused. A plain binding takes 64 bytes, including its
/// edge.
struct BindingRecord {
  /// A binding's edge from source to target; a node's slot.
  var edge: UInt32 = 0
  /// A two-way binding's edge back; a node's generation.
  var reverse: UInt32 = 0
  var older: UInt32 = 0
  var newer: UInt32 = 0
  var context: UInt32 = 0
  var details: UInt32 = 0
  var generation: UInt32 = 1
  var kind: Kind = .free
  var flags: UInt8 = 0
  var spare: UInt16 = 0

  enum Kind: UInt8 {
    case free, binding, node, disposable
  }

  static let disabled: UInt8 = 1
  static let failed: UInt8 = 2
}

/// Details of a binding beyond its edges.
enum BindingNote {
  case none
  /// Only its notation.
  case origin(BindingOrigin)
  case details(BindingDetails)
}

/// The details of bindings that are not plain. Rare ones are kept apart.
final class BindingDetails {
  var origin: BindingOrigin?
  /// Its end objects; of a pattern, the first source and the target.
  var ends: (source: ObjectHandle, target: ObjectHandle)?
  private var rare: Rare?

  var text: String? { origin?.text }
  var location: SourceLocation? { origin?.location }

  // MARK: Rare details

  typealias Shared = (slot: Slot, combination: Combination, generation: UInt32)

  private final class Rare {
    var nodes: [Slot] = []
    var extraEdges: [EdgeIndex] = []
    var gates: [Gate] = []
    var triggers: [(trigger: Trigger, running: Trigger.Running)] = []
    var shared: Shared?
    var references: [ObjectHandle] = []
    var dispose: (() -> Void)?
    var setEnabled: ((Bool) -> Void)?
    var error: TideError?
    var inner: Unmanaged<BindingContext>?
  }

  private func change<Content>(
    _ path: ReferenceWritableKeyPath<Rare, Content>, to content: Content
  ) {
    if rare == nil { rare = Rare() }
    rare?[keyPath: path] = content
  }

  /// Computed slots that follow its paths, and relays to nested targets.
  var nodes: [Slot] {
    get { rare?.nodes ?? [] }
    set { change(\.nodes, to: newValue) }
  }

  /// Edges in addition to the main two.
  var extraEdges: [EdgeIndex] {
    get { rare?.extraEdges ?? [] }
    set { change(\.extraEdges, to: newValue) }
  }

  /// Its gates: one for each direction, the one to the target first.
  var gates: [Gate] {
    get { rare?.gates ?? [] }
    set { change(\.gates, to: newValue) }
  }

  var triggers: [(trigger: Trigger, running: Trigger.Running)] {
    get { rare?.triggers ?? [] }
    set { change(\.triggers, to: newValue) }
  }

  /// A property that it writes together with other bindings.
  var shared: Shared? {
    get { rare?.shared }
    set { change(\.shared, to: newValue) }
  }

  /// The references through which its ends were given.
  var references: [ObjectHandle] {
    get { rare?.references ?? [] }
    set { change(\.references, to: newValue) }
  }

  /// Cleans up when a record that is not a binding ends.
  var dispose: (() -> Void)? {
    get { rare?.dispose }
    set { change(\.dispose, to: newValue) }
  }

  /// The nested context that this record stands for.
  var inner: BindingContext? {
    get { rare?.inner?.takeUnretainedValue() }
    set { change(\.inner, to: newValue.map { .passUnretained($0) }) }
  }

  var setEnabled: ((Bool) -> Void)? {
    get { rare?.setEnabled }
    set { change(\.setEnabled, to: newValue) }
  }

  /// Adds the memory of the rare details.
  func addRare(to meter: inout MemoryMeter) {
    guard let rare else { return }
    var bytes = Graph.allocatedBytes(of: rare)
    for count in [rare.nodes.count, rare.extraEdges.count, rare.references.count] where count > 0 {
      bytes += Self.arrayWeight + 16 * count
    }
    if rare.dispose != nil { bytes += Graph.closureBytes }
    if rare.setEnabled != nil { bytes += Graph.closureBytes }
    if !rare.gates.isEmpty {
      bytes += Self.arrayWeight
      // Each gate has a closure that finds its editor, and a side table for weak references.
      bytes += rare.gates.count * (Graph.closureBytes + Self.arrayWeight)
      for gate in rare.gates { bytes += gate.conditionWeight }
    }
    if !rare.triggers.isEmpty {
      bytes += Self.arrayWeight + rare.triggers.count * Trigger.weight
    }
    meter.add(bytes)
  }

  /// The size of an array's header.
  private static let arrayWeight = 48

  /// The last error.
  var error: TideError? {
    get { rare?.error }
    set { if newValue != nil || rare != nil { change(\.error, to: newValue) } }
  }
}
