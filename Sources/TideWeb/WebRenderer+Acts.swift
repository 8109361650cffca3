import TideBindings
import TideGraph
import TideViews

// An act in a page applies to what the page showed at that time: the record of a control, the row
// of a cell, the text into which something was typed. Other viewers may have changed the app since.
//
//     event ──message──▶ frame ──▶ PageElement: record, row     the same: done by the view
//                                                               another: done to that, or refused
extension WebRenderer {
  /// Whether the event concerns the whole app, or a view that a person can reach.
  func canAct(_ event: PageEvent, in scene: Scene) -> Bool {
    event.view == PageTree.rootID || tree.view(event.view).map(scene.isReachable) ?? false
  }

  func perform(_ event: PageEvent, of viewer: PageViewer, in scene: Scene) {
    let act = Act(
      event: event, viewer: viewer, scene: scene,
      frame: event.message.map(viewer.frame) ?? .max,
      pressFrame: (event.pressMessage ?? event.message).map(viewer.frame) ?? .max)
    let element = event.view == PageTree.rootID ? nil : tree.element(event.view)
    let view = element?.view
    if event.isPress {
      let isRepeated = viewer.notePress(of: event.view, at: event.message)
      // The second click of a double click may come late for what the first one has removed.
      if isRepeated, view?.isOfRemovedRow == true { return }
      if !isRepeated, tree.hasLost(event.view) { tellLate(nil, act) }
    }
    let pressedAway = viewer.pressedAway
    viewer.pressedAway = nil
    // Any other act ends typing into a removed record.
    if event.kind.endsTyping {
      viewer.lost = nil
      for index in viewer.typed.indices { viewer.typed[index].isLeft = true }
      if event.view != viewer.focus, let left = viewer.person.focus {
        scene.endTyping(of: viewer.person, in: left)
      }
      tellLeftEntries(of: viewer, in: scene)
    }
    if let element, event.isAct { scene.withinBudget { tree.follow(element) } }
    switch event.kind {
    case .edit(let edit): enter(edit, act)
    case .draft(let text, let name): enter(draft: text, named: name, act)
    case .action(let action):
      guard let view, let element else { return }
      perform(action, on: view, element, act)
      // A press focuses its view, and its handler may move the focus elsewhere.
      if scene.focused !== view || scene.isFocusPending { viewer.pressedAway = event.view }
    case .key(let key):
      if view == nil && event.view != PageTree.rootID {
        // Escape leaves what has gone already.
        if tree.hasLost(event.view), key != Key(.escape) { tellLate(nil, act) }
        return
      }
      guard element.map({ isSame($0, act) }) ?? true, isOfSelection(key, element, act) else {
        return tellLate(view, act)
      }
      if !scene.perform(key, on: view) {
        performUntaken(key, on: view, of: viewer, in: scene)
      }
    case .hover(let id, let position):
      scene.hover(over: position == nil ? nil : tree.view(id), at: position)
    case .menu(let position):
      guard let view, let element else { return }
      guard isInSameRow(element, act) else { return tellLate(view, act) }
      guard let owner = scene.prepareContextMenu(of: view, at: position) else { return }
      viewer.menu = owner
    case .focus:
      if event.view == pressedAway {
        viewer.needsFocus = true
        break
      }
      // Focusing does not select a row that has replaced the one that the page showed.
      let isThere = element.map { isInSameRow($0, act) } ?? true
      if isThere { scene.focusByHand(view) }
      note(focus: view == nil || !isThere ? nil : event.view, of: viewer)
    case .print: printTables(scene, for: viewer)
    // Does nothing unless an inspector is picking a view.
    case .pick: scene.pick(view)
    case .rows(let range):
      guard view is RowsView else { return }
      viewer.rows[event.view] = range
      showRows(ofView: event.view)
    case .size(let size):
      viewer.size = size
      if follows(viewer) { resize(scene, to: viewer) }
    case .scroll(let offset):
      guard let view = view as? ScrollView, scene.isReachable(view) else { return }
      viewer.offsets[event.view] = offset
      view.follow(offset)
    }
    guard let element, let rows = view as? RowsView else { return }
    // The page already shows its own selection.
    rowsInUse.insert(event.view)
    element.followSelection(of: rows, in: tree.nextFrame, by: viewer)
  }

  /// An event of a viewer, and the frames that it refers to.
  private struct Act {
    let event: PageEvent
    let viewer: PageViewer
    let scene: Scene
    /// The frame that the page showed; nil if it is forgotten, `.max` for the current state.
    let frame: Int?
    /// The frame at the press that began a drag; equal to `frame` for other acts.
    let pressFrame: Int?
  }

  // MARK: Records and rows

