/// A runtime's view of a shared model: confirmed documents by key, overlaid with pending local
/// writes.
///
///     set, remove ──▶ pending ──updates──▶ engine
///     visible ◀── pending over confirmed ◀──apply── engine
///
/// At most one update per key is in flight; later writes go with the next one. An update is
/// confirmed only by a document that records it or holds the same values.
struct SharedReplica {
  /// A random number that identifies the runtime.
  let writer: UInt64
  private(set) var entries: [SharingKey: Entry] = [:]
  /// The number of updates in flight.
  private(set) var sentCount = 0
  /// The keys with updates to send.
  private var unsent = SendQueue()
  private(set) var pendingCount = 0
  /// The approximate bytes of the entries.
  private(set) var heldBytes = 0
  private var lastNumber = 0
  /// New rows whose updates were in flight when the current listing began, and which it has not
  /// contained so far, with the numbers of those updates.
  var newRowsInFlight: [SharingKey: Int] = [:]
  /// The number of entries that only record a removal.
  private var removalCount = 0
  /// Keys not yet seen in the listing being received.
  var unseen: Set<SharingKey>?
  /// Keys whose values the engine has lost. The values are written again unless the listing brings
  /// others.
  var renewed: Set<SharingKey> = []
  /// Whether the listing being received starts over with new revisions.
  var isAnew = false
  /// Whether a complete listing has been received.
  var isComplete = false
  /// The origin of the confirmed values, and the last revision received.
  var origin: SharingOrigin?
  var lastRevision = 0
  /// The origin of the persisted entries, until a listing shows whether it still exists.
  var kept: SharingOrigin?
  /// Keys whose persisted value differs from the current one; nil without a store.
  private var unkept: Set<SharingKey>?

  /// The most conflicts that one removal of a row reports.
  private static let mostConflicts = 1000

  init(writer: UInt64 = .random(in: 1 ... .max)) { self.writer = writer }

  // MARK: Local changes

  /// Writes a field.
  ///
  /// - Parameters:
  ///   - isDefault: whether it is a declared default, which is sent only after
  ///     ``adoptDefaults(of:)``.
  ///   - merges: whether a text is merged with concurrent writes of others.
  ///   - cause: who writes, and where.
  mutating func set(
    _ key: SharingKey, _ name: String, _ bytes: [UInt8], isDefault: Bool = false,
    merges: Bool = false, cause: String = ""
  ) {
    // Confirmed values take precedence over declared defaults.
    if isDefault, entries[key]?.document?[name] != nil { return }
    change(key) { entry in
      entry.set(name, bytes, isDefault: isDefault, isRow: key != .model, cause: cause)
      if merges { entry.pending?.fields[name]?.merges = true }
    }
  }

  /// Replaces a merged text by the local one, because the property does not take the merged text.
  ///
  /// - Returns: the conflict that remains; nil if the field has been written since.
  mutating func refuse(_ merge: Merge) -> Conflict? {
    guard entries[merge.key]?.pending?.fields[merge.field]?.bytes == merge.merged else {
      return nil
    }
    change(merge.key) { $0.pending?.fields[merge.field]?.bytes = merge.mine }
    return .init(key: merge.key, field: merge.field, mine: merge.mine, theirs: merge.theirs)
  }

  /// Removes a row.
  mutating func remove(_ key: SharingKey, cause: String = "") {
    change(key) { $0.remove(cause: cause) }
  }

  /// Marks a key's declared defaults to be sent, because there are no confirmed values.
  mutating func adoptDefaults(of key: SharingKey) { change(key) { $0.adoptDefaults() } }

  /// Drops a key's declared defaults, because there are confirmed values.
  mutating func dropDefaults(of key: SharingKey) { change(key) { $0.dropDefaults() } }

  /// Whether only declared defaults are pending for a key.
  func holdsDefaultsAlone(_ key: SharingKey) -> Bool {
    entries[key]?.pending.map { !$0.isToSend } ?? false
  }

  /// The ids of a list's confirmed rows.
  func rowsOfOthers(in list: String) -> [String] {
    entries.compactMap { key, entry in
      guard case .row(list, let id) = key, entry.document != nil else { return nil }
      return id
    }
  }

