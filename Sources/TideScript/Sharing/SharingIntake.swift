import TideGraph
import TideLua
import TideSystem

/// What others have written of a shared model, until the model has taken it over: as much in each
/// turn as that has time for.
///
///     engine ──▶ mailbox ──▶ backlog ──▶ replica, lists
///
/// It belongs to the runtime's owner, as the model does.
final class SharingIntake {
  private unowned let shared: SharedModel
  private var mailbox: SharingMailbox?
  private var backlog = SharingBacklog()
  private var timer: LoopTimer?
  /// Whether the app has no memory for more.
  private(set) var isStarved = false
  /// Whether all of what there is has come, and some of it waits.
  private var isCompletePending = false
  private var origin: SharingOrigin?
  /// How long the lists took for the last changes, beyond what each of those took.
  var listTime = Duration.zero

  /// What an engine reports beside changes.
  struct News {
    var state: SharingState?
    var error: String?
    var refusals: [(key: SharingKey, number: Int, reason: SharingRefusal)]
  }

  init(for shared: SharedModel) { self.shared = shared }

  deinit { timer?.cancel() }

  /// Takes what comes to a mailbox from now on.
  func open(_ mailbox: SharingMailbox) { self.mailbox = mailbox }

  /// Whether something has come that the model has not taken over.
  var hasWaiting: Bool { !backlog.isEmpty || isCompletePending || hasMail }

  private var hasMail: Bool { (mailbox?.heldBytes ?? 0) > 0 }

  /// Collects what has come; nil before there is a mailbox.
  func collect() -> News? {
    guard let contents = mailbox?.take(withChanges: backlog.heldBytes < capacity) else {
      return nil
    }
    if contents.isListing {
      backlog.removeAll()
      isCompletePending = false
      shared.replica.beginListing(isAnew: contents.hasBegunAnew)
    }
    backlog.add(contents.sortedChanges)
    if contents.isComplete {
      isCompletePending = true
      origin = contents.origin
    }
    return News(state: contents.state, error: contents.error, refusals: contents.refusals)
  }

  /// Has the model take over what fits into a turn, and comes back for the rest.
  func apply() {
    if !backlog.isEmpty, backlog.delay > 0 { return applyLater() }
    let part = backlog.take()
    if !part.isEmpty {
      isStarved = !hasMemory(for: part)
      if isStarved {
        backlog.putBack(part)
        return shared.showLater()
      }
      let start = ContinuousClock.now
      listTime = .zero
      shared.show(shared.replica.apply(part))
      for list in shared.lists.values { list.resolve() }
      backlog.adjustSize(
        after: part.count, in: ContinuousClock.now - start, fixed: listTime,
        rows: shared.replica.entries.count)
    }
    // Where changes were left in the mailbox, nobody says so again.
    if !backlog.isEmpty || hasMail {
      applyLater()
    } else if isCompletePending {
      isCompletePending = false
      shared.show(shared.replica.finishListing(origin))
      shared.resolveDefaults()
      shared.failures.update = nil
    }
  }

  private func applyLater() {
    if timer != nil { return }
    timer = shared.runtime.loop.after(backlog.delay, keepsRunning: false) { [weak self] in
      guard let self else { return }
      timer = nil
      shared.take()
    }
  }

  /// Bytes that may wait in the backlog.
  private var capacity: Int {
    let limit = shared.runtime.configuration.lua.memory
    return limit > 0 ? max(1 << 20, limit / 8) : 32 << 20
  }

  /// Whether there is memory for changes, with the elements that stand for them. A quarter of the
  /// app's memory stays for its scripts.
  private func hasMemory(for changes: [SharingChange]) -> Bool {
    let bytes = changes.reduce(0) { sum, change in
      sum + change.heldBytes * 3 + (change.bytes.map(SharedDocument.weightOfFields(in:)) ?? 0)
    }
    let limit = shared.runtime.configuration.lua.memory
    // Of all models together, since the memory is the app's.
    var held = shared.heldBytes
    for other in shared.runtime.declarations.sharedModels.values where other !== shared {
      held += other.heldBytes
    }
    if limit > 0, held * 3 + bytes > limit / 4 * 3 { return false }
    do throws(WorkError) { try WorkBudget.admit(bytes: bytes) } catch { return false }
    return true
  }
}