  /// The record that a control showed; nil if unknown.
  private func record(of element: PageElement, _ act: Act) -> PageRecord? {
    guard let frame = act.frame else {
      return element.records.entries.count == 1 ? element.records.present : nil
    }
    return element.records[frame]
  }

  /// The value that a control would show for a record; nil if the record was removed.
  private func value(of record: ShownRecord, by view: View, _ act: Act) -> Value? {
    var value: Value?
    act.scene.withinBudget { if record.isThere { value = view.value(of: record) } }
    return value
  }

  private func isInSameRow(_ element: PageElement, _ act: Act) -> Bool {
    guard let cell = element.isCell ? element : element.cell, let present = cell.objects.present
    else { return true }
    guard let frame = act.frame else { return cell.objects.entries.count == 1 }
    return cell.objects[frame]?.isSame(as: present) ?? false
  }

  /// Whether a view still shows the record or row that the page showed.
  private func isSame(_ element: PageElement, _ act: Act) -> Bool {
    element.isControl
      ? record(of: element, act).map { $0 === element.records.present } ?? false
      : isInSameRow(element, act)
  }

  /// Whether a key that acts on the selected row would act on the row that the person saw selected.
  /// True for other keys.
  private func isOfSelection(_ key: Key, _ element: PageElement?, _ act: Act) -> Bool {
    guard let element, element.view is RowsView else { return true }
    switch key {
    case Key(.delete), Key(.enter), Key(.up, modifiers: .alt), Key(.down, modifiers: .alt):
      return element.isSelected(by: act.viewer, since: act.frame)
    default: return true
    }
  }

  /// The current index of a row, found by the cell that showed it in a frame; nil if it is gone or
  /// unknown.
  private func row(
    _ row: Int, _ number: Int, in frame: Int?, of view: View, _ act: Act
  ) -> Int? {
    guard let rows = view as? RowsView, act.event.cells.indices.contains(number),
      act.event.cells[number] != 0
    else { return row }
    guard let frame, let object = tree.object(ofCell: act.event.cells[number], in: frame)?.value
    else { return nil }
    var index: Int?
    act.scene.withinBudget { index = rows.row(showing: object, at: row) }
    return index
  }

  /// The action with the current indexes of its rows; nil if a row is gone.
  private func placed(_ action: ViewAction, on view: View, _ act: Act) -> ViewAction? {
    func place(_ row: Int) -> Int? { self.row(row, 0, in: act.frame, of: view, act) }
    return switch action {
    case .select(let row, let modifiers): place(row).map { .select(row: $0, modifiers) }
    case .open(let row): place(row).map { .open(row: $0) }
    case .setOpen(let isOpen, let row): place(row).map { .setOpen(isOpen, row: $0) }
    case .delete(let row): place(row).map { .delete(row: $0) }
    case .move(let row, let target): placedMove(row, to: target, of: view, act)
    case .choose(let index):
      if let title = act.event.title {
        view.choice(index, titled: title).map(ViewAction.choose)
      } else {
        action
      }
    default: action
    }
  }

  /// Moves the pressed row to the side of the target at which the page marked the drop: below a
  /// target that was further down, above one that was further up.
  private func placedMove(
    _ row: Int, to target: Int, of view: View, _ act: Act
  ) -> ViewAction? {
    guard let from = self.row(row, 0, in: act.pressFrame, of: view, act),
      let to = self.row(target, 1, in: act.frame, of: view, act)
    else { return nil }
    // The two rows may have changed their order since.
    if row < target, from > to { return .move(row: from, to: to + 1) }
    if row > target, from < to { return .move(row: from, to: to - 1) }
    return .move(row: from, to: to)
  }

  private func perform(_ action: ViewAction, on view: View, _ element: PageElement, _ act: Act) {
    if element.isControl {
      guard let record = record(of: element, act) else { return tellLate(view, act) }
      if record !== element.records.present {
        guard record.takesEntries, let action = placed(action, on: view, act) else {
          return tellLate(view, act)
        }
        return perform(action, on: record.record, by: view, act)
      }
    } else if !isInSameRow(element, act) {
      return tellLate(view, act)
    }
    guard let action = placed(action, on: view, act) else { return tell(.other, act) }
    act.scene.perform(action, on: view)
  }

  /// Applies an action to a record that the control no longer shows.
  private func perform(
    _ action: ViewAction, on record: ShownRecord, by view: View, _ act: Act
  ) {
    var value: Value?
    switch action {
    case .press:
      let held = self.value(of: record, by: view, act)
      if case .boolean(let flag)? = held { value = .boolean(!flag) }
    case .setValue(let number):
      if self.value(of: record, by: view, act) != nil {
        value = (view as? RangeView)?.entered(number)
      }
    case .choose(let index):
      if record.isThere { act.scene.withinBudget { value = view.enteredValue(ofChoice: index) } }
    case .setDate(let text):
      if let held = self.value(of: record, by: view, act) {
        value = view.enteredValue(ofDate: text, inPlaceOf: held)
      }
    default: break
    }
    guard let value, act.scene.enter(value, in: record, by: view) else {
      return tellLate(view, act)
    }
  }

