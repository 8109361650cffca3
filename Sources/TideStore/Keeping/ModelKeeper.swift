import TideBindings
import TideGraph
import TideScript
import TideSystem

/// Saves models and lists in a database. The changes of a turn are written in one transaction at
/// its end.
///
///     change ──▶ mark ──▶ timer ──▶ write: BEGIN, changed values, COMMIT
///                         or the end of a transaction of a script
final class ModelKeeper {
  unowned let store: Store
  private(set) var kept: [String: KeptObject] = [:]
  /// Objects that are no longer kept, while a reload may still be rolled back.
  private var leaving: [KeptObject] = []
  /// Objects that have changed since the last write.
  private var changed: [KeptObject] = []
  /// Objects that the open transaction has written.
  private var inDoubt: [KeptObject] = []
  lazy var tables = KeptTables(store.connection)
  private var hasTables = false
  /// Tracks the identity of kept objects.
  private(set) lazy var identities = KeptIdentities(self, store.home.runtime?.keptClasses)
  /// Excludes other programs; nil if no other program can open the database.
  private(set) var lock: KeeperLock?
  private var willRead = false
  /// Errors about missing classes that were listed already.
  private var listed: Set<String> = []
  /// Properties to drop from the database, by class or model.
  private var forgotten: [String: Set<String>] = [:]
  private var timer: LoopTimer?
  /// Seconds until the next attempt to write.
  private var delay = 0.0
  /// The listed error of the last write; nil after a success.
  private var failure: TideError?
  private static let longestDelay = 30.0

  init(_ store: Store) { self.store = store }

  func keeps(_ object: DataObject) -> Bool { kept.values.contains { $0.object === object } }

  /// Restores an object, and saves its changes from now on.
  ///
  /// - Throws: `store` if another program keeps it.
  func keep(_ object: DataObject, _ name: String?, in runtime: Runtime) throws {
    try keep(object, as: KeptName(checkedName(object, name)), in: runtime)
  }

  /// Keeps an object for the owner of a session.
  ///
  /// - Parameter owner: nil for the person at the screen.
  func keep(
    _ object: DataObject, _ name: String?, of owner: String?, in runtime: Runtime
  ) throws {
    let name = try checkedName(object, name, by: Self.keepingForSession)
    try keep(object, as: KeptName(name, of: owner), in: runtime)
  }

  /// The beginning of a call of `session.keep`, for messages.
  static let keepingForSession = "session.keep(object"

  private func keep(_ object: DataObject, as name: KeptName, in runtime: Runtime) throws {
    guard try keepNow(object, as: name, for: runtime.context, in: runtime) else {
      throw try heldByAnother(name, isShared: runtime.isShared(object))
    }
  }

  /// - Parameter holdsValue: whether the program's value of a property takes precedence.
  /// - Returns: false if another program keeps it.
  func keepNow(
    _ object: DataObject, as name: KeptName, for context: BindingContext, in runtime: Runtime,
    holding holdsValue: (String) -> Bool = { _ in false }
  ) throws -> Bool {
    try makeTables()
    if runtime.isShared(object) { return try keepShared(object, as: name.key, in: runtime) }
    guard try takes(name, for: object) else { return false }
    try keep(object, as: name, for: context, in: runtime, holding: holdsValue)
    return true
  }

  /// The name under which an object is kept.
  ///
  /// - Parameter call: the beginning of a call with a name, for messages.
  func checkedName(
    _ object: DataObject, _ name: String?, by call: String = "db:keep(object"
  ) throws(TideError) -> String {
    guard let name = name ?? object.displayName else {
      throw TideError(
        .store, "what is kept needs a name: keep a model, or give one: \(call), \"name\")")
    }
    if object is DictionaryObject || (object as? ValueList)?.isReadOnly == true {
      throw TideError(
        .store, "models and lists are kept, and not \(object.label.inMessage), which is neither")
    }
    return name
  }

  private func keep(
    _ object: DataObject, as name: KeptName, for context: BindingContext, in runtime: Runtime,
    holding holdsValue: (String) -> Bool
  ) throws {
    let trial = runtime.loader.rollback
    defer { identities.settlePlaces() }
    let entry: KeptObject
    if let known = kept[name.key], known.object === object {
      entry = known
      try entry.beginAgain { try stored(name.key) }
    } else {
      entry = KeptObject(object, name, self)
      entry.former = kept[name.key]
      entry.trial = trial
      if let former = entry.former {
        // During a reload, the new version's list replaces the list of the previous version.
        if trial == nil || former.trial === trial {
          throw TideError(
            .store,
            "something else is kept as \"\(name.scriptName.inMessage)\" already; give the model another name"
          )
        }
        try write()
      }
      let stored = try stored(name.key)
      // A model that existed before the reload keeps the program's values.
      entry.begin(stored) { property in
        holdsValue(property) || trial?.hadValue(of: property, in: object) == true
      }
      kept[name.key] = entry
      trial?.keep { [weak self] in self?.forget(entry) }
    }
    entry.uses += 1
    try applyForgetting(to: entry)
    if entry.isCutOff || !entry.missing.isEmpty { scheduleReading() }
    context.own { [weak self] in self?.release(entry) }
  }

