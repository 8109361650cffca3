import TideGraph

/// Detects that a value that a function has read has changed. This is cheap: nothing is read again
/// or compared until the next `read`.
///
/// ```swift
/// let mark = ChangeMark(graph) { print("changed") }
/// mark.read { _ = model.storedValues }
/// ```
///
///     properties ──▶ mark ──▶ changed
///                     │ read, when what has changed is saved
///                     ▼
///                   bytes
final class ChangeMark: EffectBody {
  private weak var graph: Graph?
  private let changed: () -> Void
  private var reading: (() -> Void)?
  private var slot: Slot?

  init(_ graph: Graph, _ changed: @escaping () -> Void) {
    (self.graph, self.changed) = (graph, changed)
    super.init()
  }

  /// Calls a function, and detects later changes of the values that it reads.
  func read(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      guard let graph else { return body() }
      reading = body
      let slot = slot ?? graph.prepareEffect(self)
      self.slot = slot
      graph.start(slot)
      reading = nil
    }
  }

  override func run(_ slot: Slot) throws {
    guard let reading else {
      Graph.of(slot).keepReads()
      return changed()
    }
    reading()
  }

  /// Stops detecting changes.
  func end() {
    if let slot { graph?.dispose(slot) }
    slot = nil
  }
}