  // MARK: Typing

  /// Applies an edit to the text for which it was typed.
  private func enter(_ edit: PageEdit, _ act: Act) {
    // Text that is typed after the record was removed continues the lost text.
    if let lost = act.viewer.lost, lost.isGone, lost.view == act.event.view {
      return tellUnwritten(edit, .gone, act)
    }
    guard let element = tree.element(act.event.view), let view = element.view as? TextInputView
    else { return tellUnwritten(edit, .gone, act) }
    guard let frame = act.frame, let record = record(of: element, act), let text = record.text
    else { return tellUnwritten(edit, .old, act) }
    guard act.scene.takesTyping(view) else { return tellUnwritten(edit, .notTaken, act) }
    noteTyping(in: act.event.view, for: record, act.viewer)
    if record.record.isOfNothing { return tellUnwritten(edit, .gone, act) }
    commitDrafts(besides: view, act)
    // What others had typed may have taken the record out of the rows.
    act.scene.withinBudget { tree.follow(element) }
    if view.hasLost(record.record) { return tellUnwritten(edit, .gone, act) }
    let isPresent = record === element.records.present
    if isPresent {
      // The person has seen the current text.
      act.scene.forgetLostEdit(of: view)
      text.follow(view.typedText ?? "", in: tree.nextFrame)
    } else {
      guard let held = value(of: record.record, by: view, act) else {
        return tellUnwritten(edit, .gone, act)
      }
      follow(held, in: text, by: view, act.scene)
    }
    let place: Int
    do {
      place = try act.viewer.enter(edit, in: text, at: frame, for: tree.nextFrame)
    } catch {
      if case .beyond = error { noteRefusal(of: act.viewer) }
      return tellUnwritten(edit, error == .tooLong ? .tooLong : .old, act)
    }
    tree.touch()
    let wanted = text.text
    var isTaken: Bool
    if isPresent {
      let caret = wanted.utf16.prefix(place).endIndex
      let count = wanted[..<caret].count
      isTaken = act.scene.perform(.edit(text: wanted, selection: count..<count), on: view)
      if isTaken, element.records.present === record,
        text.follow(view.typedText ?? wanted, in: tree.nextFrame, answering: act.viewer)
      {
        element.isStale = true
      }
      act.scene.withinBudget { tree.follow(element) }
      // The edit itself may have made the view show another record.
      if element.records.present !== record {
        let held = value(of: record.record, by: view, act)
        text.follow(held?.text ?? wanted, in: tree.nextFrame)
      }
      act.scene.withinBudget {
        // A draft is written when its author leaves the field.
        let isDraft = BindingTable.of(view.graph).holdsDraft(at: view)
        text.note(
          counterpart: isDraft ? nil : view.value(of: record.record),
          isUnwritten: view.holdsDraft && !isDraft)
      }
    } else {
      let entered =
        record.takesEntries && view.admits(wanted) ? entered(wanted, by: view, act) : nil
      isTaken = entered.map { act.scene.enter($0, in: record.record, by: view) } ?? false
      text.note(counterpart: value(of: record.record, by: view, act), isUnwritten: !isTaken)
      // The page keeps showing the refused text. The person is notified after leaving it.
      if !isTaken, record.takesEntries { return }
    }
    if !isTaken { tellUnwritten(edit, .notTaken, act) }
  }

  /// Commits what others have typed in other fields of the same record, so that no draft is written
  /// over a value that it is not based on.
  private func commitDrafts(besides view: View, _ act: Act) {
    let records = view.shownPassage.records
    for other in allViewers where other !== act.viewer {
      guard let field = other.person.focus as? TextInputView, field !== view,
        BindingTable.of(field.graph).holdsDraft(at: field)
      else { continue }
      let others = field.shownPassage.records
      if records.isEmpty || others.isEmpty || records.contains(where: others.contains) {
        act.scene.commitTyping(in: field, of: other.person)
      }
    }
  }

  private func entered(_ text: String, by view: View, _ act: Act) -> Value? {
    var value: Value?
    act.scene.withinBudget { value = view.enteredValue(text) }
    return value
  }

