import TideLua
import TideSystem

/// Receives the changes of others, and has a shared model adopt as many as fit into each turn.
///
///     engine ──▶ mailbox ──▶ backlog ──▶ replica, lists
///       ▲                       └──▶ left out: no memory
///       └──────── joins anew ◀──────────┘
///
/// A change that does not fit into the app's memory is left out, so that the removals behind it
/// still arrive. The model then joins again, until it has adopted a complete listing.
///
/// It belongs to the runtime's owner, as the model does.
final class SharingIntake {
  private unowned let shared: SharedModel
  private var mailbox: SharingMailbox?
  private var backlog = SharingBacklog()
  private let budget: SharingBudget
  /// Bytes of the backlog, as the budget knows them.
  private var noted = 0
  private var timer: LoopTimer?
  /// Whether the model is incomplete because it did not fit into the app's memory. The first
  /// listing that is adopted completely resets this.
  private(set) var isStarved = false
  /// Whether a change was left out since the last listing began.
  private var hasLeftOut = false
  /// Whether a listing is being received. The model joins again only after its end.
  private var isListing = true
  /// Bytes that all models held when a change was last left out.
  private var heldWhenLeftOut = 0
  private var rejoinTimer: LoopTimer?
  private var rejoinDelay = SharingIntake.leastRejoinDelay
  /// Whether the listing has arrived completely, but part of it waits in the backlog.
  private var isCompletePending = false
  private var origin: SharingOrigin?
  /// The last update that the engine had accepted or refused before the listing; nil if unknown.
  private var settled: Int?
  /// The fixed cost of the last list updates, without the per-row cost.
  var listTime = Duration.zero

  /// The reports of an engine other than changes.
  struct News {
    var state: SharingState?
    var error: String?
    var refusals: [(key: SharingKey, number: Int, reason: SharingRefusal)]
  }

  /// Seconds until the model joins again. The delay doubles each time, since others may keep
  /// filling the model.
  private static let leastRejoinDelay = 0.5
  private static let mostRejoinDelay = 60.0

  init(for shared: SharedModel) {
    self.shared = shared
    budget = shared.runtime.declarations.sharingBudget
    budget.add(1)
  }

  deinit {
    budget.note(0, before: noted)
    budget.add(-1)
    timer?.cancel()
    rejoinTimer?.cancel()
  }

  /// Starts to receive from a mailbox, beginning with a listing.
  func open(_ mailbox: SharingMailbox) {
    self.mailbox = mailbox
    isListing = true
    rejoinTimer?.cancel()
    rejoinTimer = nil
  }

  /// Whether there are changes that the model has not adopted.
  var hasWaiting: Bool { !backlog.isEmpty || isCompletePending || hasMail || isStarved }

  private var hasMail: Bool { mailbox?.isEmpty == false }

  /// Collects the received changes; nil before there is a mailbox.
  ///
  /// - Parameter all: whether to collect all changes, even beyond what may wait.
  func collect(all: Bool = false) -> News? {
    guard let mailbox else { return nil }
    let isAdmitted = budget.admits(backlog.heldBytes + mailbox.heldBytes)
    let contents = mailbox.take(withChanges: all || isAdmitted)
    defer { noteWaiting() }
    if contents.isListing {
      backlog.removeAll()
      isCompletePending = false
      isListing = true
      hasLeftOut = false
      rejoinTimer?.cancel()
      rejoinTimer = nil
      shared.replica.beginListing(isAnew: contents.hasBegunAnew)
    }
    for refusal in contents.refusals {
      shared.replica.noteRefusal(refusal.key, refusal.number, refusal.reason)
    }
    backlog.add(contents.sortedChanges)
    if contents.isComplete {
      isCompletePending = true
      origin = contents.origin
      settled = contents.settled
    }
    return News(state: contents.state, error: contents.error, refusals: contents.refusals)
  }

  /// Takes the refusals alone, from a mailbox that was left.
  func takeRefusals() -> [(key: SharingKey, number: Int, reason: SharingRefusal)] {
    mailbox?.take(withChanges: false).refusals ?? []
  }

