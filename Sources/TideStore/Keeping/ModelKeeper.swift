import TideBindings
import TideGraph
import TideScript
import TideSystem

/// Saves models and lists in a database: what has changed in a turn, in one transaction at its end.
///
///     change ──▶ mark ──▶ timer ──▶ write: BEGIN, what has changed, COMMIT
///                         or the end of a transaction of a script
final class ModelKeeper {
  unowned let store: Store
  private(set) var kept: [String: KeptObject] = [:]
  /// Those that nobody keeps any more in the middle of a reload, which may turn out to be no good.
  private var leaving: [KeptObject] = []
  /// Those that have changed since they were written last.
  private var changed: [KeptObject] = []
  /// Those that were written by the transaction that is open.
  private var inDoubt: [KeptObject] = []
  lazy var tables = KeptTables(store.connection)
  private var hasTables = false
  /// Knows which kept objects are the same.
  private(set) lazy var identities = KeptIdentities(self, store.home.runtime?.keptClasses)
  /// Excludes other programs; nil where no other can have the database.
  private(set) var lock: KeeperLock?
  private var reading: LoopTimer?
  /// What is missing and was listed.
  private var listed: Set<String> = []
  /// Properties that are not kept any more, by their class or model.
  private var forgotten: [String: Set<String>] = [:]
  private var timer: LoopTimer?
  /// How long it waits until it tries again to write, in seconds.
  private var delay = 0.0
  /// Why the latest writing failed, as listed; nil since one has succeeded.
  private var failure: TideError?
  private static let longestDelay = 30.0

  init(_ store: Store) { self.store = store }

  func keeps(_ object: DataObject) -> Bool { kept.values.contains { $0.object === object } }

  /// Gives an object what was saved of it, and saves what changes from now on.
  ///
  /// - Throws: `store` where another program keeps it.
  func keep(_ object: DataObject, _ name: String?, in runtime: Runtime) throws {
    try keep(object, as: KeptName(checkedName(object, name)), in: runtime)
  }

  /// The same for the owner of a session.
  ///
  /// - Parameter owner: nil for whoever uses the screen.
  func keep(
    _ object: DataObject, _ name: String?, of owner: String?, in runtime: Runtime
  ) throws {
    let name = try checkedName(object, name, by: Self.keepingForSession)
    try keep(object, as: KeptName(name, of: owner), in: runtime)
  }

  /// How a call of `session.keep` begins, for messages.
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

  /// The name that a script gives an object to keep.
  ///
  /// - Parameter call: the beginning of a call that gives one, for messages.
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
        // A new version's list takes over from that of the one before.
        if trial == nil || former.trial === trial {
          throw TideError(
            .store,
            "something else is kept as \"\(name.scriptName.inMessage)\" already; give the model another name"
          )
        }
        try write()
      }
      let stored = try stored(name.key)
      // A model that a new version keeps goes on with what the program has of it.
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

  // MARK: What the app does not declare

  /// The app has come to have another class.
  func classesChanged() {
    if kept.values.contains(where: { !$0.missing.isEmpty }) || identities.hasUnread {
      scheduleReading()
    }
  }

  /// Reads once more, when this turn is over, what a missing class or the turn's end has kept from
  /// being read. What is still missing then is listed.
  private func scheduleReading() {
    guard reading == nil, let runtime = store.home.runtime else { return }
    reading = runtime.loop.after(0) { [weak self] in
      guard let self else { return }
      reading = nil
      store.home.runWithinBudget { self.readAgain() }
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
    store.home.runtime?.bindings.list(
      TideError(.store, "\"\(store.name.inMessage)\": \(message)"))
  }

  /// Gives all that is kept of one class another one; tells how many values were of it.
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

  /// Lets go of what is kept of a property that is no longer declared: of a class in each object
  /// that is saved from now on, of a model at once.
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
    // Others may be about to refer to what nothing refers to yet.
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
    if store.home.runtime?.loader.rollback != nil || store.isInTransaction {
      // What a version has written that is refused is about to be taken back, and so may the
      // transaction be.
      leave(entry)
      return schedule()
    }
    if writeOrList() { drop(entry) } else { leave(entry) }
  }

  /// An entry that is dropped when it has been written, and keeps the database open until then.
  private func leave(_ entry: KeptObject) {
    if !leaving.contains(where: { $0 === entry }) { leaving.append(entry) }
    setHoldsStore(true)
  }

  /// Whether the runtime keeps the database open although no script may use it any more.
  private func setHoldsStore(_ holds: Bool) {
    guard let runtime = store.home.runtime, let table = try? StoreTable.of(runtime) else { return }
    if holds { table.hold(store) } else { table.letGo(of: store) }
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

  /// The version that keeps it was refused.
  private func forget(_ entry: KeptObject) {
    leaving.removeAll { $0 === entry }
    drop(entry)
    if leaving.isEmpty { setHoldsStore(false) }
  }

  // MARK: Saving

  /// Something in an object has changed.
  func noteChange(of entry: KeptObject) {
    if entry.isNoted { return }
    entry.isNoted = true
    changed.append(entry)
    schedule()
  }

  func schedule() {
    guard timer == nil, let runtime = store.home.runtime else { return }
    // What cannot be written does not keep a program from ending, which is when it is tried once
    // more.
    timer = runtime.loop.after(delay, keepsRunning: delay == 0) { [weak self] in
      guard let self else { return }
      timer = nil
      store.home.runWithinBudget { self.writeOrList() }
    }
  }

  /// Saves what has changed; false, and listed, where that fails, which is tried again then.
  @discardableResult
  private func writeOrList() -> Bool {
    // When all is written the runtime may let go of it.
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

  /// Lists why the latest writing failed, until a writing succeeds.
  private func note(_ error: TideError?) {
    store.note(error)
    if error?.message == failure?.message { return }
    let bindings = store.home.runtime?.bindings
    if let failure { bindings?.withdraw(failure) }
    failure = error.flatMap { bindings?.list($0) }
  }

  /// Saves what has changed, for a script that waits for it.
  func flush() throws {
    try write()
    note(nil)
  }

  /// Saves what has changed; within the transaction that is open, or in one of its own.
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
    // A later version may keep it once more.
    for entry in leaving where entry.uses == 0 { drop(entry) }
    leaving = []
    setHoldsStore(false)
  }

  private func writeChanged() throws {
    let connection = store.connection
    let isOwn = !connection.isInTransaction
    if isOwn { try connection.configure("BEGIN IMMEDIATE") }
    do {
      // What is written may turn out to be in several places, and these are written once more.
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

  /// The transaction that held what was saved last has stood, or has come to nothing.
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