  // MARK: Missing classes

  /// The app has declared another class.
  func classesChanged() {
    if kept.values.contains(where: { !$0.missing.isEmpty }) || identities.hasUnread {
      scheduleReading()
    }
  }

  /// Schedules another attempt to read values that were skipped because of a missing class or the
  /// end of the turn. Classes that are still missing then are listed.
  private func scheduleReading() {
    guard !willRead, let runtime = store.home.runtime else { return }
    willRead = true
    runtime.runLate { [weak self] in
      guard let self else { return }
      willRead = false
      readAgain()
    }
  }

  private func readAgain() {
    do {
      defer { identities.settlePlaces() }
      for entry in kept.values { entry.readAgain() }
      try identities.readAgain()
    } catch {
      store.home.runtime?.bindings.list(TideError(wrapping: error, graph: store.graph))
    }
    store.graph.settle()
    listMissing()
  }

  private func listMissing() {
    for entry in kept.values.sorted(by: { $0.name.key < $1.name.key }) {
      for (path, className, count) in entry.missing {
        let message =
          "\(count) \(count == 1 ? "value" : "values") of \(path.inMessage) \(count == 1 ? "is" : "are") of "
          + "the class \"\(className.inMessage)\", which the program does not declare; "
          + "\(count == 1 ? "it stays" : "they stay") in the database until it is declared; where it has "
          + "another name now, call db:renameClass(\"\(className.inMessage)\", \"NewName\")"
        if listed.insert(message).inserted { list(message) }
      }
    }
  }

  func list(_ message: String) {
    store.home.runtime?.listKeptData(
      TideError(.store, "\"\(store.name.inMessage)\": \(message)"))
  }

  /// Renames a class in all stored values. Returns the number of changed values.
  func renameClass(_ name: String, to other: String) throws -> Int {
    if try store.home.requireRuntime().declaresClass(name) {
      throw TideError(
        .store,
        "the class \"\(name.inMessage)\" is declared; rename it in the script first, and then what is kept"
      )
    }
    try makeTables()
    if !store.isInTransaction { try write() }
    let count = try store.use { (connection) throws(SQLiteFailure) in
      let isOwn = !connection.isInTransaction
      if isOwn { try connection.configure("BEGIN IMMEDIATE") }
      do throws(SQLiteFailure) {
        let count = try tables.rename(name, to: other)
        if isOwn { try connection.configure("COMMIT") }
        return count
      } catch {
        if isOwn, connection.isInTransaction { try? connection.configure("ROLLBACK") }
        throw error
      }
    }
    identities.rename(name, to: other)
    if count > 0 { scheduleReading() }
    let shared = try store.home.requireRuntime().renameClassInSharedModels(
      name, to: other, in: store.sharedFile)
    return count + shared
  }

  /// Drops the stored values of a property that is no longer declared: for a class, whenever an
  /// object is saved; for a model, now.
  func forget(_ property: String, of name: String) throws {
    let entries = kept.values.filter { $0.name.scriptName == name }
    if try store.home.requireRuntime().declares(property, ofClass: name)
      || entries.contains(where: { $0.declares(property) })
    {
      throw TideError(
        .store,
        "\(name.inMessage).\(property.inMessage) is declared; remove it from the script first")
    }
    identities.forget(property, ofClass: name)
    forgotten[name, default: []].insert(property)
    for entry in entries { try applyForgetting(to: entry) }
  }

  private func applyForgetting(to entry: KeptObject) throws {
    for property in forgotten[entry.name.scriptName] ?? [] where !entry.declares(property) {
      try store.use { (_) throws(SQLiteFailure) in
        try tables.remove(at: .init(object: entry.name.key, property: property))
      }
    }
  }

  func makeTables() throws {
    if hasTables { return }
    try store.use { (_) throws(SQLiteFailure) in try tables.make() }
    hasTables = true
    if let path = store.filePath, lock == nil { lock = KeeperLock(path) }
    // Another program may be about to refer to an object that has no references yet.
    try lock?.whileNobodyKeeps { () throws(TideError) in
      try store.use { (_) throws(SQLiteFailure) in try tables.removeUnreferred() }
    }
  }

  func stored(_ name: String) throws -> [String: KeptTables.Value] {
    try store.use { (_) throws(SQLiteFailure) in try tables.values(of: name) }
  }

  func rows(at address: KeptTables.Address) throws -> [KeptTables.Row] {
    try store.use { (_) throws(SQLiteFailure) in try tables.rows(of: address) }
  }

  // MARK: Ending

  private func release(_ entry: KeptObject) {
    entry.uses -= 1
    if entry.uses > 0 { return }
    let runtime = store.home.runtime
    if runtime?.hasEnded == true || runtime?.loader.rollback != nil || store.isInTransaction {
      // At the end of the app everything is written at once. The writes of a refused version, or of
      // the transaction, may be rolled back.
      leave(entry)
      return schedule()
    }
    if writeOrList() { drop(entry) } else { leave(entry) }
  }