  /// Has the model adopt the changes that fit into a turn, and schedules the rest.
  ///
  /// - Parameter all: whether to adopt all changes now, because a script waits for them.
  func apply(all: Bool = false) {
    if !all, !backlog.isEmpty, backlog.delay > 0 { return applyLater() }
    let shares = budget.turnShares
    let taken = backlog.take(all: all, among: shares)
    defer { noteWaiting() }
    if !taken.isEmpty {
      let start = ContinuousClock.now
      listTime = .zero
      let part = admitted(taken)
      shared.show(shared.replica.apply(part))
      shared.replica.forgetManyRemovals()
      for list in shared.lists.values { list.resolve() }
      if !all {
        backlog.adjustSize(
          after: part.count, in: ContinuousClock.now - start, fixed: listTime,
          rows: shared.replica.entries.count, among: shares)
      }
    }
    // The mailbox does not report the changes left in it again.
    if !backlog.isEmpty || hasMail {
      applyLater()
    } else if isCompletePending {
      finishListing()
    }
    if isStarved { rejoinLater() }
  }

  private func finishListing() {
    isCompletePending = false
    isListing = false
    if shared.replica.beginAnew(at: origin) {
      forgetDelay()
      return rejoinLater()
    }
    shared.show(shared.replica.finishListing(origin, settled: settled))
    shared.resolveDefaults()
    shared.runtime.restoreAwaitedRows()
    shared.failures.update = nil
    if hasLeftOut || !isStarved { return }
    isStarved = false
    forgetDelay()
    shared.endShortage()
  }

  private func applyLater() {
    if timer != nil { return }
    timer = shared.runtime.loop.after(backlog.delay, keepsRunning: false) { [weak self] in
      guard let self else { return }
      timer = nil
      shared.take()
    }
  }

  private func noteWaiting() {
    budget.note(backlog.heldBytes, before: noted)
    noted = backlog.heldBytes
  }

  // MARK: Memory

  /// The changes for which there is memory. Changes that a later turn can adopt return to the
  /// backlog.
  private func admitted(_ changes: [SharingChange]) -> [SharingChange] {
    var room = room
    room.reserve(for: changes, of: shared.replica)
    var admitted: [SharingChange] = []
    var hasForgotten = false
    for (index, change) in changes.enumerated() {
      var verdict = room.admit(change, to: shared.replica)
      if verdict == .refused, !hasForgotten {
        hasForgotten = true
        let before = shared.heldBytes
        shared.replica.forgetRemovals()
        room.release(before - shared.heldBytes)
        verdict = room.admit(change, to: shared.replica)
      }
      switch verdict {
      case .admitted: admitted.append(change)
      case .later:
        backlog.putBack(Array(changes[index...]))
        return admitted
      // The removal of an unknown row changes nothing visible.
      case .refused: if change.bytes != nil { leaveOut(change) }
      }
    }
    return admitted
  }

  private func leaveOut(_ change: SharingChange) {
    shared.replica.leaveOut(change)
    heldWhenLeftOut = heldByAll
    hasLeftOut = true
    if isStarved { return }
    isStarved = true
    if shared.failures.shortage == nil { shared.tellOfShortage() }
  }

  private var room: SharingRoom {
    SharingRoom(memory: shared.runtime.configuration.lua.memory, held: heldByAll)
  }

  /// Bytes that all models of the app hold, since they share its memory.
  private var heldByAll: Int {
    var held = shared.heldBytes
    for other in shared.runtime.declarations.sharedModels.values where other !== shared {
      held += other.heldBytes
    }
    return held
  }

  /// Schedules another join. The delay starts over if much memory has been freed. Other freed
  /// memory is not reported, so the model tries again in any case.
  private func rejoinLater() {
    if isListing { return }
    if heldByAll < heldWhenLeftOut / 4 * 3, rejoinDelay > Self.leastRejoinDelay {
      heldWhenLeftOut = heldByAll
      forgetDelay()
    }
    if rejoinTimer != nil { return }
    let delay = rejoinDelay
    rejoinDelay = min(delay * 2, Self.mostRejoinDelay)
    rejoinTimer = shared.runtime.loop.after(delay, keepsRunning: false) { [weak self] in
      guard let self else { return }
      rejoinTimer = nil
      rejoin()
    }
  }

  private func forgetDelay() {
    rejoinDelay = Self.leastRejoinDelay
    rejoinTimer?.cancel()
    rejoinTimer = nil
  }

  private func rejoin() {
    if isListing { return }
    // Nothing arrives without a connection.
    if shared.state == .offline { return rejoinLater() }
    shared.joinAnew()
    shared.runtime.settleGraph()
  }
}
