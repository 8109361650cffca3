import TideBindings
import TideValues

/// The models that runtimes of one process share: what a script declares by `shared`.
///
/// ```swift
/// let models = SharedModels()
/// var configuration = Runtime.Configuration()
/// configuration.shared = models
/// let runtime = try Runtime(app: URL(filePath: "app.lua"), configuration: configuration)
/// ```
///
/// It orders the updates of all runtimes, and holds the values as long as it lives. It refuses
/// updates that would exceed its capacity. If a script keeps a model in a database, the model is
/// restored once, and each update is persisted before it is confirmed. Any thread may use it.
public final class SharedModels: SharingEngine {
  private let state = Guarded(State())
  private let capacity: Int

  fileprivate struct State {
    var models: [String: Model] = [:]
    var lastMember = 0
    var revision = 0
    var heldBytes = 0
  }

  fileprivate struct Model {
    var changes: [SharingKey: SharingChange] = [:]
    /// By member number.
    var members: [Int: Member] = [:]
    /// The place and the keeper, if the model is kept.
    var kept: (place: SharedPlace, keeper: any ConfirmedKeeper)?

    struct Member {
      let mailbox: SharingMailbox
      /// The member's last update that was accepted or refused. A new member has no updates in
      /// flight.
      var settled = Int.max
    }

    /// Stores a change, and returns the additional bytes that it takes, compared with the change
    /// that it replaces. A removal is not stored: every member receives it in its mailbox, and
    /// later members receive a listing.
    mutating func hold(_ change: SharingChange) -> Int {
      let isRemoval = change.bytes == nil
      let former =
        isRemoval
        ? changes.removeValue(forKey: change.key)
        : changes.updateValue(change, forKey: change.key)
      return (isRemoval ? 0 : change.heldBytes) - (former?.heldBytes ?? 0)
    }

    /// Delivers changes to a member. If the member has taken nothing for long, it receives a
    /// listing instead, so that its mailbox does not grow with every row that ever existed.
    func deliver(_ new: [SharingChange], to member: Member) {
      member.mailbox.put(new)
      if member.mailbox.isOutgrowing(changes.count) { list(to: member) }
    }

    /// Sends a listing of all values to a member.
    func list(to member: Member) {
      member.mailbox.beginListing(isAnew: false)
      member.mailbox.put(Array(changes.values))
      member.mailbox.complete(nil, settled: member.settled)
    }
  }

  /// The bytes of a model without its changes.
  private static func weight(ofModel name: String) -> Int { name.utf8.count + 512 }

  /// Creates an engine without values.
  ///
  /// - Parameter capacity: the most bytes that the values of all models may take together.
  public init(capacity: Int = 256 << 20) { self.capacity = capacity }

  /// Nil: updates of any size are accepted.
  public var largestUpdate: Int? { nil }
  /// False: every runtime may write.
  public var isReadOnly: Bool { false }

  /// The number of members of all models.
  var memberCount: Int { state.withLock { $0.models.values.reduce(0) { $0 + $1.members.count } } }

  /// Joins a model. Its current values are in the mailbox when this returns.
  public func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    let number = state.withLock { state in
      state.lastMember += 1
      if state.models[model] == nil { state.heldBytes += Self.weight(ofModel: model) }
      let member = Model.Member(mailbox: mailbox)
      state.models[model, default: Model()].members[state.lastMember] = member
      state.models[model]?.list(to: member)
      mailbox.put(.live, error: nil)
      return state.lastMember
    }
    return Channel(models: self, model: model, member: number)
  }

  private struct Channel: SharingChannel {
    let models: SharedModels
    let model: String
    let member: Int

    func send(_ updates: [SharingUpdate]) { models.accept(updates, of: model, from: member) }
    func leave() { models.leave(model, member) }
  }

  private func leave(_ model: String, _ number: Int) {
    state.withLock { state in
      guard state.models[model]?.members.removeValue(forKey: number) != nil else { return }
      guard let left = state.models[model], left.members.isEmpty, left.changes.isEmpty,
        left.kept == nil
      else { return }
      state.models[model] = nil
      state.heldBytes -= Self.weight(ofModel: model)
    }
  }

  private func accept(_ updates: [SharingUpdate], of model: String, from number: Int) {
    state.withLock { state in
      guard let mailbox = state.models[model]?.members[number]?.mailbox, let last = updates.last
      else { return }
      state.models[model]?.members[number]?.settled = last.number
      var changes: [SharingChange] = []
      var latest: [SharingKey: SharingChange] = [:]
      var numbers: [Int] = []
      var growth = 0
      for update in updates {
        let present = latest[update.key] ?? state.models[model]?.changes[update.key]
        guard update.base == (present?.bytes == nil ? 0 : present?.revision ?? 0) else {
          mailbox.refuse(update.key, update.number, .stale)
          continue
        }
        let change = SharingChange(
          key: update.key, revision: state.revision + changes.count + 1, bytes: update.bytes)
        let added =
          (change.bytes == nil ? 0 : change.heldBytes)
          - (present?.bytes == nil ? 0 : present?.heldBytes ?? 0)
        if added > 0, state.heldBytes + growth + added > capacity {
          mailbox.refuse(update.key, update.number, .denied(refusalOfSize))
          continue
        }
        growth += added
        latest[update.key] = change
        changes.append(change)
        numbers.append(update.number)
      }
      if changes.isEmpty { return }
      do { try state.models[model]?.kept?.keeper.save(latest.mapValues(\.bytes)) } catch {
        let reason = (error as? TideError)?.message ?? "\(error)"
        for (change, number) in zip(changes, numbers) {
          mailbox.refuse(change.key, number, .denied(reason))
        }
        return
      }
      state.hold(changes, of: model)
    }
  }

  private var refusalOfSize: String {
    "models shared within this program may take at most \(capacity) bytes"
  }
}

