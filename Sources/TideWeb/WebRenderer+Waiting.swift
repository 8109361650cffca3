import TideSystem

// Acts are carried out as they arrive, until their viewer has used up its share of time. The
// viewer's later acts wait, so that acts of other viewers are carried out in between.
extension WebRenderer {
  /// Carries out an act of a viewer, or queues it.
  func perform(_ act: ActQueue.Act, of viewer: PageViewer) {
    if later == nil || acts.admits(viewer) { return carryOut(act, of: viewer) }
    acts.add(act, of: viewer)
    planWaitingActs()
  }

  private func carryOut(_ act: ActQueue.Act, of viewer: PageViewer) {
    act.connection.noteRead(act.bytes)
    if act.connection.isClosing { return }
    let start = acts.begin()
    take(act.bytes, of: viewer)
    acts.note(actOf: viewer, since: start)
  }

  private func planWaitingActs() {
    if hasPlannedActs { return }
    hasPlannedActs = true
    later? { [weak self] in self?.performSomeWaitingActs() }
  }

  /// Carries out as many acts as fit into a turn's share, and at least one.
  private func performSomeWaitingActs() {
    hasPlannedActs = false
    let end = acts.begin() + Self.timeOfTurn
    repeat {
      guard let (act, viewer) = acts.next() else { return }
      carryOut(act, of: viewer)
    } while acts.begin() < end
    if !acts.isEmpty { planWaitingActs() }
  }

  /// In seconds per turn, the same as for work that is posted to a loop.
  private static let timeOfTurn = 0.002

  /// Carries out all waiting acts, before the values of an app that ends are saved.
  func performAllWaitingActs() {
    while let (act, viewer) = acts.next() { carryOut(act, of: viewer) }
  }

  /// Drops the waiting acts of a viewer who has left, except typed text. The page is notified when
  /// it returns, unless it sends all of these acts again itself.
  func dropWaitingActs(of viewer: PageViewer) {
    var dropped = false
    var wantsNotice = false
    for act in acts.takeAll(of: viewer) {
      guard let event = try? PageEvent(act.bytes), event.number > viewer.lastDone else { continue }
      if event.isTyped {
        if dropped { wantsNotice = true }
        acts.add(act, of: viewer)
      } else if event.isAct, !event.isFocus {
        dropped = true
      }
    }
    if wantsNotice { report(translate(PageNotice.left.rawValue, 0), to: viewer) }
  }
}

extension PageEvent {
  fileprivate var isTyped: Bool {
    switch kind {
    case .edit, .draft: true
    default: false
    }
  }
  fileprivate var isFocus: Bool { if case .focus = kind { true } else { false } }
}
