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

  struct Change: Sendable {
    let key: Key
    /// Nil for a row that was removed.
    let entry: Entry?
  }

  private struct State {
    var models: [String: Model] = [:]
    var members: [Int: Member] = [:]
    var lastMember = 0
    var revision = 0
  }

  private struct Model {
    var entries: [Key: Entry] = [:]
    /// What somebody has declared, also lists without rows.
    var properties: Set<String> = []
    /// Those of them that only versions have declared which have not run to their end so far.
    var unproven: Set<String> = []
  }

  private struct Member {
    let model: String
    /// What it declares.
    var properties: Set<String> = []
    let wake: @Sendable () -> Void
    /// What others have written and it has not taken: the latest of each key.
    var pending: [Key: Change] = [:]
  }

  /// Joins a model, to which values are given where nobody has declared it, or that property, before.
  ///
  /// - Parameters:
  ///   - properties: those that the member declares.
  ///   - wake: called when there is something to take, under a lock: it must only post.
  func join(
    _ model: String, _ initial: [Key: Entry], of properties: Set<String>,
    wake: @escaping @Sendable () -> Void
  ) -> (member: Int, entries: [Key: Entry]) {
    state.withLock { state in
      state.lastMember += 1
      state.members[state.lastMember] = Member(model: model, wake: wake)
      return (state.lastMember, Self.add(initial, of: properties, by: state.lastMember, &state))
    }
  }

  /// Gives a member's model properties that it has come to have; what all know of it is returned.
  func add(
    _ initial: [Key: Entry], of properties: Set<String>, by member: Int
  ) -> [Key: Entry] {
    state.withLock { Self.add(initial, of: properties, by: member, &$0) }
  }

  private static func add(
    _ initial: [Key: Entry], of properties: Set<String>, by member: Int,
    _ state: inout State
  ) -> [Key: Entry] {
    guard let model = state.members[member]?.model else { return [:] }
    state.members[member]?.properties.formUnion(properties)
    var shared = state.models[model] ?? Model()
    for (key, entry) in initial where !shared.properties.contains(key.property) {
      state.revision += 1
      var entry = entry
      entry.revision = state.revision
      shared.entries[key] = entry
    }
    shared.unproven.formUnion(properties.subtracting(shared.properties))
    shared.properties.formUnion(properties)
    state.models[model] = shared
    return shared.entries
  }

  /// How many share models.
  var memberCount: Int { state.withLock { $0.members.count } }

  /// The version that has declared a member's properties has run to its end: their values stay.
  func prove(_ member: Int) {
    state.withLock { state in
      guard let member = state.members[member] else { return }
      state.models[member.model]?.unproven.subtract(member.properties)
    }
  }

  /// With the last member goes what nobody has proven, or the defaults of a version that could not run
  /// would be the values of the next one.
  func leave(_ member: Int) {
    state.withLock { state in
      guard let name = state.members.removeValue(forKey: member)?.model,
        var model = state.models[name], !model.unproven.isEmpty,
        !state.members.values.contains(where: { $0.model == name })
      else { return }
      model.entries = model.entries.filter { !model.unproven.contains($0.key.property) }
      model.properties.subtract(model.unproven)
      model.unproven = []
      state.models[name] = model
    }
  }

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
        let present = state.models[model]?.entries[write.key]
        if present?.revision ?? 0 > write.base {
          conflicts.append(Conflict(key: write.key, theirs: present?.bytes))
        } else if present == nil, write.base > 0 {
          if write.entry != nil { conflicts.append(Conflict(key: write.key, theirs: nil)) }
          continue
        }
        var entry = write.entry
        entry?.revision = state.revision
        state.models[model]?.entries[write.key] = entry
        // What was on its way to the writer is older than this.
        state.members[member]?.pending[write.key] = nil
        changes.append(Change(key: write.key, entry: entry))
      }
      if !changes.isEmpty { Self.tell(changes, of: model, but: member, &state) }
      return (state.revision, conflicts)
    }
  }

  private static func tell(
    _ changes: [Change], of model: String, but writer: Int, _ state: inout State
  ) {
    for number in state.members.keys where number != writer {
      guard state.members[number]?.model == model else { continue }
      let isAwake = state.members[number]?.pending.isEmpty == false
      for change in changes { state.members[number]?.pending[change.key] = change }
      if !isAwake { state.members[number]?.wake() }
    }
  }

  /// What others have written since a member has taken it last.
  func take(_ member: Int) -> [Change] {
    state.withLock { state in
      guard let pending = state.members[member]?.pending else { return [] }
      state.members[member]?.pending = [:]
      return Array(pending.values)
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
