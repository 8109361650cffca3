import Glibc
import TideBindings
import TideGraph
import TideScript
import TideSystem

// One program keeps a model at a time; others are told which one, or wait for its end.
extension ModelKeeper {
  /// Claims a name for this program. Returns false if another program keeps it.
  func takes(_ name: KeptName, for object: DataObject) throws -> Bool {
    let name = name.key
    if let former = kept[name], former.uses == 0, former.object !== object,
      store.home.runtime?.loader.rollback == nil
    {
      // What could not be written when its context ended is read by who keeps it now.
      try write()
    }
    guard let lock, kept[name] == nil else { return true }
    if !lock.take(name) { return false }
    // Where nothing can be written, nobody needs to know who would.
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

  /// Gives an object what was saved of it as soon as no other program keeps it, and calls a function
  /// then.
  ///
  /// - Returns: what ends the wait.
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
      let result = Result {
        try keepNow(object, as: name, for: context, in: runtime) {
          before.differ(in: $0, from: object)
        }
      }
      switch result {
      case .success(false): wait.timer = runtime.loop.after(Self.waitingInterval) { look() }
      case .success(true): completion(.success(()))
      case .failure(let error): completion(.failure(error))
      }
    }
    wait.timer = runtime.loop.after(0) { look() }
    context.own { wait.end() }
    return { wait.end() }
  }

  /// How often it is looked whether another program has ended, in seconds.
  private static let waitingInterval = 0.1

  /// What an object had when a wait began: what has changed meanwhile stays.
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
