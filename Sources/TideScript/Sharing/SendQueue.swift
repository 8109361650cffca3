extension SharedReplica {
  /// The keys with something to send, and those that the engine does not take for now.
  struct SendQueue {
    private var waiting: Set<SharingKey> = []
    private var denied: Set<SharingKey> = []
    /// Keys in their order, the first one last.
    private var sorted: [SharingKey] = []
    /// Keys that were inserted since: what a person does now does not wait for all the others.
    private var recent: ArraySlice<SharingKey> = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func insert(_ key: SharingKey) {
      if waiting.insert(key).inserted, !sorted.isEmpty { recent.append(key) }
    }

    mutating func remove(_ key: SharingKey) { waiting.remove(key) }

    /// Takes a key out until somebody tries again.
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

    /// Takes out the key that is sent next: rows go in their order, so that whoever gets them has
    /// few to put between others.
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