extension SharedModels.State {
  /// Stores changes in the model, and delivers them to all of its members.
  fileprivate mutating func hold(_ changes: [SharingChange], of model: String) {
    revision += changes.count
    for change in changes { heldBytes += models[model]?.hold(change) ?? 0 }
    guard let shared = models[model] else { return }
    for member in shared.members.values { shared.deliver(changes, to: member) }
  }
}

// MARK: Persistence

extension SharedModels: KeepingEngine {
  package func keep(
    _ model: String, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws -> Int {
    try state.withLock { state in
      let known = state.models[model]
      if let kept = known?.kept {
        if kept.place == place { return 0 }
        throw kept.place.refusal(of: model, at: place)
      }
      let keeper = try open()
      let stored = try keeper.load()
      let readable = stored.filter { SharedDocument($0.value) != nil }
      let present = (known?.changes ?? [:]).mapValues(\.bytes)
      let restored = SharedDocument.restoring(readable, over: present)
      let changes = restored.enumerated().map { index, entry in
        SharingChange(key: entry.key, revision: state.revision + index + 1, bytes: entry.value)
      }
      if state.heldBytes + changes.reduce(0, { $0 + $1.heldBytes }) > capacity {
        throw TideError(
          .store, "\(refusalOfSize), and what is kept of \"\(model.inMessage)\" is more")
      }
      var unsaved = present.merging(restored) { $1 }
      for (key, bytes) in readable where unsaved[key] == .some(bytes) { unsaved[key] = nil }
      if !unsaved.isEmpty { try keeper.save(unsaved) }
      if known == nil { state.heldBytes += Self.weight(ofModel: model) }
      state.models[model, default: Model()].kept = (place, keeper)
      state.hold(changes, of: model)
      return stored.count - readable.count
    }
  }
}

extension SharedDocument {
  /// The changes that restoring persisted documents makes to those of an engine. Written values
  /// stay; persisted values replace declared defaults.
  fileprivate static func restoring(
    _ stored: [SharingKey: [UInt8]], over present: [SharingKey: [UInt8]?]
  ) -> [SharingKey: [UInt8]?] {
    var changes: [SharingKey: [UInt8]?] = [:]
    for (key, bytes) in stored where present[key] == nil { changes.updateValue(bytes, forKey: key) }
    guard let known = present[.model].flatMap({ $0 }).flatMap({ SharedDocument($0) }),
      let former = stored[.model].flatMap({ SharedDocument($0) })
    else { return changes }
    var joined = known
    // The lists whose default rows differ from the persisted ones.
    var replaced: Set<String> = []
    for field in former.fields where known[field.name] == nil || known.isDefault(field.name) {
      if known[field.name] != field.bytes { replaced.insert(field.name) }
      joined.set(field.name, field.bytes, isDefault: field.isDefault)
    }
    if joined != known { changes.updateValue(joined.bytes, forKey: .model) }
    for (key, bytes) in present where stored[key] == nil {
      guard let list = key.list, replaced.contains(list),
        let row = bytes.flatMap({ SharedDocument($0) }), row.fields.allSatisfy(\.isDefault)
      else { continue }
      changes.updateValue(nil, forKey: key)
    }
    return changes
  }
}
