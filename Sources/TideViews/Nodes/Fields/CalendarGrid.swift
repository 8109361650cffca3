import TideBindings

/// The month grid of a calendar with a movable day cursor; independent of views.
///
///     ‹    March 2026    ›
///     Su Mo Tu We Th Fr Sa
///      1  2  3  4  5  6  7
///
struct CalendarGrid {
  /// The day cursor, which keys move.
  private(set) var day: CalendarDay
  /// The selected day; nil for none.
  var chosen: CalendarDay?
  var today: CalendarDay
  var locale: FormatLocale
  /// The selectable days.
  var range: ClosedRange<CalendarDay> = .whole

  /// 7 columns of two digits; a heading, the weekdays and 6 weeks.
  static let size = Size(width: 20, height: 8)

  init(at day: CalendarDay, today: CalendarDay, _ locale: FormatLocale) {
    self.day = day
    self.today = today
    self.locale = locale
  }

  /// Moves the cursor to a day, or to the nearest selectable one.
  mutating func move(to day: CalendarDay) {
    self.day = max(range.lowerBound, min(day, range.upperBound))
  }

  /// Moves the cursor by a key; false for a key that does not move it.
  mutating func move(_ key: Key) -> Bool {
    switch key {
    case Key(.left): move(to: day.adding(days: -1))
    case Key(.right): move(to: day.adding(days: 1))
    case Key(.up): move(to: day.adding(days: -7))
    case Key(.down): move(to: day.adding(days: 7))
    case Key(.pageUp): move(to: day.adding(months: -1))
    case Key(.pageDown): move(to: day.adding(months: 1))
    case Key(.pageUp, modifiers: .control), Key(.pageUp, modifiers: .shift):
      move(to: day.adding(months: -12))
    case Key(.pageDown, modifiers: .control), Key(.pageDown, modifiers: .shift):
      move(to: day.adding(months: 12))
    case Key(.home): move(to: day.startOfWeek(from: locale.firstWeekday))
    case Key(.end): move(to: day.startOfWeek(from: locale.firstWeekday).adding(days: 6))
    case Key(.home, modifiers: .control): move(to: day.firstOfMonth)
    case Key(.end, modifiers: .control): move(to: day.lastOfMonth)
    case Key(Character("t")): move(to: today)
    default: return false
    }
    return true
  }

  // MARK: Drawing

  /// The first day shown.
  private var firstShown: CalendarDay { day.firstOfMonth.startOfWeek(from: locale.firstWeekday) }

  func draw(in area: Rect, _ canvas: Canvas, isFocused: Bool) {
    let style = canvas.style
    let symbols = canvas.symbols
    let area = Rect(
      x: area.x, y: area.y, width: min(area.width, Self.size.width),
      height: min(area.height, Self.size.height))
    if area.isEmpty { return }
    let title = TextLines.truncated(
      "\(locale.nameOfMonth(day.month)) \(day.year)", width: max(0, area.width - 4),
      ellipsis: symbols.ellipsis)
    let offset = Alignment.center.offset(CharacterWidth.of(title), in: area.width)
    canvas.write(
      title, x: area.x + offset, y: area.y, style: style.with(.bold), within: area)
    canvas.put(symbols.moreLeft, x: area.x, y: area.y, style: style)
    canvas.put(symbols.moreRight, x: area.maxX - 1, y: area.y, style: style)
    for column in 0..<7 {
      let heading = locale.headingOfWeekday((locale.firstWeekday + column) % 7)
      canvas.write(
        heading, x: area.x + column * 3 + max(0, 2 - CharacterWidth.of(heading)), y: area.y + 1,
        style: style.hint, within: area)
    }
    for week in 0..<6 {
      for column in 0..<7 {
        let shown = firstShown.adding(days: week * 7 + column)
        guard shown.month == day.month else { continue }
        let number = shown.day < 10 ? " \(shown.day)" : "\(shown.day)"
        canvas.write(
          number, x: area.x + column * 3, y: area.y + 2 + week,
          style: self.style(of: shown, style, isFocused: isFocused), within: area)
      }
    }
  }

  private func style(of shown: CalendarDay, _ style: CellStyle, isFocused: Bool) -> CellStyle {
    var style = range.contains(shown) ? style : style.hint
    if shown == today { style = style.with(.underline) }
    if shown == chosen { style = style.with(.bold) }
    if shown == day && isFocused { return style.chosen }
    return shown == chosen ? style.chosenWithoutFocus : style
  }

  // MARK: The mouse

  enum Hit {
    case day(CalendarDay)
    /// An arrow that changes the month.
    case months(Int)
  }

  func hit(at point: Point, in area: Rect) -> Hit? {
    let x = point.x - area.x
    let y = point.y - area.y
    guard x >= 0, x < Self.size.width, y >= 0, y < min(area.height, Self.size.height) else {
      return nil
    }
    if y == 0 { return x < 2 ? .months(-1) : x >= Self.size.width - 2 ? .months(1) : nil }
    guard y >= 2, x % 3 < 2 else { return nil }
    let shown = firstShown.adding(days: (y - 2) * 7 + x / 3)
    guard shown.month == day.month, range.contains(shown) else { return nil }
    return .day(shown)
  }
}

extension ClosedRange where Bound == CalendarDay {
  static var whole: Self { CalendarDay.first...CalendarDay.last }
}

/// The pop-up calendar of a date picker.
final class CalendarPane: PopUpView {
  var grid: CalendarGrid {
    didSet { setNeedsDraw() }
  }
  /// Called when the user selects a day with the mouse.
  var onChoose: (CalendarDay) -> Void = { _ in }

  init(_ grid: CalendarGrid) {
    self.grid = grid
    super.init(viewClass: PopUpView.popUpClass)
  }

  override var coversAnchor: Bool { false }

  override func naturalSize() -> Size { CalendarGrid.size }

  override func draw(in canvas: Canvas) {
    canvas.drawBorder()
    grid.draw(in: canvas.content, canvas, isFocused: true)
  }

  override func handle(_ mouse: MouseEvent) -> Bool {
    let hit = grid.hit(at: mouse.position, in: content)
    switch (mouse.kind, hit) {
    case (.press(.left), .months(let count)?): grid.move(to: grid.day.adding(months: count))
    case (.press(.left), .day(let day)?), (.drag(.left), .day(let day)?): grid.move(to: day)
    case (.release(.left), .day(let day)?): onChoose(day)
    case (.scroll(let rows), _): grid.move(to: grid.day.adding(months: rows > 0 ? 1 : -1))
    default: break
    }
    return true
  }

  private var content: Rect { Rect(layout.rect.size).inset(by: insets) }
}
