import TideGraph
package import TideValues

/// The elements that a list had at one moment, whatever is done to the list later.
///
/// ```swift
/// let fruits = ValueList(["apple", "fig"])
/// let rows = fruits.snapshot
/// try fruits.clear()
/// rows[1]                 // "fig"
/// ```
///
/// It shares the list's storage. Making one takes constant time, and an edit of the list copies
/// only the chunks that it changes.
package struct ListSnapshot {
  private var storage: ChunkedArray<Value>

  fileprivate init(_ storage: ChunkedArray<Value>) { self.storage = storage }

  package var count: Int { storage.count }

  /// The element at a position, from 0; nil beyond either end.
  package subscript(position: Int) -> Value? {
    guard position >= 0, position < storage.count else { return nil }
    return storage[position]
  }

  /// Releases the elements without recursion, however deeply lists are nested in them.
  package mutating func release() { ChainedRelease.release(&storage, leaving: ChunkedArray()) }

  /// Adds the memory of chunks that neither the list nor a snapshot counted before holds.
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

/// The chunks, shared by lists and snapshots, whose memory has been counted.
package struct CountedChunks {
  private var lists: Set<ObjectIdentifier> = []
  private var addresses: Set<UnsafeRawPointer> = []

  package init() {}

  /// Counts the chunks of a list.
  fileprivate mutating func add(_ list: ValueList) {
    guard lists.insert(ObjectIdentifier(list)).inserted else { return }
    for chunk in list.storage.chunks { _ = insert(chunk) }
  }

  /// Whether the chunk had not been counted.
  fileprivate mutating func insert(_ chunk: ChunkedArray<Value>.Chunk) -> Bool {
    chunk.elements.withUnsafeBufferPointer { elements in
      elements.baseAddress.map { addresses.insert(UnsafeRawPointer($0)).inserted } ?? false
    }
  }
}

extension ValueList {
  /// The elements that it has now. The read is recorded.
  package final var snapshot: ListSnapshot {
    beginReading()
    return ListSnapshot(storage)
  }
}

extension ChunkedArray {
  /// Whether both have the same storage, and so the same elements.
  fileprivate func isShared(with other: ChunkedArray) -> Bool {
    chunks.withUnsafeBufferPointer { mine in
      other.chunks.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
    }
  }
}
