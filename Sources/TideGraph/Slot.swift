public import CTideSlots

/// A cell of a graph's memory that holds one value and the list of its dependents.
///
/// A slot is a plain pointer. It is valid as long as the object or node that it belongs to.
public typealias Slot = UnsafeMutablePointer<TideSlot>

/// The `TIDE_*` tags as bytes, as slots store them.
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

/// The `access` bits, which the Lua shim checks as well.
package enum Access {
  package static let observed = UInt8(TIDE_OBSERVED)
  package static let derived = UInt8(TIDE_DERIVED)
  package static let readOnly = UInt8(TIDE_READONLY)
  package static let validated = UInt8(TIDE_VALIDATED)
  package static let prior = UInt8(TIDE_PRIOR)
}

/// The graph's marks on a slot. Bits 24 to 28 are the marks of disabled `Shortcuts`.
@usableFromInline enum Mark {
  /// It is in the height queue or among the effects.
  static let queued: UInt32 = 1
  /// Several bindings write it, so it waits until all of them have been reached.
  static let multipleWriters: UInt32 = 2
  /// One of its dependencies has changed: evaluate before reading.
  @usableFromInline static let stale: UInt32 = 4
  /// An upstream slot was written: check the dependencies before reading.
  @usableFromInline static let check: UInt32 = 8
  @usableFromInline static let running: UInt32 = 16
  /// An effect or observer depends on it, directly or indirectly, so it is kept up to date.
  static let live: UInt32 = 32
  /// `drainTouched` reports its changes.
  static let watched = UInt32(TIDE_WATCHED)
  static let touched: UInt32 = 128
  /// It was written during a batch or an evaluation.
  static let pending: UInt32 = 256
  /// It was evaluated before its turn; its dependents have not been notified yet.
  static let evaluatedAhead: UInt32 = 512
  /// Its body threw an error; it holds the previous value.
  @usableFromInline static let failed: UInt32 = 1024
  /// One of its dependencies was written while it ran.
  static let mustRerun: UInt32 = 8192
  /// It follows a block's header, at the distance in `generation`.
  static let inner = UInt32(TIDE_INNER)
  /// One of its sources was freed while it ran: its dependencies include dead edges until it ends.
  static let hasDeadInputs: UInt32 = 32768
  /// It needed a value whose evaluation is still running further out, so it must run again
  /// afterwards.
  static let blocked: UInt32 = 65536
  /// It read more slots than could be recorded, so it fails.
  static let overflowed: UInt32 = 131072
  /// It is being checked; a second visit means a loop.
  static let checking: UInt32 = 1 << 18
  /// It has read a value that must be evaluated again, so it must be evaluated again as well.
  static let provisional: UInt32 = 1 << 19
  /// It has read a failed slot in a way that cannot throw, so it fails.
  @usableFromInline static let poisoned: UInt32 = 1 << 20
  /// The search has visited it.
  static let seen: UInt32 = 1 << 21
  static let disabled: UInt32 = 2048
  /// It is disabled, and a dependency has changed meanwhile.
  static let missed: UInt32 = 4096
}

extension Slot {
  @inlinable @inline(__always)
  func hasMark(_ mark: UInt32) -> Bool { pointee.state & mark != 0 }
  @inlinable @inline(__always)
  func mark(_ mark: UInt32) { pointee.state |= mark }
  @inlinable @inline(__always)
  func clear(_ mark: UInt32) { pointee.state &= ~mark }

  /// The slot's index in its graph.
  @inlinable @inline(__always)
  package var index: UInt32 { tide_slot_index(self) }

  package var isDerived: Bool { pointee.kind == Kind.computed }
  package var holdsObject: Bool { pointee.tag == Tag.object }
  /// Whether the last evaluation threw an error.
  package var hasFailed: Bool { hasMark(Mark.failed) }
  /// Whether the running function has read a failed slot in a way that cannot throw.
  @inlinable @inline(__always)
  package var hasReadFailure: Bool { hasMark(Mark.poisoned) }
  package var isFree: Bool { pointee.kind == Kind.free }
  package var isHeader: Bool { pointee.kind == Kind.header }
}

extension Slot {
  package var generation: UInt32 { pointee.generation }
  /// The generation of the slot's block.
  package var blockGeneration: UInt32 { tide_block_generation(self) }
}
