public import CTideSlots

/// A cell of a graph's memory that holds one value and knows its dependents.
///
/// A slot is a plain pointer: it is valid as long as the object or node that it belongs to.
public typealias Slot = UnsafeMutablePointer<TideSlot>

/// The `TIDE_*` tags as bytes, which is what a slot stores.
@usableFromInline enum Tag {
  @usableFromInline static let null = UInt8(TIDE_NIL)
  @usableFromInline static let boolean = UInt8(TIDE_BOOLEAN)
  @usableFromInline static let integer = UInt8(TIDE_INTEGER)
  @usableFromInline static let number = UInt8(TIDE_NUMBER)
  @usableFromInline static let string = UInt8(TIDE_STRING)
  @usableFromInline static let bytes = UInt8(TIDE_BYTES)
  @usableFromInline static let object = UInt8(TIDE_OBJECT)
}

@usableFromInline enum Kind {
  @usableFromInline static let free = UInt8(TIDE_FREE)
  @usableFromInline static let header = UInt8(TIDE_HEADER)
  @usableFromInline static let source = UInt8(TIDE_SOURCE)
  @usableFromInline static let computed = UInt8(TIDE_COMPUTED)
  @usableFromInline static let effect = UInt8(TIDE_EFFECT)
  @usableFromInline static let observer = UInt8(TIDE_OBSERVER)
}

/// The `access` bits, which the Lua shim respects as well.
package enum Access {
  package static let observed = UInt8(TIDE_OBSERVED)
  package static let derived = UInt8(TIDE_DERIVED)
  package static let readOnly = UInt8(TIDE_READONLY)
  package static let validated = UInt8(TIDE_VALIDATED)
  package static let prior = UInt8(TIDE_PRIOR)
}

/// The graph's marks on a slot. Bits 24 to 28 are those of withheld `Shortcuts`.
@usableFromInline enum Mark {
  /// Waits in the height queue or among the effects.
  static let queued: UInt32 = 1
  /// Several bindings write it, so it waits until all have fired.
  static let multipleWriters: UInt32 = 2
  /// Something that it read has changed: evaluate before reading.
  @usableFromInline static let stale: UInt32 = 4
  /// Something upstream was written: check its dependencies before reading.
  @usableFromInline static let check: UInt32 = 8
  @usableFromInline static let running: UInt32 = 16
  /// An effect or observer depends on it, directly or not, so it is kept current.
  static let live: UInt32 = 32
  /// `drainTouched` reports its changes.
  static let watched = UInt32(TIDE_WATCHED)
  static let touched: UInt32 = 128
  /// Written while a batch was open.
  static let pending: UInt32 = 256
  /// Was evaluated before its turn; its dependents have not been notified yet.
  static let evaluatedAhead: UInt32 = 512
  /// Its body threw; the value is the one before.
  @usableFromInline static let failed: UInt32 = 1024
  /// Something that it had read was written while it ran.
  static let mustRerun: UInt32 = 8192
  /// Follows a block's header, at the distance that `generation` says.
  static let inner = UInt32(TIDE_INNER)
  /// Lost a source while it ran: dead edges are among its dependencies until it ends.
  static let hasDeadInputs: UInt32 = 32768
  /// Needed a value whose evaluation is still running further out, so it must run again after that.
  static let blocked: UInt32 = 65536
  /// Read more than could be recorded, so it fails.
  static let overflowed: UInt32 = 131072
  /// Is being checked; a second visit means a loop.
  static let checking: UInt32 = 1 << 18
  /// Has read a value that must be tried again, so it must be tried again as well.
  static let provisional: UInt32 = 1 << 19
  /// Has read, in a way that cannot throw, a slot that failed, so it fails.
  @usableFromInline static let poisoned: UInt32 = 1 << 20
  /// Has just been visited by the search.
  static let seen: UInt32 = 1 << 21
  static let disabled: UInt32 = 2048
  /// Disabled, and something changed meanwhile.
  static let missed: UInt32 = 4096
}

extension Slot {
  @inlinable @inline(__always)
  func hasMark(_ mark: UInt32) -> Bool { pointee.state & mark != 0 }
  @inlinable @inline(__always)
  func mark(_ mark: UInt32) { pointee.state |= mark }
  @inlinable @inline(__always)
  func clear(_ mark: UInt32) { pointee.state &= ~mark }

  /// The slot's number in its graph.
  @inlinable @inline(__always)
  package var index: UInt32 { tide_slot_index(self) }

  package var isDerived: Bool { pointee.kind == Kind.computed }
  package var holdsObject: Bool { pointee.tag == Tag.object }
  /// Whether the last evaluation threw.
  package var hasFailed: Bool { hasMark(Mark.failed) }
  /// Whether the running function has read a failed slot in a way that cannot throw.
  @inlinable @inline(__always)
  package var hasReadFailure: Bool { hasMark(Mark.poisoned) }
  package var isFree: Bool { pointee.kind == Kind.free }
  package var isHeader: Bool { pointee.kind == Kind.header }
}

extension Slot {
  package var generation: UInt32 { pointee.generation }
  /// The generation of the block that this is part of.
  package var blockGeneration: UInt32 { tide_block_generation(self) }
}
