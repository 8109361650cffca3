/// What a context owns: a binding, a node of the graph, or something with a function to end it.
///
/// Records lie in one table, linked latest first, because a context ends what it holds in that
/// order. The first slot of the table is unused. With its edge, a plain binding takes 64 bytes.
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
