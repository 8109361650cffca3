import TideGraph

/// Decides when one direction of a binding carries its value:
///
///     change ─┐
///     trigger ─┴▶ when? ─▶ delay ─▶ throttle ─▶ frame ─▶ transfer
///
/// The first value does not wait. A delayed carry uses the source's value at the time of delivery.
/// It is dropped if the binding ends or the other end changes in the meantime.
final class Gate: TransformBody {
  unowned(unsafe) let table: BindingTable
  let transfer: BindingTransfer
  private let options: BindingOptions
  private let followsChanges: Bool
  /// Whether it carries from the target of a two-way binding to its source.
  let isBack: Bool
  let source: Slot
  let target: Slot
  /// Finds the field in which a user may be typing.
  private let editor: () -> (any TextEditing)?
  /// The binding's condition (`when`).
  var condition: GateCondition?
  weak var opposite: Gate?
  /// Set when the edge is made.
  var edge: EdgeIndex = 0

  private var isOpen = false
  /// A carry is due when the condition holds again.
  var isMissed = false
  /// A carry is due when the binding is enabled again.
  private var isOwed = false
  var waiting: (any ScheduledCall)?
  private var isAwaitingFrame = false
  var lastDelivery = -Double.infinity
  /// When its delay ends.
  var due: Double?
  /// The value that was waiting in a former gate whose delay this one continues. Its arrival here
  /// does not start the delay again.
  var resumedValue: Value?
  /// Orders waiting gates by when they began to wait.
  private(set) var waitNumber = 0
  /// The target's previous value and its key, for restoring; nil while nothing has been replaced.
  private var before: (value: Value, key: Destination.Key)?
  private var stopAwaitingEditor: (() -> Void)?
  /// The value that waits for a delay or the end of the typing, and the destination for which it
  /// was entered.
  private var entered: (value: Value, destination: Destination)?
  /// The text that the target had before the user began to type what waits.
  private var draftBase: String?
  /// Identifies the object whose value it carried last.
  private var holderMark = 0

  init(
    _ table: BindingTable, _ transfer: BindingTransfer, from source: Slot, to target: Slot,
    _ options: BindingOptions, isBack: Bool, editor: @escaping () -> (any TextEditing)?
  ) {
    self.table = table
    self.transfer = transfer
    self.options = options
    self.source = source
    self.target = target
    self.editor = editor
    self.isBack = isBack
    followsChanges = isBack || options.triggers == nil
    super.init()
    sharesTarget = true
  }

