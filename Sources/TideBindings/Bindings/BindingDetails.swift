import TideGraph

/// What a binding knows of itself beyond its edges, for those that need it.
final class BindingDetails {
  var text: String?
  var location: SourceLocation?
  var name: String?
  /// What it reads and writes, as it was told.
  var ends: (source: ObjectHandle, target: ObjectHandle)?
  /// Computed slots that follow its paths, and relays to nested targets.
  var nodes: [Slot] = []
  /// Edges beside the main two.
  var extraEdges: [EdgeIndex] = []
  /// Decide when it carries values: one for each direction, that to the target first.
  var gates: [Gate] = []
  var triggers: [(trigger: Trigger, running: Trigger.Running)] = []
  /// A property that it writes together with other bindings.
  var shared: Shared?

  typealias Shared = (slot: Slot, combination: Combination, generation: UInt32)

  /// The references that stand in for its ends.
  var references: [ObjectHandle] = []

  /// Ends a record that is no binding.
  var dispose: (() -> Void)?
  var setEnabled: ((Bool) -> Void)?
  var error: TideError?
  /// Called after each write with the object written, the value and the source's value.
  var observe: ((DataObject?, Value, Value) -> Void)?
  /// Shows what went wrong.
  var errorDisplay: ObjectHandle?
}
