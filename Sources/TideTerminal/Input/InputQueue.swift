import TideViews

/// Input that waits until the scene has handled earlier input.
///
/// ```swift
/// var queue = InputQueue()
/// queue.append(decoder.decode(bytes), seeing: 4)
/// queue.advanceInterrupt()      // the input has waited, so Ctrl-C comes first
/// queue.next()
/// ```
struct InputQueue {
  private var entries: [Entry] = []
  /// The index of the first pending event.
  private var first = 0

  private struct Entry {
    let event: InputEvent
    /// The frame that was shown when it arrived; nil if unknown.
    let frame: Int?
  }

  var isEmpty: Bool { first == entries.count }
  var count: Int { entries.count - first }

  /// The frame that was shown when the next event arrived.
  var nextFrame: Int? { isEmpty ? nil : entries[first].frame }

  /// - Parameter frame: the frame that was shown when the events arrived; nil if unknown.
  mutating func append(_ new: [InputEvent], seeing frame: Int? = nil) {
    for event in new {
      // Consecutive mouse movements are merged into the last one.
      if event.isMove, !isEmpty, entries[entries.count - 1].event.isMove { entries.removeLast() }
      entries.append(Entry(event: event, frame: frame))
    }
  }

  /// Removes and returns the next event.
  mutating func next() -> InputEvent? {
    if isEmpty { return nil }
    defer { drop(1) }
    return entries[first].event
  }

  /// The keys at the front of the queue, up to the first other event.
  var keys: some Sequence<Key> {
    entries[first...].lazy.map(\.event.key).prefix { $0 != nil }.compactMap(\.self)
  }

  /// Removes a number of events from the front.
  mutating func drop(_ count: Int) {
    first += count
    // The array is compacted once half of it is consumed: amortized constant time per event.
    if first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
  }

  /// Moves the first Ctrl-C to the front.
  mutating func advanceInterrupt() {
    let interrupt = InputEvent.key(Key("c" as Character, modifiers: .control))
    guard let index = entries[first...].firstIndex(where: { $0.event == interrupt }), index > first
    else { return }
    entries.insert(entries.remove(at: index), at: first)
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
