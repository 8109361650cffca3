import TideBindings
import TideGraph
import TideLua
import TideSystem

/// A runtime's side of a model that it shares: sends what has changed here at the end of a turn, and takes
/// what others have written.
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
  private var mailbox: SharingMailbox?
  private var channel: (any SharingChannel)?
  private var relay: Relay<Weakly>?
  /// Changes when other properties are shared than before.
  private let version: Signal<Int>
  /// The properties that hold no list, with what they hold in place of what all know, because it cannot
  /// be read here or does not fit.
  private var properties: [String: [UInt8]?] = [:]
  var lists: [String: SharedList] = [:]
  /// Those that the running version declares.
  private var followed: Set<String> = []
  /// Properties with a value that cannot be shared.
  private var alone: Set<String> = []
  var state = SharingState.connecting
  var failures = Failures()
  /// Whether the version that has declared it has run to its end.
  private(set) var isProven = false
  private var timer: LoopTimer?
  /// Takes what waits.
  private var rest: LoopTimer?
  /// Shows what could not be shown.
  private var later: LoopTimer?
  private var patience = SharedModel.leastPatience
  /// Has what was denied be sent again.
  var retry: LoopTimer?
  private var backlog = SharingBacklog()
  /// Whether the app has no memory for more of what others have written.
  private var isStarved = false
  /// How long the lists took for the last changes, beyond what each of those took.
  var showTime = Duration.zero
  /// When what others have written has not come by then, all of it is asked for once more.
  var overdue: LoopTimer?
  /// The updates, by their keys, whose changes it waits for.
  var overdueUpdates: [SharingKey: Int] = [:]
  private var isCompletePending = false
  private var origin: SharingOrigin?
  var keeper: (any SharedKeeper)?

  /// What others write finds the model as long as somebody else keeps it.
  private struct Weakly {
    weak var model: SharedModel?
  }

  /// Seconds until what could not be shown is tried again.
  private static let leastPatience = 0.5

  init(_ runtime: Runtime, _ name: String, _ model: ScriptObject, sync: SyncState) {
    self.runtime = runtime
    self.name = name
    self.model = model
    self.sync = sync
    values = SharedValues(runtime.home)
    engine = runtime.sharingEngine
    version = runtime.graph.signal(0)
    context = BindingContext("shared \(name)", in: runtime.bindings)
    runtime.endsWithApp(context)
    change { beginProperties() }
    join()
    context.effect { [unowned self] in followProperties() }
  }

  deinit {
    relay?.end()
    timer?.cancel()
    retry?.cancel()
    overdue?.cancel()
    rest?.cancel()
    later?.cancel()
    // The runtime may be going as well: nothing of it is used here.
    if isProven, state == .live, !engine.isReadOnly {
      channel?.send(takeSendable(all: true).fitting)
    }
    channel?.leave()
  }

  var graph: Graph { runtime.graph }
  /// About how many bytes it holds of what all have written.
  var heldBytes: Int { replica.heldBytes }

  /// Changes the model: the effects that send look at it when all is done.
  func change(_ body: () -> Void) { graph.untracked { graph.batch(body) } }

  // MARK: Joining

  private func join() {
    let relay = Relay(Weakly(model: self))
    self.relay = relay
    let inbox = runtime.loop.inbox
    let mailbox = SharingMailbox { inbox.post { relay.content?.model?.take() } }
    self.mailbox = mailbox
    channel = engine.join(name, mailbox)
    // What an engine within the process has is there at once.
    takeOver()
  }

  /// Takes back defaults of a new version that differ, because what all have comes before them, and shares
  /// properties that it has declared when it stands.
  func joinAgain() {
    change {
      for name in properties.keys where replica.entries[.model]?[name] != nil { put(name) }
      for list in lists.values { list.showAgain() }
    }
    runtime.loop.inbox.post { [relay] in relay?.content?.model?.addProperties() }
  }

  private func addProperties() {
    change {
      beginProperties()
      if replica.isComplete { resolveDefaults() }
      version.value &+= 1
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

  /// Shows what a turn had no time or memory for, in a later one, and tells of it once.
  func showLater() {
    if later != nil { return }
    let delay = patience
    patience = min(patience * 2, Self.retryDelay)
    later = runtime.loop.after(delay, keepsRunning: false) { [weak self] in
      self?.later = nil
      self?.showRest()
    }
  }

  private func showRest() {
    runtime.home.runWithinBudget {
      change {
        if isStarved { applyBacklog() }
        for list in lists.values where list.isUnfinished {
          list.readAgain()
          list.showAgain()
        }
      }
    }
    let isUnfinished = isStarved || lists.values.contains { $0.isUnfinished }
    if isUnfinished, failures.shortage == nil { tellOfShortage() }
    if isUnfinished { return }
    failures.shortage = nil
    patience = Self.leastPatience
    showState()
  }

  /// Values may be of classes that the app has come to have.
  func classesChanged() {
    change {
      for (property, held) in properties where held != nil { put(property) }
      for list in lists.values where list.hasUnread { list.readAgain() }
    }
  }

  /// The properties that are shared, or will be.
  private var declared: [PropertyDescription] {
    (model?.shape.properties ?? []).filter {
      $0.derive == nil && !$0.isReadOnly && $0.name != "sync"
    }
  }

  private func isShared(_ property: String) -> Bool {
    properties[property] != nil || lists[property] != nil
  }

  /// Begins to share the declared properties that are not shared so far, with what they hold as what there
  /// is as long as nobody else has written anything.
  private func beginProperties() {
    guard let model else { return }
    for property in declared where !isShared(property.name) {
      if case .object(is ValueList) = model[property.name] {
        let list = SharedList(property.name, of: self)
        lists[property.name] = list
        list.begin()
        continue
      }
      properties.updateValue(nil, forKey: property.name)
      do throws(TideError) {
        let bytes = try values.bytes(of: model[property.name])
        replica.set(.model, property.name, bytes, isDefault: true)
      } catch {
        alone.insert(property.name)
        noteUnsent(model[property.name], error)
      }
    }
    // Of a model that was there before, others may have written them already.
    for name in properties.keys where replica.entries[.model]?.document?[name] != nil { put(name) }
  }

  /// All of what there is has come: what was declared here and is not there begins with it.
  private func resolveDefaults() {
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

  /// Runs after each settle in which a property has changed.
  private func followProperties() {
    guard let model else { return }
    _ = version.value
    let before = followed
    followed = Set(declared.map(\.name))
    for property in declared {
      guard let held = properties[property.name] else { continue }
      // What a version did not have, and this one has again, is what it is for the others.
      if !before.contains(property.name) { put(property.name) }
      let value = model[property.name]
      do throws(TideError) {
        let bytes = try values.bytes(of: value)
        alone.remove(property.name)
        if bytes == held ?? replica.entries[.model]?[property.name] { continue }
        properties.updateValue(nil, forKey: property.name)
        set(.model, property.name, bytes, of: .object(model))
      } catch {
        if alone.insert(property.name).inserted { noteUnsent(value, error) }
      }
    }
    sendLater()
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
    guard timer == nil, replica.hasUnsent || keeper != nil && replica.hasUnkept else { return }
    timer = runtime.loop.after(0) { [unowned self] in
      timer = nil
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

  private func flush() {
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

  /// The updates that are to be sent now, and those that the engine does not take because of their size.
  private func takeSendable(all: Bool = false) -> (
    fitting: [SharingUpdate], tooLarge: [SharingUpdate], most: Int
  ) {
    let most = engine.largestUpdate ?? .max
    var (fitting, tooLarge): ([SharingUpdate], [SharingUpdate]) = ([], [])
    for update in replica.takeUpdates(atMost: all ? .max : SharedReplica.mostSent) {
      if update.bytes?.count ?? 0 > most { tooLarge.append(update) } else { fitting.append(update) }
    }
    return (fitting, tooLarge, most)
  }

  // MARK: From the others to here

  private func take() {
    takeOver()
    runtime.settleGraph()
  }

  private func takeOver() {
    guard let contents = mailbox?.take(withChanges: backlog.heldBytes < capacity) else { return }
    runtime.home.runWithinBudget {
      change {
        if contents.isListing {
          backlog.removeAll()
          isCompletePending = false
          replica.beginListing(isAnew: contents.hasBegunAnew)
        }
        backlog.add(contents.sortedChanges)
        if contents.isComplete {
          isCompletePending = true
          origin = contents.origin
        }
        if let new = contents.state {
          state = new
          failures.engine = contents.error
        }
        applyBacklog()
        for refusal in contents.refusals { refuse(refusal.key, refusal.number, refusal.reason) }
        // Where changes were left in the mailbox, nobody says so again.
        if backlog.isEmpty, (mailbox?.heldBytes ?? 0) > 0 { takeLater() }
        showState()
      }
    }
    keep()
    sendLater()
  }

  /// Takes over what fits into a turn, and comes back for the rest.
  private func applyBacklog() {
    if !backlog.isEmpty, backlog.delay > 0 { return takeLater() }
    let part = backlog.take()
    if !part.isEmpty {
      isStarved = !hasMemory(for: part)
      if isStarved {
        backlog.putBack(part)
        return showLater()
      }
      let start = ContinuousClock.now
      showTime = .zero
      show(replica.apply(part))
      for list in lists.values { list.resolve() }
      backlog.fit(
        part.count, in: ContinuousClock.now - start, fixed: showTime,
        rows: replica.entries.count)
    }
    if !backlog.isEmpty {
      takeLater()
    } else if isCompletePending {
      isCompletePending = false
      show(replica.finishListing(origin))
      resolveDefaults()
      failures.update = nil
    }
  }

  /// Bytes that may wait here before no more is taken.
  private var capacity: Int {
    let limit = runtime.configuration.lua.memory
    return limit > 0 ? max(1 << 20, limit / 8) : 32 << 20
  }

  /// Whether something has come that was not taken over so far.
  var hasWaiting: Bool { !backlog.isEmpty || isCompletePending || (mailbox?.heldBytes ?? 0) > 0 }

  /// Comes back for what waits.
  private func takeLater() {
    if rest != nil { return }
    rest = runtime.loop.after(backlog.delay, keepsRunning: false) { [weak self] in
      self?.rest = nil
      self?.take()
    }
  }

  /// Whether there is memory for what others have written, with the elements that stand for it; a quarter
  /// of all stays for the scripts.
  private func hasMemory(for changes: [SharingChange]) -> Bool {
    let bytes = changes.reduce(0) { $0 + $1.heldBytes }
    let limit = runtime.configuration.lua.memory
    if limit > 0, (replica.heldBytes + bytes) * 3 > limit / 4 * 3 { return false }
    do throws(WorkError) { try WorkBudget.admit(bytes: bytes * 3) } catch { return false }
    return true
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
          for name in fields where properties[name] != nil { put(name) }
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

  /// Gives a property the value that all know. One that cannot be read, or does not fit, leaves the
  /// property as it is, and is not written over until that changes.
  private func put(_ property: String) {
    guard let model, let index = model.shape.index(of: property),
      let known = replica.entries[.model]?[property]
    else { return }
    var held: [UInt8]?
    do {
      if let value = try values.value(in: known), try values.bytes(of: model[property]) != known {
        _ = try model.write(index, value, byHost: true)
      }
    } catch { list(error) }
    if let bytes = try? values.bytes(of: model[property]), bytes != known { held = bytes }
    properties.updateValue(held, forKey: property)
  }
}
