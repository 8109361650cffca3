/// What a runtime knows of a key: what all have confirmed, and what was written here.
extension SharedReplica {
  struct Entry {
    /// What all have confirmed; nil where there is nothing.
    var document: SharedDocument?
    /// Of what is confirmed, also of a removal.
    var revision = 0
    var pending: Pending?

    /// What a field holds, as it shows here.
    subscript(name: String) -> [UInt8]? {
      if let pending {
        if pending.isRemoval { return nil }
        if let field = pending.fields[name] {
          return field.isAbove(document, name) ? field.bytes : document?[name] ?? field.bytes
        }
      }
      return document?[name]
    }

    /// Whether it shows here.
    var exists: Bool {
      if let pending { return !pending.isRemoval }
      return document != nil
    }

    /// Takes what was confirmed for something to write again.
    mutating func renew() {
      var pending = pending ?? Pending()
      if let document, !pending.isRemoval {
        for field in document.fields where pending.fields[field.name] == nil {
          let origin: Pending.Origin = field.isDefault ? .declared : .renewed
          pending.fields[field.name] = .init(bytes: field.bytes, origin: origin)
        }
      }
      pending.sent = nil
      document = nil
      revision = 0
      self.pending = pending.isEmpty ? nil : pending
    }

    /// Whether it only says that a key was removed.
    var isRemovalAlone: Bool { document == nil && pending == nil && revision != 0 }

    /// What it takes beside its document and what is pending, in bytes.
    static let weight = 200

    /// About how many bytes it takes.
    var heldBytes: Int {
      Self.weight + (document?.heldBytes ?? 0) + (pending?.heldBytes ?? 0)
    }

    /// The names of what shows here.
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
        // Back to what all have.
        pending.fields[name] = nil
      } else if pending.fields[name]?.bytes != bytes || !isDefault {
        // A row that was declared goes out whole when somebody writes to it.
        if !isDefault, isRow, document == nil { pending.adoptDefaults() }
        pending.fields[name] = .init(bytes: bytes, origin: isDefault ? .declared : .written)
      }
      pending.isStuck = false
      pending.cause = cause
      pending.isNew = document == nil
      self.pending = pending.isEmpty && pending.sent == nil ? nil : pending
    }

    mutating func remove(cause: String) {
      let before = pending ?? Pending()
      if document == nil, before.sent == nil {
        // Nobody else has heard of it.
        pending = nil
      } else {
        pending = Pending(isRemoval: true, sent: before.sent, cause: cause)
        pending?.sentFields = before.sentFields
      }
    }

    /// Lets what was declared be sent.
    mutating func adoptDefaults() { pending?.adoptDefaults() }

    /// Forgets what was declared.
    mutating func dropDefaults() {
      guard var pending else { return }
      pending.fields = pending.fields.filter { $0.value.isToSend }
      self.pending = pending.isEmpty && pending.sent == nil ? nil : pending
    }

    /// Sends what an engine has lost, as far as nobody else has written it.
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
    /// The number of the update that is on its way.
    var sent: Int?
    /// What fields hold in that update.
    var sentFields: [String: [UInt8]] = [:]
    /// The engine will not take it as it is.
    var isStuck = false
    var cause = ""
    /// Of a row that was not shared before.
    var isNew = false

    struct Field: Equatable {
      var bytes: [UInt8]
      var origin = Origin.written
      var isToSend: Bool { origin == .adopted || origin == .written }

      /// Whether it shows, and not what all have.
      func isAbove(_ document: SharedDocument?, _ name: String) -> Bool {
        switch origin {
        case .written: true
        case .declared, .adopted: document?[name] == nil
        case .renewed: document?[name] == nil || document?.isDefault(name) == true
        }
      }

      /// The first update that it went with.
      var update: SharedDocument.Update?
    }

    enum Origin {
      /// Declared, and written by nobody: it counts only where there is nothing else.
      case declared
      /// Declared, and sent because there was nothing else.
      case adopted
      /// Was confirmed by an engine that has lost it: it counts where nobody else has written
      /// anything.
      case renewed
      case written
    }

    /// Lets what was declared be sent.
    mutating func adoptDefaults() {
      for (name, field) in fields where field.origin == .declared {
        fields[name] = .init(bytes: field.bytes, origin: .adopted)
      }
    }

    /// About how many bytes it takes.
    var heldBytes: Int { fields.values.reduce(0) { $0 + 2 * $1.bytes.count + 100 } }

    var isEmpty: Bool { fields.isEmpty && !isRemoval }
    /// Whether some of it is to be sent.
    var isToSend: Bool {
      isRemoval || fields.values.contains { $0.origin != .declared }
    }
    /// Whether somebody has written some of it.
    var isWritten: Bool {
      isRemoval || fields.values.contains { $0.origin == .written }
    }
  }

  /// A field that was written here and, unknown to the writer, elsewhere.
  struct Conflict: Equatable {
    let key: SharingKey
    /// Nil where the row was removed elsewhere.
    let field: String?
    let mine: [UInt8]?
    let theirs: [UInt8]?
  }

  /// What a change of others has brought about here.
  struct Outcome {
    /// What shows other values than before, by the names of the fields.
    var changes: [(key: SharingKey, fields: Set<String>, cause: String)] = []
    var conflicts: [Conflict] = []
  }
}

extension SharedReplica.Entry {
  /// For whoever keeps it: the revision, the document and what is pending; nil where there is
  /// nothing.
  var bytes: [UInt8]? {
    if document == nil, pending?.isToSend != true { return nil }
    var record = SharedDocument()
    record["revision"] = Array("\(revision)".utf8)
    record["document"] = document?.bytes
    guard let pending, pending.isToSend else { return record.bytes }
    record["cause"] = Array(pending.cause.utf8)
    if pending.isRemoval { record["isRemoval"] = [] }
    if pending.isNew { record["isNew"] = [] }
    for (name, field) in pending.fields where field.isToSend {
      let kind = field.origin == .written ? "written" : "adopted"
      record["\(kind) \(name)"] = field.bytes
      if let update = field.update {
        record["update \(name)"] = Array("\(update.writer) \(update.number)".utf8)
      }
    }
    return record.bytes
  }

  /// Nil for bytes that are none.
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
      guard kind == "written" || kind == "adopted" else { continue }
      let parts = text("update \(name)")?.split(separator: " ") ?? []
      var update: SharedDocument.Update?
      if parts.count == 2, let writer = UInt64(parts[0]), let number = Int(parts[1]) {
        update = .init(writer: writer, number: number)
      }
      pending.fields[name] = .init(
        bytes: field.bytes, origin: kind == "written" ? .written : .adopted, update: update)
    }
    self.pending = pending.isEmpty ? nil : pending
    if self.pending == nil, document == nil { return nil }
  }
}
