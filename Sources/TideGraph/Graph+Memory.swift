import CTideSlots

/// Adds up the memory that values hold beside the slots that they are in.
///
/// Text that several hold counts once: by shares where Lua wrote it, by its address where
/// Swift did and it is long.
package struct MemoryMeter {
  package private(set) var bytes = 0
  private var seen: Set<UInt> = []

  /// What an allocation takes beside its contents.
  private static let overhead = 48
  /// Shorter text is not worth looking for twice.
  private static let longText = 256

  package init() {}

  package mutating func add(_ count: Int) { bytes += count }

  package mutating func add(_ text: String) {
    let count = text.utf8.count
    // Fifteen bytes fit into the string itself.
    if count <= 15 { return }
    if count >= Self.longText {
      let address = text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
      if let address, !seen.insert(address).inserted { return }
    }
    bytes += count + Self.overhead
  }

  package mutating func add(_ value: Value) {
    switch value {
    case .string(let text): add(text)
    case .bytes(let text): bytes += text.count + Self.overhead
    case .null, .boolean, .integer, .number, .object: break
    }
  }

  fileprivate mutating func add(_ slot: Slot) {
    switch slot.pointee.tag {
    case Tag.string: add(slot.text.pointee)
    case Tag.bytes:
      guard let held = slot.bytesPointer?.pointee else { return }
      bytes += (Int(held.count) + Self.overhead) / max(1, Int(held.references))
    default: break
    }
  }
}

extension Graph {
  /// Adds what the graph holds: nodes, edges, and the blocks of those objects of which `counts`
  /// says true, which adds what else an object holds.
  package func addHeld(
    to meter: inout MemoryMeter, counts: (Block, inout MemoryMeter) -> Bool
  ) {
    tide_arena_lock_remote(arena)
    defer { tide_arena_unlock_remote(arena) }
    meter.add(state.pointee.liveEdges * MemoryLayout<TideEdge>.stride)
    let end = Int(arena.pointee.slotCount)
    var index = 1
    while index < end {
      let slot = slots + index
      var count = 1
      var isCounted = slot.pointee.kind != Kind.free
      if let block = slot.block {
        count = max(1, Int(slot.pointee.hi))
        isCounted = counts(block, &meter)
      }
      if isCounted {
        meter.add(count * MemoryLayout<TideSlot>.stride)
        for index in 0..<count {
          meter.add(slot + index)
          addBody(of: slot + index, to: &meter)
        }
      }
      index += count
    }
  }

  /// Adds what runs for a slot: the object, and the function in it.
  @inline(__always)
  private func addBody(of slot: Slot, to meter: inout MemoryMeter) {
    switch slot.pointee.kind {
    case Kind.computed, Kind.effect, Kind.observer:
      guard slot.pointee.body != 0, let body = body(of: slot) else { return }
      meter.add(Self.allocatedBytes(of: body) + Self.closureBytes)
    default: break
    }
  }

  /// What a Swift function takes that has caught a few values.
  package static let closureBytes = 64

  /// What an object takes by itself, as the system's allocator has it.
  package static func allocatedBytes(of object: AnyObject) -> Int {
    tide_usable_size(Unmanaged.passUnretained(object).toOpaque()) + 16
  }
}
