import TideGraph

/// Keeps a computed slot at what a binding reads, which may lead nowhere yet.
class SourceBody: ComputedBody {
  final var isResolved = true
  /// Called when an object that it reads from is gone.
  final var onEnd: (() -> Void)?
}