  /// Updates the text of a record that its field no longer shows to the record's value. The typed
  /// text stays if it converts to that value, or if the record refused it.
  private func follow(_ held: Value, in text: PageText, by view: View, _ scene: Scene) {
    scene.withinBudget {
      if view.enteredValue(text.text) == held {
        return text.note(counterpart: held, isUnwritten: false)
      }
      if text.isKept(for: held) { return }
      text.follow(view.typedText(of: held), in: tree.nextFrame)
    }
  }

  // MARK: Notices

  /// Notifies the person of an act for a record that was removed or replaced, and lists it.
  ///
  /// - Parameter view: the control; nil if it was removed with its record.
  private func tellLate(_ view: View?, _ act: Act) {
    tell(.other, act)
    act.scene.noteLatePress(of: view)
  }

  private func tell(_ notice: PageNotice, _ act: Act) {
    refuse(act.event.view, translate(notice.rawValue, 0), to: act.viewer)
  }

  /// Notifies the person that typed text was not stored, and shows all text that was lost in this
  /// field.
  private func tellUnwritten(_ edit: PageEdit, _ notice: PageNotice, _ act: Act) {
    let isSecret = tree.isSecret(act.event.view)
    let added = isSecret ? String(repeating: "•", count: edit.added.count) : edit.added
    let known = act.viewer.lost.flatMap { $0.view == act.event.view ? $0.text : nil }
    // Text that was entered before the record was removed is lost as well.
    let former = known ?? tree.view(act.event.view).flatMap { act.scene.lostEntry(of: $0) } ?? ""
    let lost = String((former + added).suffix(Self.mostTold))
    act.viewer.lost = (act.event.view, lost, isGone: notice == .gone)
    if lost.isEmpty { return tell(.other, act) }
    if notice == .gone {
      act.scene.noteLateEntry(lost, in: tree.view(act.event.view), continuing: known)
    }
    let reason = translate(notice.rawValue, PageLimits.message)
    refuse(act.event.view, "\(reason) \(lost)", to: act.viewer)
  }

  /// Notifies a viewer of refused entries that no page shows any more: the field was removed, or the
  /// viewer has since acted elsewhere and the field is hidden or shows another record.
  func tellLeftEntries(of viewer: PageViewer, in scene: Scene) {
    viewer.typed = viewer.typed.filter { entry in
      guard let text = entry.record.text, text.isUnwritten else { return false }
      if let element = tree.element(entry.view), let view = element.view {
        if !entry.isLeft || element.records.present === entry.record && view.isShown { return true }
        var held: Value?
        scene.withinBudget { held = view.value(of: entry.record.record) }
        if let held { follow(held, in: text, by: view, scene) }
        if !text.isUnwritten { return false }
      }
      tellRefused(entry, to: viewer)
      return false
    }
  }

  private func tellRefused(_ entry: PageViewer.TypedEntry, to viewer: PageViewer) {
    guard let text = entry.record.text?.text else { return }
    let shown = tree.isSecret(entry.view) ? String(repeating: "•", count: text.count) : text
    let notice = "\(translate(PageNotice.refused.rawValue, 0)) \(shown.suffix(Self.mostTold))"
    refuse(entry.view, notice, to: viewer)
  }

  /// Records that a viewer types for a record, and has left the records before it.
  private func noteTyping(in view: Int, for record: PageRecord, _ viewer: PageViewer) {
    viewer.typed.removeAll { $0.record === record || $0.record.text?.isUnwritten != true }
    for index in viewer.typed.indices { viewer.typed[index].isLeft = true }
    if viewer.typed.count == PageViewer.mostTyped {
      tellRefused(viewer.typed.removeFirst(), to: viewer)
    }
    viewer.typed.append(PageViewer.TypedEntry(view: view, record: record))
  }

  /// Restores a draft from a former run of the app to the field of the same record. If there is
  /// none, the page shows the draft to the person.
  private func enter(draft text: String, named name: String?, _ act: Act) {
    var field: PageElement?
    act.scene.withinBudget {
      field = name.flatMap { tree.field(ofDraft: $0, in: act.scene) }
    }
    if let field, let view = field.view {
      act.scene.focusByHand(view)
      act.viewer.needsFocus = true
      if act.scene.perform(.edit(text: text, selection: text.count..<text.count), on: view) {
        act.scene.withinBudget { tree.follow(field) }
        return
      }
    }
    if text.isEmpty { return }
    act.viewer.lostDrafts.append(text)
    let lost = act.viewer.lostDrafts.joined(separator: "\n").suffix(Self.mostTold)
    var wire = WireText()
    wire.array {
      $0.string("draft")
      $0.string("\(translate(PageNotice.anew.rawValue, 0))\n\(lost)\n")
    }
    send(wire, to: act.viewer)
    act.viewer.noteNotice(wire)
  }

  /// The most characters of lost text in a notice, because pasted text may be long.
  private static let mostTold = 10_000
}
