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
    var models: [String: [SharingKey: SharingChange]] = [:]
    var members: [Int: Member] = [:]
    var lastMember = 0
    var revision = 0
    var heldBytes = 0

    mutating func hold(_ change: SharingChange, in model: String) {
      let former = models[model, default: [:]].updateValue(change, forKey: change.key)
      heldBytes += change.heldBytes - (former?.heldBytes ?? 0)
    }

    /// Forgets which keys were removed, which only matters to members that still know them.
    mutating func forgetRemovals(in model: String) {
      if members.values.contains(where: { $0.model == model }) { return }
      for (key, change) in models[model] ?? [:] where change.bytes == nil {
        models[model]?[key] = nil
        heldBytes -= change.heldBytes
      }
      if models[model]?.isEmpty == true { models[model] = nil }
    }
  }

  private struct Member {
    let model: String
    let mailbox: SharingMailbox
  }

  /// Makes one without values.
  ///
  /// - Parameter capacity: the most bytes of values that all models may have together.
  public init(capacity: Int = 256 << 20) { self.capacity = capacity }

  /// Nil: it takes updates of any size.
  public var largestUpdate: Int? { nil }
  /// False: everybody may write.
  public var isReadOnly: Bool { false }

  /// How many share models.
  var memberCount: Int { state.withLock { $0.members.count } }

  /// Joins a model; what there is of it is in the mailbox when this returns.
  public func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
    let number = state.withLock { state in
      state.lastMember += 1
      state.members[state.lastMember] = Member(model: model, mailbox: mailbox)
      mailbox.beginListing(isAnew: false)
      mailbox.put(Array((state.models[model] ?? [:]).values), isComplete: true)
      mailbox.put(.live, error: nil)
      return state.lastMember
    }
    return Channel(models: self, member: number)
  }

  private struct Channel: SharingChannel {
    let models: SharedModels
    let member: Int

    func send(_ updates: [SharingUpdate]) { models.accept(updates, from: member) }
    func leave() {
      models.state.withLock { state in
        guard let member = state.members.removeValue(forKey: member) else { return }
        state.forgetRemovals(in: member.model)
      }
    }
  }

  private func accept(_ updates: [SharingUpdate], from number: Int) {
    state.withLock { state in
      guard let member = state.members[number] else { return }
      var changes: [SharingChange] = []
      for update in updates {
        let present = state.models[member.model]?[update.key]
        guard update.base == present?.revision ?? 0 else {
          member.mailbox.refuse(update.key, update.number, .stale)
          continue
        }
        let change = SharingChange(
          key: update.key, revision: state.revision + 1, bytes: update.bytes)
        let growth = change.heldBytes - (present?.heldBytes ?? 0)
        if growth > 0, state.heldBytes + growth > capacity {
          let reason =
            "models shared within this program may take at most \(capacity) bytes"
          member.mailbox.refuse(update.key, update.number, .denied(reason))
          continue
        }
        state.revision += 1
        state.hold(change, in: member.model)
        changes.append(change)
      }
      if changes.isEmpty { return }
      for other in state.members.values where other.model == member.model {
        other.mailbox.put(changes)
      }
    }
  }
}