  // MARK: Arriving changes

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    let isFromOtherObject = isFromOtherObject()
    if isOpen {
      isOpen = false
      return carry()
    }
    if isOwed {
      isOwed = false
      return isActive ? carry() : miss()
    }
    guard followsChanges else { return false }
    if isFromOtherObject {
      // Carried without waiting, so that no pending value of the former object is mistaken for one
      // of the new object.
      opposite?.carryOutEntered()
      opposite?.cancel()
      cancel()
      return isActive ? carry() : miss()
    }
    if transfer.isRestricted, (try? transfer.withholds(edge, from: source, to: target)) == true {
      return false
    }
    if let resumedValue, isWaiting, resumedValue == source.load() { return false }
    // A value that was restored while the binding waited is not a change.
    if isBack, let opposite, opposite.isOwed, options.restoresValue { return false }
    do {
      if try !transfer.owesFirst && transfer.isEcho(from: source, to: target) {
        transfer.mend(edge)
        return false
      }
    } catch {
      if let pending = error as? PendingValue {
        transfer.wait(for: pending, edge, table.graph.owner(of: edge))
      }
      return false
    }
    if awaitsEditor() { return false }
    if opposite?.mergesDraft(with: transfer.presentedText(of: source)) == true { return false }
    return admit() ? carry() : false
  }

  /// Carries the value at once, because it is to be written in another language.
  func rewrite() -> Bool { isActive ? carry() : miss() }

  /// Whether the value belongs to another object than the previous one, or is the first.
  private func isFromOtherObject() -> Bool {
    let mark = transfer.holderMark
    if mark == 0 || mark == holderMark { return false }
    holderMark = mark
    return opposite != nil
  }

  /// Records the waiting value with its destination: the path may lead to another object before the
  /// delay has passed.
  private func noteEntered() {
    if !isWaiting, stopAwaitingEditor == nil { draftBase = editedText ?? draftBase }
    guard opposite != nil, transfer.nestedDestination != nil else { return }
    transfer.beginEditing(edge)
    entered = transfer.draftDestination(of: target).map { (source.load(), $0) }
  }

  /// The model's text, while a user is editing it at the source.
  private var editedText: String? {
    guard opposite != nil, editor()?.isBeingEdited == true else { return nil }
    return transfer.currentDestination(of: target)
      .flatMap { transfer.counterpart(of: $0, at: source)?.text }
  }

  /// Writes the waiting value to the object for which it was entered, even if the path leads to
  /// another one now.
  private func carryOutEntered() {
    guard isWaiting || stopAwaitingEditor != nil, let entered else { return }
    self.entered = nil
    if leads(to: entered.destination) { return deliver() }
    carry(entered)
  }

  /// A trigger has fired.
  func trigger() {
    guard table.graph.isEnabled(edge) else { return }
    if admit() { deliver() }
  }

  /// Carries the value now without any delay, unless the condition does not hold.
  func fire() {
    cancel()
    deliver()
  }

  /// Called when the target's path resolves to another object.
  func targetChanged() {
    if isWaiting || stopAwaitingEditor != nil, entered != nil {
      carryOutEntered()
      return cancel()
    }
    if isActive { _ = carry() } else { _ = miss() }
  }

  /// Carries the value once the binding is enabled.
  func postpone() {
    isOwed = true
    table.graph.markMissed(edge)
  }

  func conditionChanged(to isActive: Bool) {
    if isActive {
      guard isMissed else { return }
      isMissed = false
      return deliver()
    }
    if waiting != nil || isAwaitingFrame { isMissed = true }
    cancel()
    guard let replaced = takeValueBefore() else { return }
    isMissed = true
    table.putBack(replaced)
  }

  // MARK: Restoring

  /// Removes and returns the value to restore, because the binding ends or pauses; nil if there is
  /// none.
  func takeValueBefore() -> PendingRestores.Replaced? {
    guard let (value, key) = before else { return nil }
    before = nil
    var (successor, wasOnTop) = table.unpile(self, holding: value, at: key)
    guard let destination = transfer.currentDestination(of: target) else { return nil }
    // The source of a two-way binding already has the value that its target showed last.
    if successor?.opposite != nil { successor = nil }
    if successor == nil, !wasOnTop { return nil }
    return PendingRestores.Replaced(destination: destination, value: value, successor: successor)
  }

  /// Whether it has a value to restore.
  var isHoldingValueBefore: Bool { before != nil }

  func holdsValueBefore(at key: Destination.Key) -> Bool { before?.key == key }

  /// Replaces the value to restore by one that another gate held.
  func holdInstead(_ value: Value) { before?.value = value }

  /// Whether it is active and enabled, so that the target may show its value.
  var showsValue: Bool { isActive && table.graph.isEnabled(edge) }

  /// Takes over the value to be restored from the gate of a former binding with the same ends.
  func inheritValueBefore(of former: Gate) {
    guard let known = former.before, before?.key == known.key else { return }
    before = known
    table.pile(self, inPlaceOf: former, at: known.key)
  }

  /// Drops the waiting value.
  func cancel() {
    entered = nil
    draftBase = nil
    transfer.endEditing()
    waiting?.cancel()
    waiting = nil
    isAwaitingFrame = false
    stopAwaitingEditor?()
    stopAwaitingEditor = nil
  }

  // MARK: Waiting

  /// Whether it delays a value.
  var isWaiting: Bool { waiting != nil || isAwaitingFrame }

  /// Carries the delayed value now.
  func carryOutWaiting() {
    guard isWaiting else { return }
    waiting?.cancel()
    waiting = nil
    isAwaitingFrame = false
    guard let entered, !leads(to: entered.destination) else { return deliver() }
    carry(entered)
    cancel()
  }

  /// Whether it delays a value that will be written to the object for which it was entered, even if
  /// the path changes.
  var keepsDestination: Bool {
    isWaiting && stopAwaitingEditor == nil
      && (entered != nil || transfer.nestedDestination == nil)
  }

  var isActive: Bool { condition?.holds ?? true }

  private func miss() -> Bool {
    isMissed = true
    return false
  }

  /// Returns true if the value is to be carried now. Otherwise a later carry has been scheduled, or
  /// the condition does not hold.
  func admit() -> Bool {
    guard isActive else { return miss() }
    // The latest change wins, at either end.
    opposite?.giveDraftToFormer()
    opposite?.cancel()
    if options.delay > 0 {
      waiting?.cancel()
      return wait(options.delay) { $0.passDelay() }
    }
    return admitThrottled()
  }

  func passDelay() {
    if admitThrottled() { deliver() }
  }

  private func admitThrottled() -> Bool {
    if waiting != nil {
      noteEntered()
      return false
    }
    if options.throttle > 0, let clock = table.clock {
      let rest = lastDelivery + options.throttle - clock.now()
      if rest > 1e-9 { return wait(rest) { $0.passDelay() } }
      lastDelivery = clock.now()
    }
    return admitFrame()
  }

  private func admitFrame() -> Bool {
    guard options.delivery == .frame, let clock = table.clock else { return true }
    noteEntered()
    if isAwaitingFrame { return false }
    isAwaitingFrame = true
    waitNumber = table.nextWaitNumber()
    clock.beforeNextFrame { [weak self] in
      guard let self, isAwaitingFrame else { return }
      isAwaitingFrame = false
      deliver()
    }
    return false
  }

  /// Schedules a function. Returns true if waiting is impossible: there is no clock, or scheduling
  /// failed, which is listed.
  func wait(_ seconds: Double, _ body: @escaping (Gate) -> Void) -> Bool {
    noteEntered()
    resumedValue = nil
    waitNumber = table.nextWaitNumber()
    do {
      due = (table.clock?.now()).map { $0 + seconds }
      waiting = try table.clock?.schedule(after: seconds, repeating: false) { [weak self] in
        guard let self else { return }
        waiting = nil
        body(self)
      }
      return waiting == nil
    } catch {
      table.fail(table.graph.owner(of: edge), error)
      return true
    }
  }

  /// Whether a user is typing at the source; then the value is carried when the editing ends.
  func awaitsEditor() -> Bool {
    guard !options.isContinuous, let editor = editor(), editor.isBeingEdited else { return false }
    if options.validatesImmediately { transfer.check(edge, from: source, to: target) }
    if stopAwaitingEditor != nil {
      if let entered { self.entered = (source.load(), entered.destination) }
      return true
    }
    noteDraft()
    stopAwaitingEditor = editor.whenEditingEnds { [weak self] in
      guard let self else { return }
      stopAwaitingEditor = nil
      entered = nil
      transfer.endEditing()
      if !table.graph.isEnabled(edge) { return postpone() }
      if admit() { deliver() }
    }
    return true
  }

  // MARK: Drafts

  /// Records the destination and the original text of a new draft.
  private func noteDraft() {
    let destination = transfer.currentDestination(of: target)
    draftBase = destination.flatMap { transfer.counterpart(of: $0, at: source)?.text }
    if transfer.beginEditing(edge) { return }
    if opposite != nil, transfer.nestedDestination != nil {
      entered = transfer.draftDestination(of: target).map { (source.load(), $0) }
    }
  }

  /// Writes the draft to the object for which it was begun, if the path now leads to another object
  /// or to none.
  private func giveDraftToFormer() {
    guard stopAwaitingEditor != nil, let entered else { return }
    if !leads(to: entered.destination) { carryOutEntered() }
  }

  /// Whether the draft's path still leads to the draft's original destination.
  private func leads(to destination: Destination) -> Bool {
    transfer.draftDestination(of: target)?.isSame(as: destination) == true
  }

  /// Writes typed text to its original destination.
  private func carry(_ entered: (value: Value, destination: Destination)) {
    table.typing(draftBase != nil) {
      transfer.carry(entered.value, to: entered.destination, from: source, to: target)
    }
  }

  /// Merges the draft, or typed text that waits for a delay, with a new text of the target, so that
  /// no letter is lost; the user goes on typing in the merged text. Returns false without such a
  /// text, or if the target is another object.
  private func mergesDraft(with text: String?) -> Bool {
    guard stopAwaitingEditor != nil || isWaiting, let base = draftBase, let text,
      case .string(let draft) = source.load()
    else { return false }
    if let entered, !leads(to: entered.destination) { return false }
    draftBase = text
    let merged = base.merging(draft, text)
    if merged != draft { opposite?.transfer.put(.string(merged), into: source) }
    return true
  }

  // MARK: Wait state

  var isThrottled: Bool { options.throttle > 0 }

  /// The size of its condition in bytes. The graph counts the condition's two nodes.
  var conditionWeight: Int {
    condition.map { Graph.allocatedBytes(of: $0) + 4 * Graph.closureBytes } ?? 0
  }

  var wait: Wait {
    if stopAwaitingEditor != nil { return .editing }
    if waiting != nil || isAwaitingFrame { return .time }
    return isMissed ? .condition : .nothing
  }

  // MARK: Delivering

  func deliver() {
    guard table.graph.isEnabled(edge) else { return postpone() }
    guard isActive else { return _ = miss() }
    // Inside a batch a computed source may not be up to date; the transfer reports failures.
    try? table.graph.refresh(source)
    isOpen = true
    table.typing(draftBase != nil) { table.graph.fire(edge) }
    isOpen = false
    draftBase = nil
  }

  private func carry() -> Bool {
    if options.restoresValue && !isBack && before == nil,
      let destination = transfer.currentDestination(of: target)
    {
      before = (destination.value, destination.key)
      table.pile(self, at: destination.key)
    }
    return transfer.apply(edge, from: source, to: target)
  }
}

extension Gate: AwaitsValue {
  var isAwaitingValue: Bool { transfer.isWaiting }
}

/// A view in which the user can type. A binding can wait for the end of the editing.
package protocol TextEditing: AnyObject {
  var isBeingEdited: Bool { get }
  /// Calls a function once when the editing ends; the returned function cancels that.
  func whenEditingEnds(_ body: @escaping () -> Void) -> () -> Void
}
