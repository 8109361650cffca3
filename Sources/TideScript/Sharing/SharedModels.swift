import TideBindings
import TideSystem
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
public final class SharedModels: Sendable {
  private let state = Guarded(State())

  /// Makes one without values.
  public init() {}

  /// What has a value of its own: a property, or a row of a list.
  enum Key: Hashable, Sendable {
    case property(String)
    case row(list: String, id: String)
  }

  struct Entry: Equatable, Sendable {
    let bytes: [UInt8]
    /// Of a row, where it stands among the others.
    var order = ""
    var revision = 0
  }

  struct Write: Sendable {
    let key: Key
    /// Nil to remove a row.
    let entry: Entry?
    /// The revision that the writer knows; 0 for what is new.
    let base: Int
  }

  /// What a member has not known when it wrote.
  struct Conflict: Sendable {
    let key: Key
    let theirs: [UInt8]?
  }

  typealias Change = (key: Key, entry: Entry?)

  private struct State {
    var models: [String: [Key: Entry]] = [:]
    var members: [Int: Member] = [:]
    var lastMember = 0
    var revision = 0
  }

  private struct Member {
    let model: String
    let deliver: @Sendable ([Change]) -> Void
  }

  /// Joins a model, to which values are given where nobody has declared it, or that property, before.
  ///
  /// - Parameter deliver: gets what others write, in one order for all; it must only post.
  func join(
    _ model: String, _ initial: [Key: Entry], deliver: @escaping @Sendable ([Change]) -> Void
  ) -> (member: Int, entries: [Key: Entry]) {
    state.withLock { state in
      state.lastMember += 1
      state.members[state.lastMember] = Member(model: model, deliver: deliver)
      var entries = state.models[model] ?? [:]
      let known = Set(entries.keys.map(\.property))
      for (key, entry) in initial where !known.contains(key.property) {
        state.revision += 1
        var entry = entry
        entry.revision = state.revision
        entries[key] = entry
      }
      state.models[model] = entries
      return (state.lastMember, entries)
    }
  }

  /// How many share models.
  var memberCount: Int { state.withLock { $0.members.count } }

  func leave(_ member: Int) { state.withLock { $0.members[member] = nil } }

  /// Writes, in the order of the calls. What others have written meanwhile and is written over is told.
  /// A row that another has removed stays so.
  ///
  /// - Returns: the revision of what was written, and what was not known.
  func put(_ writes: [Write], by member: Int) -> (revision: Int, conflicts: [Conflict]) {
    state.withLock { state in
      guard let model = state.members[member]?.model else { return (0, []) }
      state.revision += 1
      var conflicts: [Conflict] = []
      var changes: [Change] = []
      for write in writes {
        let present = state.models[model]?[write.key]
        if present?.revision ?? 0 > write.base {
          conflicts.append(Conflict(key: write.key, theirs: present?.bytes))
        } else if present == nil, write.base > 0 {
          if write.entry != nil { conflicts.append(Conflict(key: write.key, theirs: nil)) }
          continue
        }
        var entry = write.entry
        entry?.revision = state.revision
        state.models[model]?[write.key] = entry
        changes.append((write.key, entry))
      }
      // Under the lock, so that all are told in one order.
      for (number, other) in state.members where number != member && other.model == model {
        other.deliver(changes)
      }
      return (state.revision, conflicts)
    }
  }
}

extension SharedModels.Key {
  var property: String {
    switch self {
    case .property(let name): name
    case .row(let list, _): list
    }
  }
}
