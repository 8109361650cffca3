/// A key's state in a replica: the confirmed document, and pending local writes.
extension SharedReplica {
  struct Entry {
    /// The confirmed document; nil if there is none.
    var document: SharedDocument?
    /// The revision of the confirmed document or removal.
    var revision = 0
    var pending: Pending?

    /// The visible value of a field.
    subscript(name: String) -> [UInt8]? {
      if let pending {
        if pending.isRemoval { return nil }
        if let field = pending.fields[name] {
          return field.isAbove(document, name) ? field.bytes : document?[name] ?? field.bytes
        }
      }
      return document?[name]
    }

    /// Whether the key is visible.
    var exists: Bool {
      if let pending { return !pending.isRemoval }
      return document != nil
    }

    /// Turns confirmed fields into pending ones, because the engine has lost them.
    mutating func renew() {
      var pending = pending ?? Pending()
      if let document, !pending.isRemoval {
        for field in document.fields where pending.fields[field.name] == nil {
          let origin: Pending.Origin = field.isDefault ? .declared : .renewed
          pending.fields[field.name] = .init(bytes: field.bytes, origin: origin)
        }
      }
      pending.sent = nil
      // A restored write needs no confirmed document.
      pending.isNew = true
      document = nil
      revision = 0
      self.pending = pending.isEmpty ? nil : pending
    }

    /// Whether it only records that a key was removed.
    var isRemovalAlone: Bool { document == nil && pending == nil && revision != 0 }

    /// Whether it is a row whose addition is in flight, and of which nothing has been confirmed.
    func isUnconfirmedRow(_ key: SharingKey) -> Bool {
      document == nil && revision == 0 && pending?.sent != nil && key != .model
    }

    /// Bytes that it takes beside its document and pending writes.
    static let weight = 200

    /// The approximate size in memory, in bytes.
    var heldBytes: Int {
      Self.weight + (document?.heldBytes ?? 0) + (pending?.heldBytes ?? 0)
    }

    /// The names of the visible fields.
    var names: Set<String> {
      if pending?.isRemoval == true { return [] }
      return Set(document?.fields.map(\.name) ?? []).union(pending?.fields.keys.map { $0 } ?? [])
    }

    // MARK: Changes made here

    /// Writes a field.
    mutating func set(
      _ name: String, _ bytes: [UInt8], isDefault: Bool, isRow: Bool, cause: String
    ) {
      var pending = pending ?? Pending()
      if pending.isRemoval { pending = Pending() }
      if document?[name] == bytes, pending.sent == nil {
        // Back to the confirmed value: nothing is pending.
        pending.fields[name] = nil
      } else if pending.fields[name]?.bytes != bytes || !isDefault {
        // A write to a declared row sends the whole row.
        if !isDefault, isRow, document == nil { pending.adoptDefaults() }
        let former = pending.fields[name]
        pending.fields[name] = .init(bytes: bytes, origin: isDefault ? .declared : .written)
        if !isDefault {
          let isOnDefault = former?.origin == .declared || former?.origin == .adopted
          pending.fields[name]?.base = isOnDefault ? former?.bytes : former?.base
        }
      }
      pending.isStuck = false
      pending.cause = cause
      pending.isNew = document == nil
      self.pending = pending.isEmpty && pending.sent == nil ? nil : pending
    }

    mutating func remove(cause: String) {
      let before = pending ?? Pending()
      if document == nil, !before.maybeAccepted {
        // The row was never sent, or not accepted.
        pending = nil
      } else {
        pending = Pending(isRemoval: true, sent: before.sent, cause: cause)
        pending?.sentFields = before.sentFields
      }
    }

    /// Marks declared defaults to be sent.
    mutating func adoptDefaults() { pending?.adoptDefaults() }

    /// Drops declared defaults.
    mutating func dropDefaults() {
      guard var pending else { return }
      pending.fields = pending.fields.filter { $0.value.isToSend }
      self.pending = pending.isEmpty && pending.sent == nil ? nil : pending
    }

    /// Sends fields that the engine has lost, unless others have written them since.
    mutating func settleRenewal() {
      guard var pending else { return }
      for (name, field) in pending.fields where !field.isToSend {
        let isAbove = field.isAbove(document, name)
        let origin: Pending.Origin = field.origin == .renewed ? .written : .adopted
        pending.fields[name] = isAbove ? .init(bytes: field.bytes, origin: origin) : nil
      }
      self.pending = pending.isEmpty ? nil : pending
    }
  }

  struct Pending: Equatable {
    var fields: [String: Field] = [:]
    var isRemoval = false
    /// The number of the update in flight.
    var sent: Int?
    /// The fields of that update.
    var sentFields: [String: [UInt8]] = [:]
    /// Whether the engine has refused it as too large.
    var isStuck = false
    var cause = ""
    /// Whether the key had no confirmed document when it was written.
    var isNew = false

    struct Field: Equatable {
      var bytes: [UInt8]
      var origin = Origin.written
      /// Whether it is a text that is merged with concurrent writes of others.
      var merges = false
      /// The declared default that it replaces, until there is a confirmed value.
      var base: [UInt8]?
      var isToSend: Bool { origin == .adopted || origin == .written }