  mutating func change(_ key: SharingKey, _ body: (inout Entry) -> Void) {
    var entry = entries[key] ?? Entry()
    let wasPending = entry.pending?.isToSend == true
    let formerBytes = entries[key].map { $0.heldBytes + key.size } ?? 0
    let wasRemoval = entries[key]?.isRemovalAlone == true
    let wasSent = entry.pending?.sent != nil
    body(&entry)
    sentCount += (entry.pending?.sent != nil ? 1 : 0) - (wasSent ? 1 : 0)
    let isPending = entry.pending?.isToSend == true
    pendingCount += (isPending ? 1 : 0) - (wasPending ? 1 : 0)
    if isPending, entry.pending?.sent == nil { unsent.insert(key) } else { unsent.remove(key) }
    removalCount += (entry.isRemovalAlone ? 1 : 0) - (wasRemoval ? 1 : 0)
    if entry.document == nil, entry.pending == nil, entry.revision == 0 {
      entries[key] = nil
      heldBytes -= formerBytes
    } else {
      entries[key] = entry
      heldBytes += entry.heldBytes + key.size - formerBytes
    }
    unkept?.insert(key)
  }

  /// Sends values that the engine has lost, unless others have written them since.
  mutating func settleRenewal(of key: SharingKey) { change(key) { $0.settleRenewal() } }

  // MARK: Sending

  /// Takes the updates to send now: at most one of each key.
  ///
  /// - Parameter most: the most updates that may be in flight then.
  mutating func takeUpdates(atMost most: Int = SharingBudget.mostSent) -> [SharingUpdate] {
    var updates: [SharingUpdate] = []
    // Values that the engine has lost are sent once it is known that no other program has written
    // them.
    if isAnew { return updates }
    while sentCount < most, !unsent.isEmpty {
      guard let key = unsent.removeFirst(in: entries) else { break }
      guard var entry = entries[key], var pending = entry.pending, pending.sent == nil,
        pending.isToSend, !pending.isStuck
      else { continue }
      lastNumber += 1
      pending.sent = lastNumber
      pending.sentFields = [:]
      var bytes: [UInt8]?
      if !pending.isRemoval {
        var document = entry.document ?? SharedDocument()
        document.begin(.init(writer: writer, number: lastNumber), cause: pending.cause)
        for (name, field) in pending.fields where field.isToSend {
          document.set(name, field.bytes, isDefault: field.origin == .adopted)
          pending.fields[name]?.update =
            field.update ?? .init(writer: writer, number: lastNumber)
          pending.sentFields[name] = field.bytes
        }
        bytes = document.bytes
      }
      entry.pending = pending
      entries[key] = entry
      sentCount += 1
      // After a restart, the runtime must know which updates may have been accepted.
      unkept?.insert(key)
      updates.append(.init(key: key, base: entry.revision, number: lastNumber, bytes: bytes))
    }
    return updates
  }

  /// Queues denied updates again.
  mutating func retryDenied() {
    for key in unsent.takeDenied()
    where entries[key]?.pending != nil && entries[key]?.pending?.sent == nil {
      unsent.insert(key)
    }
  }

  /// Whether an update has not been answered yet.
  func awaits(_ key: SharingKey, _ number: Int) -> Bool {
    entries[key]?.pending?.sent == number
  }

  /// Whether there are unsent updates.
  var hasUnsent: Bool { !unsent.isEmpty }

  /// Handles an update that the engine has not accepted.
  ///
  /// - Returns: whether the update was in flight.
  mutating func refuse(_ key: SharingKey, _ number: Int, _ reason: SharingRefusal) -> Bool {
    guard entries[key]?.pending?.sent == number else { return false }
    switch reason {
    // A later change shows the outcome.
    case .stale, .unanswered: break
    case .tooLarge:
      change(key) { [writer] entry in
        entry.pending?.noteRefusal(by: writer)
        entry.pending?.isStuck = true
      }
      unsent.remove(key)
    case .denied:
      change(key) { [writer] in $0.pending?.noteRefusal(by: writer) }
      unsent.deny(key)
    }
    return true
  }

  /// Discards unsent changes.
  ///
  /// - Returns: the visible changes, and whether a local write was discarded.
  mutating func discardUnsent() -> (outcome: Outcome, isWritten: Bool) {
    var outcome = Outcome()
    var isWritten = false
    for key in unsent.takeAll() {
      guard let before = entries[key] else { continue }
      isWritten = isWritten || before.pending?.isWritten == true
      change(key) { $0.pending = nil }
      let names = before.names.union(entries[key]?.names ?? [])
      outcome.changes.append((key, names, ""))
    }
    return (outcome, isWritten)
  }

