import TideBindings
import TideGraph

// User input simulated by tests, with mouse and keys. It fails wherever a user could not act.
extension Scene {
  /// Clicks a visible view with the left button.
  ///
  /// - Throws: `unknownView` with the reason why a user could not click the view.
  package func tap(_ view: View, _ modifiers: Key.Modifiers = [], times: Int = 1) throws {
    for clicks in 1...max(1, times) {
      try checkReach(view)
      let point = try pointToTap(view)
      for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
        send(.mouse(MouseEvent(kind, at: point, modifiers: modifiers, clicks: clicks)))
      }
    }
  }

  /// Presses the left button on a visible view, moves the mouse cell by cell, and releases the
  /// button.
  ///
  /// - Parameter end: the distance to move, or the view over which to release the button.
  /// - Throws: `unknownView` with the reason why a user could not drag the view.
  package func drag(_ view: View, to end: DragEnd, _ modifiers: Key.Modifiers = []) throws {
    try checkReach(view)
    let goal: Point
    let start: Point
    switch end {
    case .offset(let columns, let rows):
      start = try pointToTap(view)
      goal = Point(
        x: min(max(0, start.x + columns), size.width - 1),
        y: min(max(0, start.y + rows), size.height - 1))
    case .view(let target):
      try checkReach(target)
      _ = try pointToTap(target)
      start = try pointToTap(view)
      let area = target.layout.visible
      guard !area.isEmpty else {
        throw TideError(
          .unknownView,
          "\(view.callName) and \(target.callName) do not show at once in "
            + "\(size.width)x\(size.height); mount in a larger size")
      }
      goal = Point(x: area.x + (area.width - 1) / 2, y: area.y + (area.height - 1) / 2)
    }
    func send(_ kind: MouseEvent.Kind, _ point: Point) {
      self.send(.mouse(MouseEvent(kind, at: point, modifiers: modifiers)))
    }
    send(.press(.left), start)
    let steps = max(abs(goal.x - start.x), abs(goal.y - start.y))
    for step in 0..<steps {
      let part = Double(step + 1) / Double(steps)
      send(
        .drag(.left),
        Point(
          x: start.x + Int((Double(goal.x - start.x) * part).rounded()),
          y: start.y + Int((Double(goal.y - start.y) * part).rounded())))
    }
    send(.release(.left), goal)
  }

  /// The end of a drag.
  package enum DragEnd {
    case offset(columns: Int, rows: Int)
    case view(View)
  }

  /// Turns the wheel over a visible view; returns whether the event was handled.
  ///
  /// - Throws: `unknownView` with the reason why a user could not reach the view.
  package func turnWheel(over view: View, rows: Int, columns: Int) throws -> Bool {
    try checkReach(view)
    let point = try pointToTap(view)
    var isTaken = false
    for (kind, count) in [
      (MouseEvent.Kind.scroll(rows), rows), (.scrollSideways(columns), columns),
    ] where count != 0 {
      if send(.mouse(MouseEvent(kind, at: point))) { isTaken = true }
    }
    return isTaken
  }

  /// The visible views that have a title, by title. If several views have the same title, those
  /// blocked by a dialog are excluded.
  package var shownViewsByTitle: [String: [View]] {
    var found: [String: [View]] = [:]
    var rest = [window] + presented
    while let view = rest.popLast() {
      if view.flag(.hidden) || view.parent?.hidesSubview(view) == true { continue }
      let title = view[.title]
      if !title.isEmpty { found[title, default: []].append(view) }
      rest += view.subviews
    }
    return found.mapValues { views in
      let reachable = views.filter { !floats.isBlocked($0) }
      return reachable.isEmpty ? views : reachable
    }
  }

  /// Moves the mouse over a visible view; nil moves it away from all views.
  ///
  /// - Throws: `unknownView` with the reason why a user could not reach the view.
  package func moveMouse(over view: View?) throws {
    guard let view else {
      send(.mouse(MouseEvent(.move, at: Point(x: size.width, y: size.height))))
      return
    }
    try checkReach(view)
    send(.mouse(MouseEvent(.move, at: try pointToTap(view))))
  }

  /// Clicks a visible view with the right button; with a title, also chooses that item of the menu
  /// that opens.
  ///
  /// - Throws: `unknownView` with the reason why a user could not reach the view, or if no menu
  ///   opens or it has no such item.
  package func openContextMenu(of view: View, taking title: String?) throws {
    try checkReach(view)
    let point = try pointToTap(view)
    send(.mouse(MouseEvent(.press(.right), at: point)))
    send(.mouse(MouseEvent(.release(.right), at: point)))
    guard let menu = input.contextMenu else {
      throw TideError(.unknownView, "\(view.callName) has no context menu")
    }
    guard let title else { return }
    let titles = menu.items.map(\.title)
    guard let index = titles.firstIndex(of: title) else {
      throw TideError(
        .badArgument,
        "the context menu of \(view.callName) has no item \"\(title.inMessage)\""
          + NearestName.hint(for: title, in: titles))
    }
    guard menu.items[index].isEnabled else {
      throw TideError(.unknownView, "the item \"\(title.inMessage)\" is disabled")
    }
    try commit()
    menu.menu.take(index, in: 0, nil)
  }

  /// Moves the focus to a view.
  ///
  /// - Throws: `unknownView` with the reason why the view cannot have the focus.
  package func focusForTyping(_ view: View, isToType: Bool) throws {
    try checkReach(view)
    if isToType, view is TextInputView, !view.flag(.editable) {
      throw TideError(.unknownView, "\(view.callName) is not editable")
    }
    guard focus(view) else {
      throw TideError(.unknownView, "\(view.callName) is not focusable")
    }
  }

  /// Moves the focus to a view for typing. Text that is typed there is appended.
  ///
  /// - Throws: `unknownView` with the reason why nobody can type there.
  package func focusToType(into view: View) throws {
    let former = focused
    try focusForTyping(view, isToType: true)
    // A focused text area shows its beginning, so the caret may be there.
    if let area = focused as? TextAreaView, area !== former, area.caretIndex == 0 {
      area.caretIndex = area.text.count
    }
  }

  /// Selects a row of a list, table, tree or collection, an item of a picker or radio, a tab, or an
  /// item of a menu: of the open list, or else of the bar.
  ///
  /// - Parameter index: counts from 0; in messages it counts from 1, as in scripts.
  package func choose(_ index: Int, of view: View, _ modifiers: Key.Modifiers = []) throws {
    try checkReach(view)
    let count: Int
    switch view {
    case let rows as RowsView:
      rows.followItems()
      count = rows.count
    case let choice as ChoosingView:
      choice.followItems()
      count = choice.count
    case let tabs as TabsView: count = tabs.subviews.count
    case let menu as MenuView: count = menu.choiceCount
    default:
      throw TideError(
        .badArgument,
        "\(view.callName) has nothing to select: only lists, tables, trees, collections, pickers, "
          + "radios, tabs and menus do")
    }
    guard index >= 0, index < count else {
      let range = count == 0 ? "it is empty" : "there are 1 to \(count)"
      throw TideError(.badArgument, "\(view.callName) has no number \(index.number): \(range)")
    }
    // Keeps the rows in place until the selection is made, even if an edit loses the focus.
    input.depth += 1
    defer {
      input.depth -= 1
      if input.depth == 0 { settleRecordEdits(afterInput: true) }
    }
    if canFocus(view) { focus(view) }
    var result = Result<Void, any Error>.success(())
    perform(PersonInput(gesture: input.nextGesture())) {
      result = acting(as: person ?? user) {
        asAct("a choice in \(view.actedName)") {
          Result { try choose(index, in: view, modifiers) }
        }
      }
    }
    try result.get()
  }

  private func choose(_ index: Int, in view: View, _ modifiers: Key.Modifiers) throws {
    switch view {
    case let rows as RowsView:
      guard rows.mode != .none else {
        throw TideError(.badArgument, "\(view.callName) lets nothing be selected")
      }
      rows.press(index, modifiers)
    case let choice as ChoosingView: choice.choose(index, nil)
    case let tabs as TabsView: tabs.choose(index)
    case let menu as MenuView:
      guard menu.choose(index) else {
        throw TideError(.unknownView, "number \(index.number) of \(view.callName) is disabled")
      }
    default: break
    }
  }

  /// Throws the reason why a user could not reach a view.
  private func checkReach(_ view: View) throws {
    guard view.scene === self else {
      throw TideError(.unknownView, "\(view.callName) is not shown")
    }
    var current: View? = view
    while let each = current {
      let which = each === view ? view.callName : "\(view.callName) is in \(each.callName), which"
      if each.flag(.hidden) { throw TideError(.unknownView, "\(which) is hidden") }
      if !each.flag(.enabled) { throw TideError(.unknownView, "\(which) is disabled") }
      if let above = each.parent, above.hidesSubview(each) {
        throw TideError(
          .unknownView, "\(which) does not show: \(above.callName) shows another part")
      }
      current = each.parent
    }
    if floats.isBlocked(view), let modal = floats.modal {
      throw TideError(.unknownView, "\(view.callName) is behind \(modal.callName)")
    }
  }

  /// A point at which the mouse hits the view, after scrolling to it if necessary.
  private func pointToTap(_ view: View) throws -> Point {
    var ancestor = view.parent
    while let above = ancestor {
      above.reveal(view.layout.rect)
      ancestor = above.layout.isFloating ? nil : above.parent
    }
    try commit()
    let area = view.layout.visible
    guard !area.isEmpty else {
      throw TideError(
        .unknownView,
        "\(view.callName) has no room in \(size.width)x\(size.height); mount in a larger size")
    }
    var within: Point?
    for point in area.points where !isCovered(point, of: view) {
      let hit = self.view(at: point)
      if hit === view { return point }
      if within == nil && hit.isWithin(view) { within = point }
    }
    guard let within else {
      throw TideError(.unknownView, "\(view.callName) is covered by something that floats above it")
    }
    return within
  }
}

extension InputEvent {
  /// The event of a character that somebody types.
  package init(typing character: Character) {
    self =
      switch character {
      case "\n", "\r\n": .key(Key(.enter))
      case "\t": .key(Key(.tab))
      default:
        character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
          ? .key(Key(character)) : .paste(String(character))
      }
  }

  /// The event of a pasted text, with line ends as a terminal sends them.
  package static func pasting(_ text: String) -> InputEvent {
    .paste(String(text.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 }))
  }
}

extension View {
  /// Its name in messages: the class and the id.
  package var callName: String {
    displayName.map { "the \(viewClass.name) \"\($0)\"" } ?? "the \(viewClass.name)"
  }

  /// Its name in messages, with the nearest superview that has an id, to distinguish it from others
  /// of its class.
  package var callNameWithin: String {
    var around = parent
    while let view = around, view.displayName == nil { around = view.parent }
    return callName + (around.map { " in \($0.callName)" } ?? "")
  }
}

extension Rect {
  /// All points, the centre first.
  fileprivate var points: [Point] {
    var points = [Point(x: x + (width - 1) / 2, y: y + (height - 1) / 2)]
    for row in y..<maxY {
      for column in x..<maxX { points.append(Point(x: column, y: row)) }
    }
    return points
  }
}
