import TideBindings
import TideGraph
import TideLua
import TideSystem

/// A runtime's side of a model that it shares: sends what has changed here at the end of a turn,
/// and takes what others have written.
///
///     model ──effects──▶ replica ──updates──▶ engine
///     model ◀──take────── replica ◀──changes──┘
///
/// It belongs to the runtime's owner.
final class SharedModel {
  let name: String
  private(set) weak var model: ScriptObject?
  /// `sync` of the model.
  let sync: SyncState
  unowned let runtime: Runtime
  let values: SharedValues
  /// What follows the model here ends with it.
  let context: BindingContext
  var replica = SharedReplica()
  let engine: any SharingEngine
  private var channel: (any SharingChannel)?
  private var relay: Relay<Weakly>?
  /// The properties that hold no list.
  private(set) lazy var properties = SharedProperties(of: self)
  var lists: [String: SharedList] = [:]
  /// What others have written and waits for its turn.
  private(set) lazy var intake = SharingIntake(for: self)
  private(set) lazy var overdue = OverdueUpdates(of: self)
  private(set) var state = SharingState.connecting
  var failures = Failures()
  /// Whether the version that has declared it has run to its end.
  private(set) var isProven = false
  private var sendTimer: LoopTimer?
  /// Shows what could not be shown.
  private var showTimer: LoopTimer?
  private var showDelay = SharedModel.leastShowDelay
  /// Sends again what was denied.
  var retryTimer: LoopTimer?
  var keeper: (any SharedKeeper)?
  /// Where the process keeps the model, if this runtime has asked for that.
  var place: SharedPlace?

  /// What others write finds the model as long as somebody else keeps it.
  private struct Weakly {
    weak var model: SharedModel?
  }

  /// Seconds until what could not be shown is tried again.
  private static let leastShowDelay = 0.5

  init(_ runtime: Runtime, _ name: String, _ model: ScriptObject, sync: SyncState) {
    self.runtime = runtime
    self.name = name
    self.model = model
    self.sync = sync
    values = SharedValues(runtime.home)
    engine = runtime.sharingEngine
    context = BindingContext("shared \(name)", in: runtime.bindings)
    runtime.endsWithApp(context)
    change { properties.begin() }
    join()
    context.effect { [unowned self] in properties.follow() }
  }

  deinit {
    relay?.end()
    sendTimer?.cancel()
    showTimer?.cancel()
    retryTimer?.cancel()
    // The runtime may be going as well: nothing of it is used here.
    if isProven, state == .live, !engine.isReadOnly {
      channel?.send(takeSendable(all: true).fitting)
    }
    channel?.leave()
  }

  var graph: Graph { runtime.graph }
  /// About how many bytes it holds of what all have written.
  var heldBytes: Int { replica.heldBytes }

  /// Changes the model to what the engine has: the effects that send look at it when all is done.
  func change(_ body: () -> Void) {
    // Taken back with a handler that is stopped, these would be sent as changes of this runtime.
    graph.adopt(body)
  }

  // MARK: Joining

  private func join() {
    let relay = Relay(Weakly(model: self))
    self.relay = relay
    let inbox = runtime.loop.inbox
    let mailbox = SharingMailbox(runtime.declarations.sharingBudget.mailboxes) {
      inbox.post { relay.content?.model?.take() }
    }
    intake.open(mailbox)
    channel = engine.join(name, mailbox)
    // What an engine within the process has begins to show at once.
    takeOver()
  }

  /// Takes back defaults of a new version that differ, because what all have comes before them, and
  /// shares properties that it has declared when it stands.
  func joinAgain() {
    change {
      properties.putAll()
      for list in lists.values { list.showAgain() }
    }
    runtime.loop.inbox.post { [relay] in relay?.content?.model?.addProperties() }
  }

  private func addProperties() {
    change {
      properties.begin()
      if replica.isComplete { resolveDefaults() }
      properties.followOthers()
    }
    prove()
    runtime.settleGraph()
  }

  /// Lets what it writes reach the others: the version that has declared it has run to its end.
  func prove() {
    isProven = true
    beginKeeping()
    flush()
    showState()
  }

  /// Shows in a later turn what this one had no time or memory for; lists the shortage once.
  func showLater() {
    if showTimer != nil { return }
    let delay = showDelay
    showDelay = min(showDelay * 2, Self.retryDelay)
    showTimer = runtime.loop.after(delay, keepsRunning: false) { [weak self] in
      self?.showTimer = nil
      self?.showRest()
    }
  }

  private func showRest() {
    runtime.home.runWithinBudget {
      change {
        for list in lists.values where list.isUnfinished {
          list.readAgain()
          list.showAgain()
        }
      }
    }
    if isUnfinished, failures.shortage == nil { tellOfShortage() }
    endShortage()
  }

  private var isUnfinished: Bool { lists.values.contains { $0.isUnfinished } }

  /// Says that all is here and shown, where it is.
  func endShortage() {
    if isUnfinished || intake.isStarved { return }
    failures.shortage = nil
    showDelay = Self.leastShowDelay
    showState()
  }

  /// Values may be of classes that the app has come to have.
  func classesChanged() {
    change {
      properties.putHeld()
      for list in lists.values where list.hasUnread { list.readAgain() }
    }
  }