  // MARK: Receiving

  /// Applies changes in the order of their revisions.
  mutating func apply(_ changes: [SharingChange]) -> Outcome {
    var outcome = Outcome()
    for change in changes { apply(change, &outcome) }
    return outcome
  }

  private mutating func apply(_ change: SharingChange, _ outcome: inout Outcome) {
    let key = change.key
    lastRevision = max(lastRevision, change.revision)
    see(key)
    var entry = entries[key] ?? Entry()
    if change.revision <= entry.revision, entry.revision != 0 { return }
    guard let bytes = change.bytes else { return applyRemoval(of: key, change.revision, &outcome) }
    guard let document = SharedDocument(bytes) else {
      // Unreadable bytes from another program. The known document stays, and the next local write
      // replaces the bytes.
      self.change(key) { entry in
        entry.revision = change.revision
        entry.pending?.sent = nil
      }
      return
    }
    let before = entry
    entry.document = document
    entry.revision = change.revision
    if var pending = entry.pending {
      if pending.isRemoval {
        // Concurrent changes of others are lost with the row, so they are reported as conflicts.
        let number = lastNumber(in: document)
        let isAccepted = pending.sent.map { $0 <= number } ?? false
        for field in document.fields where field.name != SharedDocument.order {
          let sent = isAccepted || before.document == nil ? pending.sentFields[field.name] : nil
          // Nothing is known of a row that the engine has lost.
          guard
            let known = sent ?? before.document?[field.name] ?? (before.document == nil ? nil : [])
          else { continue }
          if field.bytes != known, outcome.conflicts.count < Self.mostConflicts {
            outcome.conflicts.append(
              .init(key: key, field: field.name, mine: nil, theirs: field.bytes))
          }
        }
        pending.sent = nil
      } else {
        let number = lastNumber(in: document)
        let isAccepted = pending.sent.map { $0 <= number } ?? false
        for (name, field) in pending.fields {
          let theirs = document[name]
          let isPart = field.update.map { has($0, in: document) } ?? false
          let known = isAccepted ? pending.sentFields[name] : nil
          let base = known ?? before.document?[name] ?? field.base
          if theirs == field.bytes || isPart || !field.isAbove(document, name) {
            pending.fields[name] = nil
          } else if field.origin == .written, theirs != known ?? before.document?[name] {
            if field.merges, let merged = SharedText.merged(base, field.bytes, theirs) {
              pending.fields[name] = merged == theirs ? nil : .init(bytes: merged, merges: true)
              if merged != theirs {
                outcome.merges.append(
                  .init(key: key, field: name, mine: field.bytes, theirs: theirs, merged: merged))
              }
            } else {
              outcome.conflicts.append(
                .init(key: key, field: name, mine: field.bytes, theirs: theirs))
            }
          }
        }
        // The base has changed: an update in flight that this document lacks was not accepted.
        pending.sent = nil
      }
      pending.isNew = false
      entry.pending = pending.isEmpty ? nil : pending
    }
    replace(key, entry)
    var changed: Set<String> = []
    for name in before.names.union(entry.names) where before[name] != entry[name] {
      changed.insert(name)
    }
    if !changed.isEmpty || before.exists != entry.exists {
      outcome.changes.append((key, changed, document.cause))
    }
  }

  /// The number of this runtime's last update that a document includes. Other programs may have
  /// forged a number that was never assigned; it counts as 0.
  private func lastNumber(in document: SharedDocument) -> Int {
    let number = document.lastNumber(of: writer) ?? 0
    return number > lastNumber ? 0 : number
  }

  private func has(_ update: SharedDocument.Update, in document: SharedDocument) -> Bool {
    update.writer == writer
      ? lastNumber(in: document) >= update.number : document.contains(update)
  }

  mutating func applyRemoval(
    of key: SharingKey, _ revision: Int, _ outcome: inout Outcome
  ) {
    var entry = entries[key] ?? Entry()
    let before = entry
    entry.document = nil
    entry.revision = revision
    if var pending = entry.pending {
      if key == .model {
        // The model was removed at the engine, so the known values are written again.
        pending.sent = nil
        entry.pending = pending
      } else {
        if !pending.isRemoval, pending.isWritten {
          outcome.conflicts.append(.init(key: key, field: nil, mine: nil, theirs: nil))
        }
        entry.pending = nil
      }
    }
    replace(key, entry)
    if before.exists { outcome.changes.append((key, before.names, "")) }
  }

