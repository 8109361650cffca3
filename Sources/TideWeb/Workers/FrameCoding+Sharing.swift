import TideScript

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