  /// All of what there is has come: what was declared here and is not there begins with it.
  func resolveDefaults() {
    // Who may only read has nothing for the others to begin with.
    if engine.isReadOnly { return }
    replica.adoptDefaults(of: .model)
    for list in lists.values { list.resolve() }
  }

  // MARK: From here to the others

  /// Notes a field that has changed here.
  ///
  /// - Parameter value: what has changed: the model, a row, or null for the model's list.
  func set(
    _ key: SharingKey, _ name: String, _ bytes: [UInt8], isDefault: Bool = false, of value: Value
  ) {
    var cause = ""
    if !isDefault {
      if case .object(let object as DataObject) = value { cause = self.cause(of: object, name) }
      if cause.isEmpty { cause = self.cause }
    }
    replica.set(key, name, bytes, isDefault: isDefault, cause: cause)
  }

  /// This runtime, as the others name it.
  var cause: String { runtime.sharingName }

  private func cause(of object: DataObject, _ property: String) -> String {
    guard let slot = object.slot(named: property),
      let location = runtime.bindings.originLocation(of: slot)
    else { return "" }
    return "\(runtime.sharingName) \(location)"
  }

  /// The fields of a new row; whoever asks does not depend on what is in it.
  func fields(of element: Value) throws(TideError) -> [SharedDocument.Field] {
    let result = graph.untracked {
      Result { () throws(TideError) in try values.fields(of: element) }
    }
    return try result.get()
  }

  /// Sends what has changed, when the turn has come to its end.
  func sendLater() {
    showState()
    guard sendTimer == nil, replica.hasUnsent || keeper != nil && replica.hasUnkept else { return }
    sendTimer = runtime.loop.after(0) { [unowned self] in
      sendTimer = nil
      flush()
      keep()
      showState()
    }
  }

  /// Sends what was not sent, and waits for it to be confirmed, until a time of the loop's clock.
  func finish(until end: Double) {
    flush()
    takeOver()
    while replica.pendingCount > 0, state == .live, isProven, runtime.loop.now() < end {
      runtime.loop.turn(timeout: 0.02)
      takeOver()
      flush()
    }
    if replica.pendingCount == 0 || !isProven { return }
    keep()
    // It is sent when the app runs again.
    if keeper != nil { return }
    tellOfUnconfirmed()
  }

  func flush() {
    guard replica.hasUnsent else { return }
    if engine.isReadOnly { return takeBack() }
    guard isProven, state == .live else { return }
    let updates = takeSendable()
    for update in updates.tooLarge {
      let text = "\(update.bytes?.count ?? 0) bytes, and the server takes \(updates.most) at a time"
      refuse(update.key, update.number, .tooLarge(text))
    }
    keep()
    channel?.send(updates.fitting)
  }

  /// The updates that are to be sent now, and those that the engine does not take because of their
  /// size.
  private func takeSendable(all: Bool = false) -> (
    fitting: [SharingUpdate], tooLarge: [SharingUpdate], most: Int
  ) {
    let most = engine.largestUpdate ?? .max
    var (fitting, tooLarge): ([SharingUpdate], [SharingUpdate]) = ([], [])
    for update in replica.takeUpdates(atMost: all ? .max : mostSent) {
      if update.bytes?.count ?? 0 > most { tooLarge.append(update) } else { fitting.append(update) }
    }
    return (fitting, tooLarge, most)
  }

  /// How many updates may be on their way. Those of a model that is not live, and may never be
  /// answered, hold up no other one.
  private var mostSent: Int {
    let declarations = runtime.declarations
    let others = declarations.sharedModels.values.reduce(0) { sum, other in
      other !== self && other.state == .live ? sum + other.replica.sentCount : sum
    }
    return declarations.sharingBudget.mostSent(beside: others)
  }

  // MARK: From the others to here

  func take() {
    takeOver()
    runtime.settleGraph()
  }

  /// - Parameter all: whether to adopt all changes now, however long that takes; otherwise as many
  ///   as fit into a turn.
  func takeOver(all: Bool = false) {
    guard let news = intake.collect(all: all) else { return }
    runtime.home.runWithinBudget {
      change {
        if let state = news.state {
          self.state = state
          failures.engine = news.error
        }
        intake.apply(all: all)
        for refusal in news.refusals { refuse(refusal.key, refusal.number, refusal.reason) }
        showState()
      }
    }
    keep()
    sendLater()
  }

  /// Has all of what there is come once more: something that must have come has not.
  func joinAnew() {
    channel?.leave()
    relay?.end()
    join()
  }

  func show(_ outcome: SharedReplica.Outcome) {
    var rows: [String: [(id: String, fields: Set<String>)]] = [:]
    for (key, fields, cause) in outcome.changes {
      switch key {
      case .model:
        runtime.declarations.foreignLocations.write(cause, in: graph) {
          for name in fields { properties.put(name) }
        }
      case .row(let list, let id): rows[list, default: []].append((id, fields))
      }
    }
    // Also of rows that go now.
    let elements = outcome.conflicts.map { conflict in
      conflict.key.list.flatMap { lists[$0]?.element(conflict.key) }
    }
    for (property, changes) in rows { lists[property]?.apply(changes) }
    for (conflict, element) in zip(outcome.conflicts, elements) { tell(of: conflict, element) }
  }
}
