import TideBindings
import TideGraph

/// A date field with a pop-up calendar, or an inline calendar.
///
/// ```swift
/// let due = try ViewClasses().make("datePicker")
/// due[ViewKey<Double?>("value")] = 1_773_446_400
/// try due.set("display", "inline")
/// ```
///
/// `value` is in the unit of `date` transformers: seconds since the epoch, with the day in local
/// time, or in UTC if `utc` is set; nil while no date is entered. A new day keeps the previous time
/// of day, or gets midnight if there was none; with `showsTime` the time is entered as well. Dates
/// are formatted for the app's language, with a four-digit year, or by a `pattern` of `os.date`.
/// They can be typed in that format, with a two-digit year, and as `2026-03-14`.
///
/// Down, F4 and a click on the mark at the right open the calendar. In the calendar the arrows move
/// by days and weeks, PageUp and PageDown by months, or with Ctrl by years, Home and End to the
/// ends of the week, or with Ctrl of the month, and `t` moves to today. Enter, Space and a click
/// select; Escape, Tab and a click elsewhere close it without a selection. If `display` is
/// `inline`, the calendar is always visible, and the keys select at once. Days before `minimum` and
/// after `maximum` cannot be selected; if they are typed, they are errors. Each change of the value
/// sends `valueChanged`.
public final class DatePickerView: ValueFieldView {
  private var pane: CalendarPane?
  /// The entered time of day and the resulting value, if daylight saving skips that time on that
  /// day.
  private var skipped: (secondOfDay: Int, value: Int)?
  /// The cursor of an inline calendar while no date is selected.
  private var inlineDay: CalendarDay?

  /// Whether its calendar is open.
  public var isOpen: Bool { pane != nil }

  private var isInline: Bool { text(.display) == "inline" }

  /// 14 by 1 cells, or 20 with the time, and one more row for a message; inline 20 by 8.
  package override func naturalSize() -> Size {
    if isInline {
      return Size(
        width: CalendarGrid.size.width,
        height: CalendarGrid.size.height + (shownError == nil ? 0 : 1))
    }
    return Size(width: flag(.showsTime) ? 20 : 14, height: super.naturalSize().height)
  }

  // MARK: The date

  private var isUTC: Bool { flag(.utc) }
  private var showsTime: Bool { flag(.showsTime) }

  private func bound(_ property: ViewProperty) -> CalendarMoment? {
    peek(property, as: Double?.self).flatMap { CalendarMoment(seconds: $0, isUTC: isUTC) }
  }

  private var moment: CalendarMoment? { bound(.value) }

  /// The time of day that a newly entered day keeps.
  private var secondOfDay: Int {
    if let skipped, Int.exactly(peek(.value, as: Value.self)) == skipped.value {
      return skipped.secondOfDay
    }
    return moment?.secondOfDay ?? 0
  }

  /// The value of an entered moment.
  private func seconds(of entered: CalendarMoment) -> Int {
    let value = entered.seconds(isUTC: isUTC)
    let moment = CalendarMoment(seconds: Double(value), isUTC: isUTC)
    if moment?.secondOfDay != entered.secondOfDay { skipped = (entered.secondOfDay, value) }
    return value
  }

  private var today: CalendarDay {
    let now = BindingTable.of(graph).transformers.now()
    return CalendarMoment(seconds: now, isUTC: isUTC)?.day ?? CalendarDay(number: 0)
  }

  private var range: ClosedRange<CalendarDay> {
    let first = bound(.minimum)?.day ?? .first
    return first...max(first, bound(.maximum)?.day ?? .last)
  }

  override var reformattingProperties: [ViewProperty] { [.pattern, .showsTime, .utc] }
  override var emptyMessage: String { words("Enter a date") }

  private var ownPattern: String? {
    let pattern = peek(.pattern, as: String?.self)
    return pattern == "" ? nil : pattern
  }

  private func pattern(_ locale: FormatLocale) -> String {
    if let ownPattern { return ownPattern }
    return showsTime ? locale.fullDate + " %H:%M" : locale.fullDate
  }

  override func text(of value: Value) -> String {
    guard let seconds = Double?.make(from: value) ?? nil,
      let moment = CalendarMoment(seconds: seconds, isUTC: isUTC)
    else { return value.text ?? "" }
    let locale = language.current
    return moment.text(pattern(locale), locale)
  }

  private func text(of moment: CalendarMoment) -> String {
    let locale = language.current
    return moment.text(pattern(locale), locale)
  }

