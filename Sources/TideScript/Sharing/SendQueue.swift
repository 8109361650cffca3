extension SharedReplica {
  /// The keys with updates to send, and those whose updates the engine currently denies.
  struct SendQueue {
    private var waiting: Set<SharingKey> = []
    private var denied: Set<SharingKey> = []
    /// Sorted keys in reverse: the next one to send is the last.
    private var sorted: [SharingKey] = []
    /// Keys inserted since the last sort. They are sent first, so that what a person does now does
    /// not wait for a long queue.
    private var recent: ArraySlice<SharingKey> = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func insert(_ key: SharingKey) {
      if waiting.insert(key).inserted, !sorted.isEmpty { recent.append(key) }
    }

    mutating func remove(_ key: SharingKey) { waiting.remove(key) }

    /// Holds a key back until the next retry.
    mutating func deny(_ key: SharingKey) {
      waiting.remove(key)
      denied.insert(key)
    }

    mutating func takeDenied() -> Set<SharingKey> {
      defer { denied = [] }
      return denied
    }

    mutating func takeAll() -> Set<SharingKey> {
      defer { waiting = [] }
      return waiting
    }

    /// Removes the key to send next. Rows are sent in list order, so that receivers mostly append.
    mutating func removeFirst(in entries: [SharingKey: Entry]) -> SharingKey? {
      if waiting.count == 1 {
        (sorted, recent) = ([], [])
        return waiting.popFirst()
      }
      while let key = recent.popFirst() {
        if waiting.remove(key) != nil { return key }
      }
      while !waiting.isEmpty {
        if sorted.isEmpty { sort(entries) }
        if let key = sorted.popLast(), waiting.remove(key) != nil { return key }
      }
      return nil
    }

    private mutating func sort(_ entries: [SharingKey: Entry]) {
      var placed: [(order: [UInt8], key: SharingKey)] = []
      placed.reserveCapacity(waiting.count)
      for key in waiting {
        placed.append((entries[key]?.pending?.fields[SharedDocument.order]?.bytes ?? [], key))
      }
      placed.sort { $1.order.lexicographicallyPrecedes($0.order) }
      sorted = placed.map(\.key)
    }
  }
}
