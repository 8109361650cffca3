import Observation

@Observable
final class Node {
  var value: Int

  init(_ value: Int) { self.value = value }
}

// No generic class: key paths into one are looked up at each access, which would be unfair.
@Observable
final class TextNode {
  var value: String

  init(_ value: String) { self.value = value }
}

/// A function that is run again when what it read has changed.
///
/// Observation tells before the write and once, so the change is noted here, and `settle` re-reads
/// and re-arms: the usual way to build bindings on it.
final class Reaction {
  nonisolated(unsafe) private static var pending: [Reaction] = []
  private let body: () -> Void
  private var isQueued = false

  init(_ body: @escaping () -> Void) {
    self.body = body
    run()
  }

  private func run() {
    let reaction = Unowned(self)
    withObservationTracking(body) { reaction.value.enqueue() }
  }

  private func enqueue() {
    if isQueued { return }
    isQueued = true
    Self.pending.append(self)
  }

  /// Runs what is pending, in the order in which it became so.
  static func settle() {
    var next = 0
    while next < pending.count {
      let reaction = pending[next]
      next += 1
      reaction.isQueued = false
      reaction.run()
    }
    pending.removeAll(keepingCapacity: true)
  }
}

/// The drivers are single-threaded; `onChange` asks for a sendable closure.
private struct Unowned: @unchecked Sendable {
  let value: Reaction

  init(_ value: Reaction) { self.value = value }
}
