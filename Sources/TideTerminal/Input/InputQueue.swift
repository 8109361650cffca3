import TideViews

/// Input that waits until the scene has handled earlier input.
///
/// ```swift
/// var queue = InputQueue()
/// queue.append(decoder.decode(bytes))
/// queue.advanceInterrupt()      // the input has waited, so Ctrl-C comes first
/// queue.next()
/// ```
struct InputQueue {
  private var events: [InputEvent] = []
  /// The index of the first pending event.
  private var first = 0

  var isEmpty: Bool { first == events.count }
  var count: Int { events.count - first }

  mutating func append(_ new: [InputEvent]) {
    for event in new {
      // Consecutive mouse movements are merged into the last one.
      if event.isMove, !isEmpty, events[events.count - 1].isMove { events.removeLast() }
      events.append(event)
    }
  }

  /// Removes and returns the next event.
  mutating func next() -> InputEvent? {
    if isEmpty { return nil }
    defer { drop(1) }
    return events[first]
  }

  /// The keys at the front of the queue, up to the first other event.
  var keys: some Sequence<Key> {
    events[first...].lazy.map(\.key).prefix { $0 != nil }.compactMap(\.self)
  }

  /// Removes a number of events from the front.
  mutating func drop(_ count: Int) {
    first += count
    // The array is compacted once half of it is consumed: amortized constant time per event.
    if first * 2 >= events.count {
      events.removeFirst(first)
      first = 0
    }
  }

  /// Moves the first Ctrl-C to the front.
  mutating func advanceInterrupt() {
    let interrupt = InputEvent.key(Key("c" as Character, modifiers: .control))
    guard let index = events[first...].firstIndex(of: interrupt), index > first else { return }
    events.remove(at: index)
    events.insert(interrupt, at: first)
  }
}

extension InputEvent {
  fileprivate var isMove: Bool {
    if case .mouse(let mouse) = self { mouse.kind == .move } else { false }
  }

  fileprivate var key: Key? {
    if case .key(let key) = self { key } else { nil }
  }
}