  override func entry(_ text: String) -> Entry {
    let locale = language.current
    let timed = locale.typedDates.map { $0 + " %H:%M" }
    let own = ownPattern.map { [$0] } ?? []
    var read: CalendarMoment?
    if showsTime {
      read = CalendarMoment.read(
        text, patterns: own + timed + timed.map { $0 + ":%S" } + locale.typedDates, locale)
    } else if let date = CalendarMoment.read(text, patterns: own + locale.typedDates, locale) {
      read = CalendarMoment(day: date.day, secondOfDay: secondOfDay)
    }
    guard let read else {
      let example = CalendarDay(year: 2026, month: 3, day: 14).map {
        self.text(of: CalendarMoment(day: $0, secondOfDay: 45_000))
      }
      return .wrong(
        words("Enter a date such as %s", example ?? ""), isRead: false, mayBecomeRight: true)
    }
    if let fault = fault(of: read) { return .wrong(fault, isRead: true, mayBecomeRight: false) }
    if !showsTime { return .value(.integer(seconds(of: read))) }
    let value = read.seconds(isUTC: isUTC)
    if value != skipped?.value { skipped = nil }
    return .value(.integer(value))
  }

  /// The error message for a date outside the bounds; nil if it is within them.
  private func fault(of entered: CalendarMoment) -> String? {
    func key(_ moment: CalendarMoment) -> Int {
      showsTime ? moment.seconds(isUTC: true) : moment.day.number
    }
    if let minimum = bound(.minimum), key(entered) < key(minimum) {
      return words("Enter %s or later", text(of: minimum))
    }
    if let maximum = bound(.maximum), key(entered) > key(maximum) {
      return words("Enter %s or earlier", text(of: maximum))
    }
    return nil
  }

  /// Selects a day on behalf of the user.
  private func choose(_ day: CalendarDay) {
    var chosen = CalendarMoment(day: day, secondOfDay: secondOfDay)
    // The previous time of day may be outside the bounds on the first or last day.
    if showsTime {
      if let minimum = bound(.minimum), minimum.day == day {
        chosen.secondOfDay = max(chosen.secondOfDay, minimum.secondOfDay)
      }
      if let maximum = bound(.maximum), maximum.day == day {
        chosen.secondOfDay = min(chosen.secondOfDay, maximum.secondOfDay)
      }
    }
    change(to: .integer(seconds(of: chosen)))
  }

  private var plainPattern: String { showsTime ? "%Y-%m-%dT%H:%M" : "%Y-%m-%d" }

  override func describe(_ description: inout ViewDescription) {
    let locale = language.current
    description.dates = [.value, .minimum, .maximum].map { property in
      bound(property)?.text(plainPattern, locale) ?? ""
    }
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .setDate(let text) = action else { return super.perform(action) }
    guard flag(.editable) else { return false }
    followText()
    if text.isEmpty {
      guard flag(.allowsEmpty) else { return false }
      change(to: .null)
      return true
    }
    guard let moment = read(text) else { return false }
    if showsTime { change(to: .integer(moment.seconds(isUTC: isUTC))) } else { choose(moment.day) }
    return true
  }

  private func read(_ text: String) -> CalendarMoment? {
    CalendarMoment.read(text, patterns: [plainPattern], language.current).flatMap {
      fault(of: $0) == nil ? $0 : nil
    }
  }

  /// The value that a typed date gives to a record that the view no longer shows.
  func entered(_ text: String, inPlaceOf held: Value) -> Value? {
    if text.isEmpty { return flag(.allowsEmpty) ? .some(.null) : nil }
    guard var entered = read(text) else { return nil }
    func moment(of value: Value) -> CalendarMoment? {
      Int.exactly(value).flatMap { CalendarMoment(seconds: Double($0), isUTC: isUTC) }
    }
    if !showsTime, let former = moment(of: held) {
      entered.secondOfDay = former.secondOfDay
    }
    return .integer(entered.seconds(isUTC: isUTC))
  }

  // MARK: The calendar

  private func makeGrid(at day: CalendarDay? = nil) -> CalendarGrid {
    let chosen = moment?.day
    let today = today
    var grid = CalendarGrid(at: today, today: today, language.current)
    grid.chosen = chosen
    grid.range = range
    grid.move(to: day ?? chosen ?? today)
    return grid
  }

  /// Opens the calendar at the current date, or at today.
  public func open() {
    guard let scene, pane == nil, !isInline, flag(.editable), beginsEdit() else { return }
    followText()
    let pane = CalendarPane(graph.untracked { makeGrid() })
    pane.onChoose = { [weak self] day in
      self?.close()
      self?.choose(day)
    }
    pane.onClose = { [weak self] in
      self?.pane = nil
      self?.setNeedsDraw()
    }
    self.pane = pane
    pane.open(at: self, in: scene)
    setNeedsDraw()
  }

