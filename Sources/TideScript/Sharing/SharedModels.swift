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
/// It orders what all of them write, and keeps the values as long as it lives. Any thread may use it.
public final class SharedModels: SharingEngine {
  private let state = Guarded(State())

  private struct State {
    var models: [String: [SharingKey: SharingChange]] = [:]
    var members: [Int: Member] = [:]
    var lastMember = 0
    var revision = 0
  }

  private struct Member {
    let model: String
    let mailbox: SharingMailbox
  }

  /// Makes one without values.
  public init() {}

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
      let present = (state.models[model] ?? [:]).values.filter { $0.bytes != nil }
      mailbox.put(Array(present), isComplete: true)
      mailbox.put(.live, error: nil)
      return state.lastMember
    }
    return Channel(models: self, member: number)
  }

  private struct Channel: SharingChannel {
    let models: SharedModels
    let member: Int

    func send(_ updates: [SharingUpdate]) { models.accept(updates, from: member) }
    func leave() { models.state.withLock { $0.members[member] = nil } }
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
        state.revision += 1
        let change = SharingChange(
          key: update.key, revision: state.revision, bytes: update.bytes)
        state.models[member.model, default: [:]][update.key] = change
        changes.append(change)
      }
      if changes.isEmpty { return }
      for other in state.members.values where other.model == member.model {
        other.mailbox.put(changes)
      }
    }
  }
}
