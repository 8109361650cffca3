// The engine lists all keys at the start, and again after a lost connection. A key that the listing
// lacks is gone.
//
//     beginListing ──▶ apply, leaveOut ──▶ finishListing
extension SharedReplica {
  /// Begins a listing.
  ///
  /// - Parameter isAnew: whether the engine has lost its data. Confirmed values are then written
  ///   again, unless the listing brings others.
  mutating func beginListing(isAnew: Bool) {
    unseen = Set(entries.filter { $0.value.document != nil || $0.value.revision != 0 }.keys)
    newRowsInFlight = [:]
    for (key, entry) in entries where entry.isUnconfirmedRow(key) {
      newRowsInFlight[key] = entry.pending?.sent
    }
    if isAnew {
      self.isAnew = true
      lastRevision = 0
      renew(unseen ?? [])
    }
  }

  /// Starts over if a listing has another origin than the last one or the persisted entries, and the
  /// engine has not reported that.
  ///
  /// An engine does not know what a runtime held before it joined. Changes of this listing with
  /// revisions below those of the former origin were ignored as old.
  ///
  /// - Returns: whether the model has to be listed again.
  mutating func beginAnew(at origin: SharingOrigin?) -> Bool {
    guard !isAnew, Self.isGone(isComplete ? self.origin : kept, at: origin) else { return false }
    kept = nil
    beginListing(isAnew: true)
    return true
  }

  /// Turns confirmed values into pending ones.
  private mutating func renew(_ keys: Set<SharingKey>) {
    for key in keys {
      guard var entry = entries[key], entry.document != nil || entry.revision != 0 else { continue }
      renewed.insert(key)
      entry.renew()
      replace(key, entry)
    }
  }

  /// Notes that the listing being received has a key.
  mutating func see(_ key: SharingKey) {
    unseen?.remove(key)
    newRowsInFlight[key] = nil
  }

  /// Notes an update that the engine has refused although no other one has written the row. A
  /// listing without the row then does not mean that the row was removed.
  mutating func noteRefusal(_ key: SharingKey, _ number: Int, _ reason: SharingRefusal) {
    if case .stale = reason { return }
    if newRowsInFlight[key] == number { newRowsInFlight[key] = nil }
  }

  /// Ends a listing. Keys missing from it have been removed. An update in flight that is missing
  /// from it was not accepted, unless the engine says that it was settled.
  ///
  /// - Parameter settled: the last update that the engine had accepted or refused before it made
  ///   the listing; nil if unknown.
  /// - Returns: the visible changes.
  mutating func finishListing(_ origin: SharingOrigin?, settled: Int? = nil) -> Outcome {
    var outcome = Outcome()
    isComplete = true
    isAnew = false
    self.origin = origin
    // The persisted values may be the only copy left.
    if isGone(kept) { renew(unseen ?? []) }
    kept = nil
    for key in unseen ?? [] {
      guard let entry = entries[key] else { continue }
      if !renewed.contains(key), entry.document != nil {
        applyRemoval(of: key, entry.revision, &outcome)
      }
      // The engine has no removal record that a new document would have to follow.
      change(key) { $0.revision = 0 }
      // No other runtime has the row, so the removal is complete.
      if entry.document == nil, entry.pending?.isRemoval == true {
        change(key) { $0.pending = nil }
      }
    }
    unseen = nil
    for (key, number) in newRowsInFlight
    where number <= settled ?? 0 && entries[key]?.pending?.sent == number {
      // The row was accepted, and another runtime has removed it since.
      applyRemoval(of: key, 0, &outcome)
    }
    newRowsInFlight = [:]
    for key in renewed { settleRenewal(of: key) }
    renewed = []
    // Later updates have not been answered yet.
    for (key, entry) in entries where entry.pending?.sent.map({ $0 <= settled ?? .max }) == true {
      change(key) { $0.pending?.sent = nil }
    }
    return outcome
  }

  /// Whether the data of a former origin is lost: the current origin has another name, or fewer
  /// revisions.
  func isGone(_ former: SharingOrigin?) -> Bool { Self.isGone(former, at: origin) }

  private static func isGone(_ former: SharingOrigin?, at origin: SharingOrigin?) -> Bool {
    guard let former, let origin else { return false }
    return former.name != origin.name || former.revision > origin.revision
  }
}
