import CTideSlots

/// The queue of slots to evaluate, with one bucket per height.
///
/// A bucket is a linked list through `links`. Two levels of bit sets find the lowest non-empty
/// bucket without visiting empty ones.
struct HeightQueue {
  private let tables: UnsafeMutablePointer<TideTables>

  init(_ tables: UnsafeMutablePointer<TideTables>) { self.tables = tables }

  /// The greatest height with a bucket of its own; greater heights share that bucket.
  var heightLimit: UInt32 { tables.pointee.heightCapacity - 1 }

  @inline(__always)
  func insert(_ slot: UInt32, at height: UInt32) {
    if _slowPath(height > heightLimit) { _ = tide_tables_grow_heights(tables, height) }
    let height = Int(min(height, heightLimit))
    let heads = tables.pointee.heads
    let head = heads[height]
    tables.pointee.links[Int(slot)] = head
    heads[height] = slot
    if head == 0 {
      tables.pointee.words[height >> 6] |= 1 << UInt64(height & 63)
      tables.pointee.groups[height >> 12] |= 1 << UInt64((height >> 6) & 63)
    }
  }

  /// The lowest height with a queued slot.
  @inline(__always)
  func lowest() -> UInt32? {
    let groups = tables.pointee.groups
    let groupCount = Int(heightLimit >> 12) + 1
    var group = 0
    while group < groupCount {
      let bits = groups[group]
      if bits != 0 {
        let word = group << 6 + bits.trailingZeroBitCount
        return UInt32(word << 6 + tables.pointee.words[word].trailingZeroBitCount)
      }
      group += 1
    }
    return nil
  }

  @inline(__always)
  func removeFirst(at height: UInt32) -> UInt32 {
    let height = Int(height)
    let heads = tables.pointee.heads
    let slot = heads[height]
    let next = tables.pointee.links[Int(slot)]
    heads[height] = next
    if next == 0 {
      let word = height >> 6
      let words = tables.pointee.words
      words[word] &= ~(1 << UInt64(height & 63))
      if words[word] == 0 { tables.pointee.groups[height >> 12] &= ~(1 << UInt64(word & 63)) }
    }
    return slot
  }
}
