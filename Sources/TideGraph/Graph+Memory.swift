import CTideSlots

/// Adds up the memory that values use in addition to their slots.
///
/// Strings with several owners count once: Lua's strings are divided among their owners, and long
/// Swift strings are recognized by their address.
package struct MemoryMeter {
  package private(set) var bytes = 0
  private var seen: Set<UInt> = []

  /// The bytes that an allocation needs in addition to its contents.
  private static let overhead = 48
  /// The length in bytes from which strings are checked for being counted before.
  private static let longText = 256

  package init() {}

  package mutating func add(_ count: Int) { bytes += count }

  package mutating func add(_ text: String) {
    let count = text.utf8.count
    // Strings of up to 15 bytes are stored inline.
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
  /// Adds the memory of nodes, of edges, and of the blocks of objects for which `counts` returns
  /// true. That function also adds an object's other memory.
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

  /// Adds the memory of a slot's body and of the function in it.
  @inline(__always)
  private func addBody(of slot: Slot, to meter: inout MemoryMeter) {
    switch slot.pointee.kind {
    case Kind.computed, Kind.effect, Kind.observer:
      guard slot.pointee.body != 0, let body = body(of: slot) else { return }
      meter.add(Self.allocatedBytes(of: body) + Self.closureBytes)
    default: break
    }
  }

  /// The typical size of a Swift closure that captures a few values, in bytes.
  package static let closureBytes = 64

  /// The bytes that an object's own allocation takes, according to the system's allocator.
  package static func allocatedBytes(of object: AnyObject) -> Int {
    tide_usable_size(Unmanaged.passUnretained(object).toOpaque()) + 16
  }
}