  /// Drops the entry once it has been written, and keeps the database open until then.
  private func leave(_ entry: KeptObject) {
    if !leaving.contains(where: { $0 === entry }) { leaving.append(entry) }
    setHoldsStore(true)
  }

  /// Keeps the database open although no script uses it.
  private func setHoldsStore(_ holds: Bool) {
    guard let runtime = store.home.runtime, let table = try? StoreTable.of(runtime) else { return }
    if holds { table.retain(store) } else { table.release(store) }
  }

  private func drop(_ entry: KeptObject) {
    entry.end()
    changed.removeAll { $0 === entry }
    let key = entry.name.key
    if kept[key] === entry {
      kept[key] = entry.former
    } else if let newer = kept[key], newer.former === entry {
      newer.former = entry.former
    }
    entry.former = nil
    if kept[key] == nil { lock?.giveBack(key) }
  }

  /// The version that keeps the object was refused.
  private func forget(_ entry: KeptObject) {
    leaving.removeAll { $0 === entry }
    drop(entry)
    if leaving.isEmpty { setHoldsStore(false) }
  }

  // MARK: Saving

  /// An object has changed.
  func noteChange(of entry: KeptObject) {
    if entry.isNoted { return }
    entry.isNoted = true
    changed.append(entry)
    schedule()
  }

  func schedule() {
    guard timer == nil, let runtime = store.home.runtime else { return }
    // A failed write does not keep the program from ending. It is retried at the end.
    timer = runtime.loop.after(delay, keepsRunning: delay == 0) { [weak self] in
      guard let self else { return }
      timer = nil
      store.home.runWithinBudget { self.writeOrList() }
    }
  }

  /// Saves the changes. An error is listed, and the write is retried later; returns false then.
  @discardableResult
  private func writeOrList() -> Bool {
    // The runtime may release the store after the write.
    let store = store
    do {
      try write()
      delay = 0
      note(nil)
      return true
    } catch {
      delay = min(Self.longestDelay, max(1, 2 * delay))
      schedule()
      note(TideError(wrapping: error, graph: store.graph))
      return false
    }
  }

  /// Lists the error of the last write, until a write succeeds.
  private func note(_ error: TideError?) {
    store.note(error)
    if error?.message == failure?.message { return }
    let bindings = store.home.runtime?.bindings
    if let failure { bindings?.withdraw(failure) }
    failure = error.flatMap { bindings?.list($0) }
  }

  /// Saves the changes for a script that waits for them.
  func flush() throws {
    try write()
    note(nil)
  }

  /// Saves the changes, in the open transaction or in a new one.
  func write() throws {
    if changed.isEmpty && leaving.isEmpty && !identities.isChanged || store.home.runtime == nil {
      return
    }
    defer { identities.settlePlaces() }
    try store.graph.untracked {
      for entry in changed { try entry.update() }
      if identities.isChanged || changed.contains(where: \.isChanged) {
        do { try writeChanged() } catch let failure as SQLiteFailure {
          throw failure.error(store.name)
        }
      }
    }
    for entry in changed where !entry.isChanged { entry.isNoted = false }
    changed.removeAll { !$0.isNoted }
    if leaving.isEmpty { return }
    if store.isInTransaction { return schedule() }
    // A later version may keep the object again.
    for entry in leaving where entry.uses == 0 { drop(entry) }
    leaving = []
    setHoldsStore(false)
  }

  /// The names of models and lists with unwritten changes.
  var unwrittenNames: [String] {
    let names = Set(changed.filter(\.isChanged).map(\.name.scriptName.inMessage))
    if names.isEmpty && identities.isChanged { return ["objects that are kept"] }
    return names.sorted()
  }

  private func writeChanged() throws {
    let connection = store.connection
    let isOwn = !connection.isInTransaction
    if isOwn { try connection.configure("BEGIN IMMEDIATE") }
    do {
      // Writing an object may reveal that it is in several places, which are then written again.
      while identities.isChanged || changed.contains(where: \.isChanged) {
        for entry in changed where entry.isChanged {
          if !entry.isInDoubt { inDoubt.append(entry) }
          entry.isInDoubt = true
          try entry.write(to: tables)
        }
        try identities.write(to: tables)
      }
      if isOwn { try connection.configure("COMMIT") }
    } catch {
      if isOwn, connection.isInTransaction { try? connection.configure("ROLLBACK") }
      if isOwn { settle(isKept: false) }
      throw error
    }
    if isOwn { settle(isKept: true) }
  }

  /// Called after the transaction of the last write was committed or rolled back.
  func settle(isKept: Bool) {
    let written = inDoubt
    inDoubt = []
    identities.settle(isKept: isKept)
    for entry in written {
      entry.isInDoubt = false
      entry.settle(isKept: isKept)
      if !isKept, entry.isChanged { noteChange(of: entry) }
    }
  }
}

extension Rollback {
  /// Whether the program had a model's property before this reload.
  fileprivate func hadValue(of property: String, in object: DataObject) -> Bool {
    let key = ObjectIdentifier(object)
    // A list belongs to the version that has made it.
    if object is ValueList || newModels.contains(key) { return false }
    return formerProperties[key]?.contains(property) ?? true
  }
}
