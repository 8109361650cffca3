import TideBindings
import TideGraph
import TideLua
import TideSystem
import TideViews

/// A runtime's side of a shared model. Sends local changes at the end of a turn, and adopts the
/// changes of others.
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
  /// Owns the effects that follow the model.
  let context: BindingContext
  var replica = SharedReplica()
  let engine: any SharingEngine
  private var channel: (any SharingChannel)?
  private var relay: Relay<Weakly>?
  /// The properties that hold no list.
  private(set) lazy var properties = SharedProperties(of: self)
  var lists: [String: SharedList] = [:]
  /// Receives the changes of other runtimes.
  private(set) lazy var intake = SharingIntake(for: self)
  private(set) lazy var overdue = OverdueUpdates(of: self)
  private(set) var state = SharingState.connecting
  var failures = Failures()
  /// Whether the script version that declared the model has run to completion.
  private(set) var isProven = false
  private var sendTimer: LoopTimer?
  /// Retries rows that could not be shown.
  private var showTimer: LoopTimer?
  private var showDelay = SharedModel.leastShowDelay
  /// Retries denied updates.
  var retryTimer: LoopTimer?
  var keeper: (any SharedKeeper)?
  /// Where the process persists the model, if this runtime has requested that.
  var place: SharedPlace?

  /// Lets the mailbox reach the model without retaining it.
  private struct Weakly {
    weak var model: SharedModel?
  }

  /// Seconds until the first retry of rows that could not be shown.
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
    // The runtime may be deinitializing too, so it is not used here.
    if isProven, state == .live, !engine.isReadOnly {
      channel?.send(takeSendable(all: true).fitting)
    }
    channel?.leave()
  }

  var graph: Graph { runtime.graph }
  /// The approximate bytes of the replica.
  var heldBytes: Int { replica.heldBytes }

  /// Applies shared values to the model, with the budget of a turn. The effects that send run once,
  /// afterwards.
  func change(_ body: () -> Void) {
    // If a stopped handler rolled these writes back, the rollback would be sent as a change of this
    // runtime.
    runtime.home.runWithinBudget { graph.adopt(body) }
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
    // An engine within the process delivers its values at once.
    takeOver()
  }

  /// Sets the model to its shared values again, over the defaults of a reloaded script. Properties
  /// that the script adds are shared once the reload has completed.
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

  /// Starts sending, because the script version that declared the model has run to completion.
  func prove() {
    isProven = true
    beginKeeping()
    flush()
    showState()
  }

  /// Schedules another attempt to show rows for which this turn had no time or memory. Lists the
  /// shortage once.
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
    change {
      for list in lists.values where list.isUnfinished {
        list.readAgain()
        list.showAgain()
      }
    }
    if isUnfinished, failures.shortage == nil { tellOfShortage() }
    endShortage()
  }

  private var isUnfinished: Bool { lists.values.contains { $0.isUnfinished } }

  /// Clears the shortage if all rows have arrived and are shown.
  func endShortage() {
    if isUnfinished || intake.isStarved { return }
    failures.shortage = nil
    showDelay = Self.leastShowDelay
    showState()
  }

  /// Reads values again whose classes the app may have declared meanwhile.
  func classesChanged() {
    change {
      properties.putHeld()
      for list in lists.values where list.hasUnread { list.readAgain() }
    }
  }

  /// Sends the declared defaults that a complete listing lacks.
  func resolveDefaults() {
    // A read-only runtime cannot provide defaults.
    if engine.isReadOnly { return }
    replica.adoptDefaults(of: .model)
    for list in lists.values { list.resolve() }
  }

  // MARK: Sending

  /// Records a local change of a field.
  ///
  /// - Parameter value: the object whose property changed, from which the cause is taken; null if
  ///   there is none.
  func set(
    _ key: SharingKey, _ name: String, _ bytes: [UInt8], isDefault: Bool = false, of value: Value
  ) {
    var cause = ""
    if !isDefault {
      if case .object(let object as DataObject) = value { cause = self.cause(of: object, name) }
      if cause.isEmpty { cause = self.cause }
    }
    replica.set(
      key, name, bytes, isDefault: isDefault, merges: !isDefault && merges(value, name),
      cause: cause)
  }

  /// Whether a write of a text is merged with concurrent ones: if its property says so, or if a
  /// person types it. Typed characters apply to the current text, even if others have changed the
  /// text.
  private func merges(_ owner: Value, _ name: String) -> Bool {
    guard case .object(let object as DataObject) = owner,
      let property = object.shape.index(of: name).map({ object.shape.propertiesByIndex[$0] }),
      property.cases == nil
    else { return false }
    return property.mergesTexts || runtime.bindings.isTyping
  }

  /// This runtime's name for others.
  var cause: String { runtime.sharingName }

  private func cause(of object: DataObject, _ property: String) -> String {
    guard let slot = object.slot(named: property),
      let location = runtime.bindings.originLocation(of: slot)
    else { return "" }
    return "\(runtime.sharingName) \(location)"
  }

  /// The fields of a new row, read without tracking dependencies.
  func fields(of element: Value) throws(TideError) -> [SharedDocument.Field] {
    let result = graph.untracked {
      Result { () throws(TideError) in try values.fields(of: element) }
    }
    return try result.get()
  }

  /// Sends and persists changes at the end of the turn.
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

  /// Sends unsent changes and waits for their confirmation, until a time of the loop's clock.
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
    // Persisted changes are sent in the app's next run.
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

  /// The updates to send now, and those that exceed the engine's size limit.
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

  /// The most updates of this model that may be in flight. Updates of a model that is not live may
  /// never be answered, so they do not hold up those of other models.
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

  /// - Parameter all: whether to adopt all changes now, regardless of the time; otherwise as many
  ///   as fit into a turn.
  func takeOver(all: Bool = false) {
    guard let news = intake.collect(all: all) else { return }
    change {
      if let state = news.state {
        self.state = state
        failures.engine = news.error
      }
      intake.apply(all: all)
      for refusal in news.refusals { refuse(refusal.key, refusal.number, refusal.reason) }
      showState()
    }
    keep()
    sendLater()
  }

  /// Leaves the model and joins it again, to receive a complete listing.
  func joinAnew() {
    channel?.leave()
    // Otherwise the listing would make a denied row look like one that was accepted and removed.
    for refusal in intake.takeRefusals() { refuse(refusal.key, refusal.number, refusal.reason) }
    relay?.end()
    join()
  }

  func show(_ outcome: SharedReplica.Outcome) {
    // The last merge of a field is refused first, because the merge that it is based on may be
    // refused as well.
    let refused = outcome.merges.reversed().filter { !admits($0) }.compactMap { replica.refuse($0) }
    let conflicts = outcome.conflicts + refused
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
    // Looked up first, since the changes may remove the rows.
    let elements = conflicts.map { conflict in
      conflict.key.list.flatMap { lists[$0]?.element(conflict.key) }
    }
    for (property, changes) in rows { lists[property]?.apply(changes) }
    for (conflict, element) in zip(conflicts, elements) { tell(of: conflict, element) }
  }

  /// Whether the property of a merged text takes the text as it is.
  private func admits(_ merge: SharedReplica.Merge) -> Bool {
    let owner = merge.key.list.map { lists[$0]?.element(merge.key) } ?? model.map { .object($0) }
    guard case .object(let object as DataObject)? = owner,
      let index = object.shape.index(of: merge.field),
      let text = try? values.value(in: merge.merged)
    else { return true }
    return (try? object.admitted(index, text)) == text
  }
}
