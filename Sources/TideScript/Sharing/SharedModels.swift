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
/// It orders what all of them write, and keeps the values as long as it lives; what would be more
/// bytes than it may hold it refuses. Any thread may use it.
public final class SharedModels: SharingEngine {
  private let state = Guarded(State())
  private let capacity: Int

  private struct State {
    var models: [String: Model] = [:]
    var lastMember = 0
    var revision = 0
    var heldBytes = 0
  }

  private struct Model {
    var changes: [SharingKey: SharingChange] = [:]
    /// The mailboxes of those who have joined, by their numbers.
    var members: [Int: SharingMailbox] = [:]
    /// How many of the changes are removals.
    var removals = 0

    /// Keeps a change, and gives how many bytes it takes more than what it replaces.
    mutating func hold(_ change: SharingChange) -> Int {
      let former = changes.updateValue(change, forKey: change.key)
      removals += (change.bytes == nil ? 1 : 0) - (former.map { $0.bytes == nil ? 1 : 0 } ?? 0)
      return change.heldBytes - (former?.heldBytes ?? 0)
    }

    /// Forgets which keys were removed, which only matters to members that still know them, and
    /// gives how many bytes that took.
    mutating func forgetRemovals() -> Int {
      guard members.isEmpty, removals > 0 else { return 0 }
      var bytes = 0
      for (key, change) in changes where change.bytes == nil {
        changes[key] = nil
        bytes += change.heldBytes
      }
      removals = 0
      return bytes
    }
  }

  /// What a model takes beside its changes, in bytes.
  private static func weight(ofModel name: String) -> Int { name.utf8.count + 512 }

  /// Makes one without values.
  ///
  /// - Parameter capacity: the most bytes of values that all models may have together.
  public init(capacity: Int = 256 << 20) { self.capacity = capacity }

  /// Nil: it takes updates of any size.
  public var largestUpdate: Int? { nil }
  /// False: everybody may write.
  public var isReadOnly: Bool { false }

  /// How many share models.
  var memberCount: Int { state.withLock { $0.models.values.reduce(0) { $0 + $1.members.count } } }

  /// Joins a model; what there is of it is in the mailbox when this returns.
  public func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    let number = state.withLock { state in
      state.lastMember += 1
      if state.models[model] == nil { state.heldBytes += Self.weight(ofModel: model) }
      state.models[model, default: Model()].members[state.lastMember] = mailbox
      mailbox.beginListing(isAnew: false)
      mailbox.put(Array((state.models[model]?.changes ?? [:]).values), isComplete: true)
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
      state.heldBytes -= state.models[model]?.forgetRemovals() ?? 0
      guard let left = state.models[model], left.members.isEmpty, left.changes.isEmpty else {
        return
      }
      state.models[model] = nil
      state.heldBytes -= Self.weight(ofModel: model)
    }
  }

  private func accept(_ updates: [SharingUpdate], of model: String, from number: Int) {
    state.withLock { state in
      guard let mailbox = state.models[model]?.members[number] else { return }
      var changes: [SharingChange] = []
      for update in updates {
        let present = state.models[model]?.changes[update.key]
        guard update.base == present?.revision ?? 0 else {
          mailbox.refuse(update.key, update.number, .stale)
          continue
        }
        let change = SharingChange(
          key: update.key, revision: state.revision + 1, bytes: update.bytes)
        let growth = change.heldBytes - (present?.heldBytes ?? 0)
        if growth > 0, state.heldBytes + growth > capacity {
          let reason =
            "models shared within this program may take at most \(capacity) bytes"
          mailbox.refuse(update.key, update.number, .denied(reason))
          continue
        }
        state.revision += 1
        state.heldBytes += state.models[model]?.hold(change) ?? 0
        changes.append(change)
      }
      if changes.isEmpty { return }
      for member in (state.models[model]?.members ?? [:]).values { member.put(changes) }
    }
  }
}