      /// Whether it is shown in place of the confirmed value.
      func isAbove(_ document: SharedDocument?, _ name: String) -> Bool {
        switch origin {
        case .written: true
        case .declared, .adopted: document?[name] == nil
        case .renewed: document?[name] == nil || document?.isDefault(name) == true
        }
      }

      /// The first update that contained it and may have been accepted.
      var update: SharedDocument.Update?
    }

    enum Origin {
      /// A declared default that nobody has written. It is shown only without a confirmed value.
      case declared
      /// A declared default that is sent because there was no confirmed value.
      case adopted
      /// A confirmed value that the engine has lost. It is shown unless others have written the
      /// field since.
      case renewed
      case written
    }

    /// Marks declared defaults to be sent.
    mutating func adoptDefaults() {
      for (name, field) in fields where field.origin == .declared {
        fields[name] = .init(bytes: field.bytes, origin: .adopted)
      }
    }

    /// The confirmed values that the engine has lost, until a new listing is complete; nil if there
    /// are none.
    var lostDocument: SharedDocument? {
      var document = SharedDocument()
      for (name, field) in fields where field.origin == .renewed {
        document.set(name, field.bytes, isDefault: false)
      }
      return document.fields.isEmpty ? nil : document
    }

    /// Notes that the update in flight was not accepted.
    mutating func noteRefusal(by writer: UInt64) {
      let refused = sent.map { SharedDocument.Update(writer: writer, number: $0) }
      for (name, field) in fields where field.update == refused { fields[name]?.update = nil }
      sent = nil
    }

    /// The approximate size in memory, in bytes.
    var heldBytes: Int { fields.values.reduce(0) { $0 + 2 * $1.bytes.count + 100 } }

    var isEmpty: Bool { fields.isEmpty && !isRemoval }
    /// Whether it holds more than declared defaults.
    var isToSend: Bool {
      isRemoval || fields.values.contains { $0.origin != .declared }
    }
    /// Whether the engine may have accepted one of its updates.
    var maybeAccepted: Bool { sent != nil || fields.values.contains { $0.update != nil } }
    /// Whether it holds a local write.
    var isWritten: Bool {
      isRemoval || fields.values.contains { $0.origin == .written }
    }
  }

  /// Conflicting writes of a field, here and elsewhere, neither of which knew of the other.
  struct Conflict: Equatable {
    let key: SharingKey
    /// Nil if the row was removed elsewhere.
    let field: String?
    let mine: [UInt8]?
    let theirs: [UInt8]?
  }

  /// Concurrent versions of a text, and the result of merging them.
  struct Merge: Equatable {
    let key: SharingKey
    let field: String
    let mine: [UInt8]
    let theirs: [UInt8]?
    let merged: [UInt8]
  }

  /// The local effect of remote changes.
  struct Outcome {
    /// Visible changes, with the names of the changed fields.
    var changes: [(key: SharingKey, fields: Set<String>, cause: String)] = []
    var conflicts: [Conflict] = []
    /// Texts that were merged, and that their properties may refuse.
    var merges: [Merge] = []
  }
}

extension SharedReplica.Entry {
  /// The persisted form: revision, document and pending writes; nil if there is nothing to persist.
  var bytes: [UInt8]? {
    if document == nil, pending?.isToSend != true { return nil }
    var record = SharedDocument()
    record["revision"] = Array("\(revision)".utf8)
    record["document"] = (document ?? pending?.lostDocument)?.bytes
    guard let pending, pending.isToSend else { return record.bytes }
    record["cause"] = Array(pending.cause.utf8)
    if pending.isRemoval { record["isRemoval"] = [] }
    if pending.isNew { record["isNew"] = [] }
    for (name, field) in pending.fields where field.isToSend {
      let kind = field.merges ? "merging" : field.origin == .written ? "written" : "adopted"
      record["\(kind) \(name)"] = field.bytes
      if let update = field.update {
        record["update \(name)"] = Array("\(update.writer) \(update.number)".utf8)
      }
      record["base \(name)"] = field.base
    }
    return record.bytes
  }

  /// Nil for bytes that are not a persisted entry.
  init?(_ bytes: [UInt8]) {
    guard let record = SharedDocument(bytes) else { return nil }
    func text(_ name: String) -> String? {
      record[name].map { String(decoding: $0, as: UTF8.self) }
    }
    revision = text("revision").flatMap { Int($0) } ?? 0
    document = record["document"].flatMap { SharedDocument($0) }
    var pending = SharedReplica.Pending()
    pending.cause = text("cause") ?? ""
    pending.isRemoval = record["isRemoval"] != nil
    pending.isNew = record["isNew"] != nil
    for field in record.fields {
      guard let space = field.name.firstIndex(of: " ") else { continue }
      let kind = field.name[..<space], name = String(field.name[field.name.index(after: space)...])
      guard ["written", "merging", "adopted"].contains(kind) else { continue }
      let parts = text("update \(name)")?.split(separator: " ") ?? []
      var update: SharedDocument.Update?
      if parts.count == 2, let writer = UInt64(parts[0]), let number = Int(parts[1]) {
        update = .init(writer: writer, number: number)
      }
      pending.fields[name] = .init(
        bytes: field.bytes, origin: kind == "adopted" ? .adopted : .written,
        merges: kind == "merging", base: record["base \(name)"], update: update)
    }
    self.pending = pending.isEmpty ? nil : pending
    if self.pending == nil, document == nil { return nil }
  }
}
