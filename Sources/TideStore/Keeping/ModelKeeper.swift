import CSQLite
import TideBindings
import TideGraph
import TideScript
import TideSystem

/// Saves models and lists in a database: what has changed in a turn, in one transaction at its end.
///
///     change ──▶ mark ──▶ timer ──▶ write: BEGIN, what has changed, COMMIT
///                         or the end of a transaction of a script
final class ModelKeeper {
  private unowned let store: Store
  private var kept: [String: KeptObject] = [:]
  /// Those that nobody keeps any more in the middle of a reload, which may turn out to be no good.
  private var leaving: [KeptObject] = []
  /// Those that have changed since they were written last.
  private var changed: [KeptObject] = []
  /// Those that were written by the transaction that is open.
  private var inDoubt: [KeptObject] = []
  private lazy var tables = KeptTables(store.connection)
  private var hasTables = false
  private var timer: LoopTimer?
  /// How long it waits until it tries again to write, in seconds.
  private var delay = 0.0
  private static let longestDelay = 30.0

  init(_ store: Store) { self.store = store }

  /// Gives an object what was saved of it, and saves what changes from now on.
  func keep(_ object: DataObject, _ name: String?, in runtime: Runtime) throws {
    guard let name = name ?? object.displayName else {
      throw TideError(
        .store, "what is kept needs a name: keep a model, or give one: db:keep(object, \"name\")")
    }
    if object is DictionaryObject || (object as? ValueList)?.isReadOnly == true {
      throw TideError(
        .store, "models and lists are kept, and not \(object.label.inMessage), which is neither")
    }
    try makeTables()
    let trial = runtime.loader.rollback
    let entry: KeptObject
    if let known = kept[name], known.object === object {
      entry = known
      try entry.beginAgain { try stored(name) }
    } else {
      entry = KeptObject(object, name, self)
      entry.former = kept[name]
      entry.trial = trial
      if let former = entry.former {
        // A new version's list takes over from that of the one before.
        if trial == nil || former.trial === trial {
          throw TideError(
            .store,
            "something else is kept as \"\(name.inMessage)\" already; give this one another name")
        }
        try write()
      }
      entry.begin(try stored(name))
      kept[name] = entry
      trial?.keep { [weak self] in self?.forget(entry) }
    }
    entry.uses += 1
    runtime.context.own { [weak self] in self?.release(entry) }
  }

  private func makeTables() throws {
    if hasTables { return }
    try store.use { (_) throws(SQLiteFailure) in try tables.make() }
    hasTables = true
  }

  private func stored(_ name: String) throws -> [String: KeptTables.Value] {
    try store.use { (_) throws(SQLiteFailure) in try tables.values(of: name) }
  }

  func rows(at address: KeptTables.Address) throws -> [KeptTables.Row] {
    try store.use { (_) throws(SQLiteFailure) in try tables.rows(of: address) }
  }

  // MARK: Ending

  private func release(_ entry: KeptObject) {
    entry.uses -= 1
    if entry.uses > 0 { return }
    if store.home.runtime?.loader.rollback != nil || store.isInTransaction {
      // What a version has written that is refused is about to be taken back, and so may the
      // transaction be.
      leaving.append(entry)
      return schedule()
    }
    writeOrList()
    drop(entry)
  }

  private func drop(_ entry: KeptObject) {
    entry.end()
    changed.removeAll { $0 === entry }
    if kept[entry.name] === entry {
      kept[entry.name] = entry.former
    } else if let newer = kept[entry.name], newer.former === entry {
      newer.former = entry.former
    }
    entry.former = nil
  }

  /// The version that keeps it was refused.
  private func forget(_ entry: KeptObject) {
    leaving.removeAll { $0 === entry }
    drop(entry)
  }

  // MARK: Saving

  /// Something in an object has changed.
  func noteChange(of entry: KeptObject) {
    if entry.isNoted { return }
    entry.isNoted = true
    changed.append(entry)
    schedule()
  }

  private func schedule() {
    guard timer == nil, let runtime = store.home.runtime else { return }
    // What cannot be written does not keep a program from ending, which is when it is tried once
    // more.
    timer = runtime.loop.after(delay, keepsRunning: delay == 0) { [weak self] in
      guard let self else { return }
      timer = nil
      store.home.runWithinBudget { self.writeOrList() }
    }
  }

  private func writeOrList() {
    do {
      try write()
      delay = 0
      store.note(nil)
    } catch {
      delay = min(Self.longestDelay, max(1, 2 * delay))
      schedule()
      let error = TideError(wrapping: error, graph: store.graph)
      store.note(error)
      store.home.runtime?.bindings.list(error)
    }
  }

  /// Saves what has changed; within the transaction that is open, or in one of its own.
  func write() throws {
    if changed.isEmpty && leaving.isEmpty || store.home.runtime == nil { return }
    try store.graph.untracked {
      for entry in changed { try entry.update() }
      if changed.contains(where: \.isChanged) {
        do { try writeChanged() } catch let failure as SQLiteFailure {
          throw failure.error(store.name)
        }
      }
    }
    for entry in changed where !entry.isChanged { entry.isNoted = false }
    changed.removeAll { !$0.isNoted }
    if leaving.isEmpty { return }
    if store.isInTransaction { return schedule() }
    for entry in leaving { drop(entry) }
    leaving = []
  }

  private func writeChanged() throws {
    let connection = store.connection
    let isOwn = !connection.isInTransaction
    if isOwn { try connection.configure("BEGIN IMMEDIATE") }
    do {
      for entry in changed {
        if !entry.isInDoubt { inDoubt.append(entry) }
        entry.isInDoubt = true
        try entry.write(to: tables)
      }
      if isOwn { try connection.configure("COMMIT") }
    } catch {
      if isOwn, connection.isInTransaction { try? connection.configure("ROLLBACK") }
      if isOwn { settle(isKept: false) }
      throw error
    }
    if isOwn { settle(isKept: true) }
  }

  /// The transaction that held what was saved last has stood, or has come to nothing.
  func settle(isKept: Bool) {
    let written = inDoubt
    inDoubt = []
    for entry in written {
      entry.isInDoubt = false
      entry.settle(isKept: isKept)
      if !isKept, entry.isChanged { noteChange(of: entry) }
    }
  }

  // MARK: Values as bytes

  func bytes(of value: Value) throws -> [UInt8] {
    try store.home.requireRuntime().keptBytes(of: value)
  }

  func value(in bytes: [UInt8]) throws -> Value? {
    try store.home.requireRuntime().keptValue(in: bytes)
  }

  /// Does something for which nil stands where no file can hold a value, which is listed.
  func listing<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch let error as TideError where error.code == .settings {
      var error = error
      error.message = "a value is not kept: \(error.message)"
      store.home.runtime?.bindings.list(error)
      return nil
    }
  }

  /// Does something that restores a value; what fails is listed, and the app goes on with its own.
  func listing(of name: String, _ body: () throws -> Void) {
    do { try body() } catch {
      var error = TideError(wrapping: error, graph: store.graph)
      error.message =
        "what was kept of \(name.inMessage) does not fit any more: \(error.message)"
      store.home.runtime?.bindings.list(error)
    }
  }
}
