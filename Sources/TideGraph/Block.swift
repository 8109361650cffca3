import CTideSlots

/// An object whose observable values lie side by side in a graph's memory.
///
/// The first slot of a block is its header, which finds the object; the others are its values. The
/// object may be released on any thread: elsewhere than on its graph's, the block is queued and
/// taken back by its owner.
open class Block {
  /// The first slot of the block.
  @usableFromInline package final var header: Slot

  /// Takes the place of a block until `adopt(valueCount:)` gives one.
  package init() { header = Graph.current.noBlock }

  /// Takes a block of the calling thread's graph, with room for some values.
  package init(valueCount: Int) {
    header = Graph.current.noBlock
    adopt(valueCount: valueCount)
  }

  /// Takes a block of the calling thread's graph; once for an object.
  package final func adopt(valueCount: Int) {
    header = Graph.current.allocate(slots: UInt32(valueCount) + 1)
    header.pointee.kind = Kind.header
    header.pointee.hi = UInt64(valueCount + 1)
    header.pointee.lo = UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    if header.pointee.kind != Kind.header { return }
    if tide_arena_of(header) == tide_arena_current() {
      Graph.of(header).freeBlock(header)
    } else {
      tide_arena_free_foreign(header)
    }
  }

  /// How many values follow the header.
  package final var valueCount: Int { max(0, Int(header.pointee.hi) - 1) }

  /// The graph that this object belongs to: that of the thread that made it.
  public final var graph: Graph { Graph.of(header) }
}

extension Graph {
  /// The unused slot 0 stands for no block.
  var noBlock: Slot { slots }
}

extension Slot {
  /// The header of the block that this slot is part of; nil for a node that stands for itself.
  package var blockHeader: Slot? {
    if pointee.kind == Kind.header { return self }
    guard hasMark(Mark.inner) else { return nil }
    let header = self - Int(pointee.generation)
    return header.pointee.kind == Kind.header ? header : nil
  }

  /// The object that a header slot stands for.
  package var block: Block? {
    guard pointee.kind == Kind.header, let reference else { return nil }
    return unsafeDowncast(reference.takeUnretainedValue(), to: Block.self)
  }
}
