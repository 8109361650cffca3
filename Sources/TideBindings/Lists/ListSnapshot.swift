import TideGraph
package import TideValues

/// What a list held when this was made, whatever has been done to the list since.
///
/// ```swift
/// let fruits = ValueList(["apple", "fig"])
/// let rows = fruits.snapshot
/// try fruits.clear()
/// rows[1]                 // "fig"
/// ```
///
/// The list's storage is shared: making one takes the same short time for any list, and an edit of
/// the list copies no more than the chunks that it changes.
package struct ListSnapshot {
  private var storage: ChunkedArray<Value>

  fileprivate init(_ storage: ChunkedArray<Value>) { self.storage = storage }

  package var count: Int { storage.count }

  /// The element at a position, from 0; nil beyond either end.
  package subscript(position: Int) -> Value? {
    guard position >= 0, position < storage.count else { return nil }
    return storage[position]
  }

  /// Gives up the elements, however deeply lists are nested in them.
  package mutating func release() { ChainedRelease.release(&storage, leaving: ChunkedArray()) }

  /// Adds what the chunks take that neither the list nor another snapshot holds as well.
  package func addHeld(
    to meter: inout MemoryMeter, beside list: ValueList, counted: inout CountedChunks
  ) {
    if storage.isShared(with: list.storage) { return }
    counted.add(list)
    for chunk in storage.chunks where counted.insert(chunk) {
      meter.add(chunk.elements.count * MemoryLayout<Value>.stride + 64)
      for element in chunk.elements { meter.add(element) }
    }
  }
}

/// The chunks of lists that have been counted, which lists and snapshots share.
package struct CountedChunks {
  private var lists: Set<ObjectIdentifier> = []
  private var addresses: Set<UnsafeRawPointer> = []

  package init() {}

  /// Takes those of a list as counted.
  fileprivate mutating func add(_ list: ValueList) {
    guard lists.insert(ObjectIdentifier(list)).inserted else { return }
    for chunk in list.storage.chunks { _ = insert(chunk) }
  }

  /// True the first time.
  fileprivate mutating func insert(_ chunk: ChunkedArray<Value>.Chunk) -> Bool {
    chunk.elements.withUnsafeBufferPointer { elements in
      elements.baseAddress.map { addresses.insert(UnsafeRawPointer($0)).inserted } ?? false
    }
  }
}

extension ValueList {
  /// What it holds now. Reading is recorded.
  package final var snapshot: ListSnapshot {
    beginReading()
    return ListSnapshot(storage)
  }
}

extension ChunkedArray {
  /// Whether both are one storage, so that their elements are the same.
  fileprivate func isShared(with other: ChunkedArray) -> Bool {
    chunks.withUnsafeBufferPointer { mine in
      other.chunks.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
    }
  }
}
