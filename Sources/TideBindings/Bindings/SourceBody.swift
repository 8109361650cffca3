import TideGraph

/// Keeps a computed slot at what a binding reads, which may lead nowhere yet.
class SourceBody: ComputedBody {
  final var isResolved = true
  /// Whose property it reads at the end, where that can be told.
  var holder: DataObject? { nil }
  /// Called when an object that it reads from is gone.
  final var onEnd: (() -> Void)?
}
