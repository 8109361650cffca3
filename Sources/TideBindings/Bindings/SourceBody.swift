import TideGraph

/// Keeps a computed slot at what a binding reads, which may lead nowhere yet.
class SourceBody: ComputedBody {
  final var isResolved = true
  /// Whether an equal value of another object is another value: what a person has edited at the other
  /// end belongs to the object for which it was entered.
  final var followsHolder = false
  /// Tells the object whose property it has read from others; 0: there was none.
  var holderMark: Int { 0 }
  /// Whose property it reads at the end, where that can be told.
  var holder: DataObject? { nil }
  /// Called when an object that it reads from is gone.
  final var onEnd: (() -> Void)?
}