  /// Closes the calendar; the date stays.
  public func close() { pane?.close() }

  override var openPopUps: OpenPopUps? { pane.map { OpenPopUps(day: $0.grid.day) } }

  override func reopen(_ popUps: OpenPopUps) {
    open()
    if let day = popUps.day { pane?.grid.move(to: day) }
  }

  package override func focusChanged(_ isFocused: Bool) {
    if !isFocused { close() }
    if isInline {
      if !isFocused { inlineDay = nil }
      setNeedsDraw()
    }
    super.focusChanged(isFocused)
  }

  // MARK: Input

  package override func handle(_ key: Key) -> Bool {
    if isInline { return handleInline(key) }
    if let pane { return handle(key, with: pane) }
    switch key {
    case Key(.down), Key(.down, modifiers: .alt), Key(.function(4)):
      guard flag(.editable) else { return false }
      open()
      return true
    default: return super.handle(key)
    }
  }

  private func handle(_ key: Key, with pane: CalendarPane) -> Bool {
    switch key {
    case Key(.enter), Key(.space):
      let day = pane.grid.day
      close()
      if pane.grid.range.contains(day) { choose(day) }
    case Key(.escape): close()
    case Key(.tab), Key(.tab, modifiers: .shift):
      close()
      return false
    default:
      if pane.grid.move(key) { return true }
      // A typed character closes the calendar and edits the text.
      if key.text == nil && key != Key(.backspace) && key != Key(.delete) { return true }
      close()
      return super.handle(key)
    }
    return true
  }

  private func handleInline(_ key: Key) -> Bool {
    if key == Key(.backspace) || key == Key(.delete) {
      guard flag(.editable), flag(.allowsEmpty) else { return false }
      inlineDay = nil
      change(to: .null)
      return true
    }
    var grid = makeGrid(at: inlineDay)
    if key == Key(.space) {
      guard flag(.editable) else { return false }
    } else if !flag(.editable) || !grid.move(key) {
      return false
    }
    inlineDay = grid.day
    choose(grid.day)
    setNeedsDraw()
    return true
  }

  package override func handlePaste(_ text: String) -> Bool {
    isInline ? false : super.handlePaste(text)
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    if isInline { return handleInline(mouse) }
    if mouse.kind == .press(.left), isMark(mouse.position) {
      open()
      return true
    }
    return super.handle(mouse)
  }

  private func handleInline(_ mouse: MouseEvent) -> Bool {
    guard flag(.editable) else { return false }
    var grid = makeGrid(at: inlineDay)
    switch mouse.kind {
    case .press(.left):
      switch grid.hit(at: mouse.position, in: content) {
      case .day(let day)?:
        inlineDay = day
        choose(day)
      case .months(let count)?:
        grid.move(to: grid.day.adding(months: count))
        inlineDay = grid.day
      case nil: break
      }
    case .scroll(let rows):
      guard flag(.focused) else { return false }
      grid.move(to: grid.day.adding(months: rows > 0 ? 1 : -1))
      inlineDay = grid.day
    case .drag(.left), .release(.left): break
    default: return false
    }
    setNeedsDraw()
    return true
  }

  override func reservedWidth(in width: Int) -> Int {
    !isInline && width >= 6 && flag(.editable) ? 2 : 0
  }

  private func isMark(_ point: Point) -> Bool {
    let area = content
    return reservedWidth(in: area.width) > 0 && point.y == area.y && point.x == area.maxX - 1
  }

  // MARK: Drawing

  package override var caret: Point? { isInline ? nil : super.caret }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if isInline {
      followText()
      let grid = graph.untracked { makeGrid(at: inlineDay) }
      grid.draw(in: area, canvas, isFocused: flag(.focused))
      if area.height > CalendarGrid.size.height {
        drawMessage(
          in: Rect(
            x: area.x, y: area.y + CalendarGrid.size.height, width: area.width, height: 1), canvas)
      }
      return
    }
    super.draw(in: canvas)
    if area.isEmpty || reservedWidth(in: area.width) == 0 { return }
    canvas.put(
      canvas.symbols.moreBelow, x: area.maxX - 1, y: area.y,
      style: isOpen ? canvas.style.focused : canvas.style)
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? DatePickerView { inlineDay = old.inlineDay }
  }
}
