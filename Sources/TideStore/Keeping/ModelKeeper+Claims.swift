import Glibc
import TideBindings
import TideGraph
import TideScript
import TideSystem

// Only one program at a time keeps a model. Others get an error that names it, or wait for its end.
extension ModelKeeper {
  /// Claims a name for this program. Returns false if another program keeps it.
  func takes(_ name: KeptName, for object: DataObject) throws -> Bool {
    let name = name.key
    if let former = kept[name], former.uses == 0, former.object !== object,
      store.home.runtime?.loader.rollback == nil
    {
      // Writes that failed when the former context ended must be visible to the new object.
      try write()
    }
    guard let lock, kept[name] == nil else { return true }
    if !lock.take(name) { return false }
    // If the database is read-only, the owner need not be recorded.
    try? store.use { (_) throws(SQLiteFailure) in
      try tables.put(keeper: Int(getpid()), on: KeeperLock.machine, of: name)
    }
    return true
  }

  func heldByAnother(_ kept: KeptName, isShared: Bool) throws -> TideError {
    let holder = try store.use { (_) throws(SQLiteFailure) in try tables.keeper(of: kept.key) }
    let name = kept.scriptName.inMessage
    let who: String
    switch holder {
    case let (process, machine)? where process == Int(getpid()):
      who = "another session of this program (process \(process) on \(machine.inMessage))"
    case let (process, machine)?: who = "process \(process) on \(machine.inMessage)"
    case nil: who = "another program"
    }
    let remedy: String
    if kept.isOfSession {
      remedy = "for the same owner; end that one first, or give this program a file of its own"
    } else if let holder, holder.process == Int(getpid()) {
      remedy =
        "declare it by shared(\"\(name)\", { … }), so that all sessions have it, give each session a "
        + "file of its own, keep what belongs to one person by session.keep, or wait for the other one "
        + "by db:keep(object, { wait = true })"
    } else {
      remedy =
        "wait for it by db:keep(object, { wait = true }), give this program a file of its own, or let "
        + (isShared
          ? "both share the model by a server, with --share nats://…"
          : "both have the model by shared(…) and --share nats://…")
    }
    let separator = kept.isOfSession ? ", " : "; "
    return TideError(
      .store,
      "\"\(store.name.inMessage)\": \"\(name)\" is kept by \(who)\(separator)\(remedy)")
  }

  /// Restores and keeps an object unless another program keeps it. Returns false if one does.
  func keepIfFree(_ object: DataObject, _ name: String?, in runtime: Runtime) throws -> Bool {
    try keepNow(
      object, as: KeptName(checkedName(object, name)), for: runtime.context, in: runtime)
  }

  /// Restores and keeps an object as soon as no other program keeps it, and then calls a function.
  ///
  /// - Returns: a function that ends the wait.
  func wait(
    _ object: DataObject, _ name: String?, in runtime: Runtime,
    _ completion: @escaping (Result<Void, any Error>) -> Void
  ) throws -> () -> Void {
    let name = try KeptName(checkedName(object, name))
    let (context, home) = (runtime.context, store.home)
    let wait = KeeperWait()
    let before = FormerValues(of: object)
    func look() {
      wait.timer = nil
      guard let runtime = home.runtime else { return }
      var result = Result<Bool, any Error>.success(false)
      home.runWithinBudget {
        result = Result {
          try keepNow(object, as: name, for: context, in: runtime) {
            before.differ(in: $0, from: object)
          }
        }
      }
      switch result {
      case .success(false): wait.timer = runtime.loop.after(Self.waitingInterval) { look() }
      case .success(true): completion(.success(()))
      case .failure(let error): completion(.failure(error))
      }
    }
    wait.timer = runtime.loop.after(Self.waitingInterval) { look() }
    context.own { wait.end() }
    return { wait.end() }
  }

  /// Seconds between checks whether another program has ended.
  private static let waitingInterval = 0.1

  /// The values of an object at the start of a wait. Values that change meanwhile take precedence.
  private struct FormerValues {
    private var values: [String: Value] = [:]
    private var rows: [String: [Value]] = [:]

    init(of object: DataObject) {
      object.graph.untracked {
        if let list = object as? ValueList { rows[""] = list.values }
        for (name, value) in object.storedValues {
          values[name] = value
          if case .object(let list as ValueList) = value { rows[name] = list.values }
        }
      }
    }

    func differ(in property: String, from object: DataObject) -> Bool {
      object.graph.untracked {
        if let list = object as? ValueList { return rows[property] != list.values }
        let value = object[property]
        if values[property] != value { return true }
        guard case .object(let list as ValueList) = value else { return false }
        return rows[property] != list.values
      }
    }
  }

  private final class KeeperWait {
    var timer: LoopTimer?

    func end() {
      timer?.cancel()
      timer = nil
    }
  }
}
