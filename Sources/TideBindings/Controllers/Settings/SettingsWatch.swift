import TideGraph

/// Has changed whenever something has that the settings of a file are made of.
///
/// To notice that costs the same for a thousand settings as for one: what they are made of is gone
/// through only when the controller asks for it, which it does each time that it has written them.
final class SettingsWatch: ComputedBody {
  private let read: () throws -> Void
  private var isReading = false
  private var changes = 0
  /// What was recorded last is not all there is.
  private var isIncomplete = true

  /// - Parameter read: goes through all that the settings are made of.
  init(_ read: @escaping () throws -> Void) { self.read = read }

  // Spelled out, because the compiler warns of the one that it would make.
  @available(*, unavailable)
  override init() { preconditionFailure("a watch watches something") }

  /// Records anew what is followed; nobody is told.
  func record(at slot: Slot, in graph: Graph) {
    isReading = true
    defer { isReading = false }
    graph.derive(slot, by: self)
    graph.refreshListing(slot)
  }

  override func evaluate(_ slot: Slot) throws -> Bool {
    if isReading || isIncomplete {
      isIncomplete = true
      try read()
      isIncomplete = false
    } else {
      Graph.of(slot).keepReads()
    }
    if isReading { return false }
    changes &+= 1
    return slot.store(.integer(changes))
  }
}
