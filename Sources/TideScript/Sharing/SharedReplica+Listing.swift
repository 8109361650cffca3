// The engine lists all keys at the start, and again after a lost connection. A key that the listing
// lacks is gone.
//
//     beginListing ──▶ apply, leaveOut ──▶ finishListing
extension SharedReplica {
  /// A listing begins.
  ///
  /// - Parameter isAnew: the engine has lost what it had. What was confirmed is written again,
  ///   where nothing else has come by then.
  mutating func beginListing(isAnew: Bool) {
    unseen = Set(entries.filter { $0.value.document != nil || $0.value.revision != 0 }.keys)
    if isAnew {
      self.isAnew = true
      lastRevision = 0
      renew(unseen ?? [])
    }
  }

  /// Begins anew if a listing came from another origin than the last one, and the engine did not
  /// say so.
  ///
  /// An engine does not know what a runtime had that left and joined again. The changes of this
  /// listing whose revisions are below those of the former origin were taken for old.
  ///
  /// - Returns: whether the listing has to come once more.
  mutating func beginAnew(at origin: SharingOrigin?) -> Bool {
    guard isComplete, !isAnew, Self.isGone(self.origin, at: origin) else { return false }
    beginListing(isAnew: true)
    return true
  }

  /// Takes what was confirmed for something to write again.
  private mutating func renew(_ keys: Set<SharingKey>) {
    for key in keys {
      guard var entry = entries[key], entry.document != nil || entry.revision != 0 else { continue }
      renewed.insert(key)
      entry.renew()
      replace(key, entry)
    }
  }

  /// All of what there is has come, and what was on its way has not been accepted if it is not part
  /// of it.
  ///
  /// - Returns: what has gone meanwhile.
  mutating func finishListing(_ origin: SharingOrigin?) -> Outcome {
    var outcome = Outcome()
    isComplete = true
    isAnew = false
    self.origin = origin
    // What comes from the disk may be all that is left of it.
    if isGone(kept) { renew(unseen ?? []) }
    kept = nil
    for key in unseen ?? [] {
      guard let entry = entries[key] else { continue }
      if !renewed.contains(key), entry.document != nil {
        applyRemoval(of: key, entry.revision, &outcome)
      }
      // Not even a mark has stayed, which a new one would have to follow.
      change(key) { $0.revision = 0 }
      // Nobody else has it, so that it is gone.
      if entry.document == nil, entry.pending?.isRemoval == true {
        change(key) { $0.pending = nil }
      }
    }
    unseen = nil
    for key in renewed { settleRenewal(of: key) }
    renewed = []
    for (key, entry) in entries where entry.pending?.sent != nil {
      change(key) { $0.pending?.sent = nil }
    }
    return outcome
  }

  /// Whether an origin is not the one that there is, or that has lost some of what it had.
  func isGone(_ former: SharingOrigin?) -> Bool { Self.isGone(former, at: origin) }

  private static func isGone(_ former: SharingOrigin?, at origin: SharingOrigin?) -> Bool {
    guard let former, let origin else { return false }
    return former.name != origin.name || former.revision > origin.revision
  }
}