  /// Whether a change is not newer than the key's confirmed revision.
  func knows(_ change: SharingChange) -> Bool {
    guard let revision = entries[change.key]?.revision, revision != 0 else { return false }
    return change.revision <= revision
  }

  /// An upper bound of the bytes by which a change makes the replica grow; negative if the replica
  /// shrinks.
  ///
  /// The key's pending writes and the weight of an entry count as freed, so that the confirmation
  /// of a write never waits for memory. The bound is exceeded by that weight at most.
  func growth(by change: SharingChange) -> Int {
    let after = change.bytes.map(SharedDocument.mostHeldBytes(of:)) ?? 0
    guard let known = entries[change.key] else { return after + Entry.weight + change.key.size }
    let confirmed = known.document?.heldBytes ?? 0
    return after - confirmed - (known.pending.map { $0.heldBytes + Entry.weight } ?? 0)
  }

  /// Keeps the known state of a key whose change is left out, since the key still exists.
  mutating func leaveOut(_ change: SharingChange) { see(change.key) }

  /// Drops the records of removed rows if there are many, and more than half of all entries are
  /// such records.
  mutating func forgetManyRemovals() {
    if removalCount > max(Self.mostRemovals, entries.count / 2) { forgetRemovals() }
  }

  private static let mostRemovals = 1000

  /// Drops the records of removed rows, to free memory. Their revisions matter only for writing
  /// such a row again; that update is then refused as stale.
  mutating func forgetRemovals() {
    if removalCount == 0 { return }
    for (key, entry) in entries where entry.isRemovalAlone && key != .model {
      change(key) { $0.revision = 0 }
    }
  }

  mutating func replace(_ key: SharingKey, _ entry: Entry) { change(key) { $0 = entry } }

  // MARK: Persistence

  /// Whether there are entries to persist.
  var hasUnkept: Bool { unkept?.isEmpty == false }

  /// Takes the entries to persist now; nil marks a removed key.
  mutating func takeUnkept() -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]?])? {
    guard let keys = unkept, !keys.isEmpty else { return nil }
    unkept = []
    var changes: [SharingKey: [UInt8]?] = [:]
    for key in keys { changes.updateValue(entries[key].flatMap(\.bytes), forKey: key) }
    // The persisted origin shows a restarted program that the engine has lost these values.
    if isAnew { return (nil, changes) }
    let origin = origin.map { SharingOrigin(name: $0.name, revision: lastRevision) }
    return (origin, changes)
  }

  /// Restores persisted entries for keys not yet confirmed, and persisted pending writes. Tracks
  /// later changes for the store.
  ///
  /// - Returns: the visible changes.
  mutating func restore(_ origin: SharingOrigin?, _ former: [SharingKey: [UInt8]]) -> Outcome {
    var outcome = Outcome()
    unkept = Set(entries.keys)
    let isLost = isComplete && isGone(origin)
    for (key, bytes) in former {
      guard var entry = Entry(bytes) else { continue }
      let known = entries[key]
      // A row that was removed meanwhile stays removed.
      if let known, known.document == nil, known.revision > 0, key != .model { continue }
      if isLost { entry.renew() }
      if isComplete || known?.document != nil {
        entry.document = known?.document
        entry.revision = known?.revision ?? 0
        let isOwn = isLost || entry.pending?.isNew == true
        // A removed row cannot take pending writes.
        if entry.document == nil, key != .model, !isOwn || entry.pending?.isRemoval == true {
          continue
        }
      } else {
        unseen = (unseen ?? []).union([key])
      }
      let before = known ?? Entry()
      if let pending = known?.pending {
        var fields = entry.pending?.fields ?? [:]
        for (name, field) in pending.fields {
          if field.origin == .written || fields[name] == nil && entry.document?[name] == nil {
            fields[name] = field
          }
        }
        var joined = entry.pending ?? pending
        joined.fields = fields
        entry.pending = joined
      }
      replace(key, entry)
      if isLost { settleRenewal(of: key) }
      entry = entries[key] ?? Entry()
      let names = before.names.union(entry.names).filter { before[$0] != entry[$0] }
      if !names.isEmpty || before.exists != entry.exists {
        outcome.changes.append((key, names, ""))
      }
    }
    if !isComplete { kept = origin }
    lastRevision = max(lastRevision, isComplete ? 0 : origin?.revision ?? 0)
    return outcome
  }
}
