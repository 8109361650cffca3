import CTideSlots

/// Slots that wait for their turn, one bucket a height.
///
/// A bucket is a linked list through `links`; two levels of bits find the lowest bucket that is
/// not empty without walking over empty ones.
struct HeightQueue {
  private let links: UnsafeMutablePointer<UInt32>
  private let heads: UnsafeMutablePointer<UInt32>
  private let words: UnsafeMutablePointer<UInt64>
  private let groups: UnsafeMutablePointer<UInt64>
  private let groupCount: Int
  let heightLimit: UInt32

  init(links: UnsafeMutablePointer<UInt32>, scratch: inout Scratch) {
    let heights = max(4096, (scratch.size / 64) & ~4095)
    self.links = links
    heads = scratch.take(UInt32.self, count: heights)
    words = scratch.take(UInt64.self, count: heights / 64)
    groups = scratch.take(UInt64.self, count: heights / 4096)
    groupCount = heights / 4096
    heightLimit = UInt32(heights - 1)
  }

  @inline(__always)
  func insert(_ slot: UInt32, at height: UInt32) {
    let height = Int(min(height, heightLimit))
    let head = heads[height]
    links[Int(slot)] = head
    heads[height] = slot
    if head == 0 {
      words[height >> 6] |= 1 << UInt64(height & 63)
      groups[height >> 12] |= 1 << UInt64((height >> 6) & 63)
    }
  }

  /// The lowest height with a waiting slot.
  @inline(__always)
  func lowest() -> UInt32? {
    var group = 0
    while group < groupCount {
      let bits = groups[group]
      if bits != 0 {
        let word = group << 6 + bits.trailingZeroBitCount
        return UInt32(word << 6 + words[word].trailingZeroBitCount)
      }
      group += 1
    }
    return nil
  }

  @inline(__always)
  func removeFirst(at height: UInt32) -> UInt32 {
    let height = Int(height)
    let slot = heads[height]
    let next = links[Int(slot)]
    heads[height] = next
    if next == 0 {
      let word = height >> 6
      words[word] &= ~(1 << UInt64(height & 63))
      if words[word] == 0 { groups[height >> 12] &= ~(1 << UInt64(word & 63)) }
    }
    return slot
  }
}
