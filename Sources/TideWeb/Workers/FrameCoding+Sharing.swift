import TideScript

extension Collection {
  /// Splits the collection, in order, into parts of at most `most` bytes. A larger element is a
  /// part of its own.
  func parts(ofAtMost most: Int, _ size: (Element) -> Int) -> [SubSequence] {
    var parts: [SubSequence] = []
    var (start, bytes) = (startIndex, 0)
    for index in indices {
      let added = size(self[index])
      if index > start, bytes + added > most {
        parts.append(self[start..<index])
        (start, bytes) = (index, 0)
      }
      bytes += added
    }
    if start < endIndex { parts.append(self[start...]) }
    return parts
  }
}

extension SharingMailbox.Contents {
  /// The last refusals of a model that a worker has left.
  static func lastRefusals(_ refusals: [(key: SharingKey, number: Int, reason: SharingRefusal)])
    -> Self
  {
    var contents = Self()
    contents.refusals = refusals
    contents.settled = .max
    return contents
  }

  /// Whether a model that was left has no further refusals.
  var isLast: Bool { settled == .max && !isComplete }

  /// The contents split into parts that fit into frames, in order. The first part begins the
  /// listing, the last one completes it.
  func parts(ofAtMost most: Int) -> [Self] {
    var parts = sortedChanges.parts(ofAtMost: most, \.heldBytes).map { changes in
      var part = Self()
      for change in changes { part.changes[change.key] = change }
      return part
    }
    parts += refusals.parts(ofAtMost: most) { $0.key.size + 256 }.map { refusals in
      var part = Self()
      part.refusals = Array(refusals)
      return part
    }
    if parts.isEmpty { parts = [Self()] }
    let last = parts.count - 1
    (parts[0].isListing, parts[0].hasBegunAnew) = (isListing, hasBegunAnew)
    (parts[last].isComplete, parts[last].origin) = (isComplete, origin)
    parts[last].settled = settled
    (parts[last].state, parts[last].error) = (state, error)
    return parts
  }
}

extension FrameWriter {
  private mutating func add(_ key: SharingKey) {
    switch key {
    case .model: add(false)
    case .row(let list, let id):
      add(true)
      add(list)
      add(id)
    }
  }

  mutating func add(_ updates: [SharingUpdate]) {
    add(updates.count)
    for update in updates {
      add(update.key)
      add(update.base)
      add(update.number)
      add(update.bytes)
    }
  }

  mutating func add(_ contents: SharingMailbox.Contents) {
    add(contents.isListing)
    add(contents.hasBegunAnew)
    add(contents.isComplete)
    add(contents.origin?.name)
    add(contents.origin?.revision ?? 0)
    add(contents.settled != nil)
    add(contents.settled ?? 0)
    add(contents.state?.rawValue)
    add(contents.error)
    add(contents.changes.count)
    for change in contents.changes.values {
      add(change.key)
      add(change.revision)
      add(change.bytes)
    }
    add(contents.refusals.count)
    for refusal in contents.refusals {
      add(refusal.key)
      add(refusal.number)
      switch refusal.reason {
      case .stale: add(0)
      case .unanswered: add(1)
      case .tooLarge(let text):
        add(2)
        add(text)
      case .denied(let text):
        add(3)
        add(text)
      }
    }
  }
}

extension FrameReader {
  private mutating func key() throws(Fault) -> SharingKey {
    try flag() ? .row(list: try text(), id: try text()) : .model
  }

  mutating func updates() throws(Fault) -> [SharingUpdate] {
    var updates: [SharingUpdate] = []
    for _ in 0..<(try count(ofAtLeast: 18)) {
      updates.append(
        SharingUpdate(
          key: try key(), base: try number(), number: try number(), bytes: try optionalContent()))
    }
    return updates
  }

  mutating func contents() throws(Fault) -> SharingMailbox.Contents {
    var contents = SharingMailbox.Contents()
    contents.isListing = try flag()
    contents.hasBegunAnew = try flag()
    contents.isComplete = try flag()
    let origin = try optionalText()
    let revision = try number()
    contents.origin = origin.map { SharingOrigin(name: $0, revision: revision) }
    let isSettled = try flag()
    let settled = try number()
    contents.settled = isSettled ? settled : nil
    contents.state = try optionalText().flatMap { SharingState(rawValue: $0) }
    contents.error = try optionalText()
    for _ in 0..<(try count(ofAtLeast: 10)) {
      let key = try self.key()
      contents.changes[key] = SharingChange(
        key: key, revision: try number(), bytes: try optionalContent())
    }
    for _ in 0..<(try count(ofAtLeast: 17)) {
      let key = try self.key()
      let number = try self.number()
      let reason: SharingRefusal =
        switch try self.number() {
        case 0: .stale
        case 1: .unanswered
        case 2: .tooLarge(try text())
        case 3: .denied(try text())
        default: throw Fault()
        }
      contents.refusals.append((key, number, reason))
    }
    return contents
  }
}
