import TideBindings
import TideGraph

/// A field that edits a number.
///
/// ```swift
/// let copies = try ViewClasses().make("numberField")
/// copies[ViewKey<Double?>("minimum")] = 1
/// copies[ViewKey<Int?>("decimals")] = 0
/// ```
///
/// It edits like a ``FieldView``. Its number is in `value`, nil while it is empty. Up and Down, the
/// wheel while it has the focus, and a click on the arrows at its right change the number by
/// `step`, PageUp and PageDown by ten steps, within `minimum` and `maximum`; a typed number outside
/// these bounds is an error. Numbers are parsed and formatted for the app's language, with at most
/// `decimals` decimals, and in groups of three digits if `grouped` is set. Each change of the
/// number sends `valueChanged`.
public final class NumberFieldView: ValueFieldView {
  private enum Part { case more, less }
  private var pressed: Part?

  /// Its number; nil while it is empty.
  public var value: Double? {
    get { self[ViewKey<Double?>(ViewProperty.value)] }
    set { self[ViewKey<Double?>(ViewProperty.value)] = newValue }
  }

  /// 12 by 1 cells, and one more row for a message.
  package override func naturalSize() -> Size {
    Size(width: 12, height: super.naturalSize().height)
  }

  // MARK: The number

  private var decimals: Int? { peek(.decimals, as: Int?.self).map { max(0, min($0, 30)) } }
  private var minimum: Double? { bound(.minimum) }
  /// A maximum below the minimum counts as the minimum; otherwise every number would be invalid.
  private var maximum: Double? {
    guard let maximum = bound(.maximum) else { return nil }
    return minimum.map { max($0, maximum) } ?? maximum
  }

  private func bound(_ property: ViewProperty) -> Double? {
    peek(property, as: Double?.self).flatMap { $0.isNaN ? nil : $0 }
  }

  override var reformattingProperties: [ViewProperty] { [.decimals, .grouped] }
  override var emptyMessage: String { words("Enter a number") }

  override func text(of value: Value) -> String {
    language.current.text(ofNumber: value, decimals: decimals, isGrouped: flag(.grouped))
  }

  override func entry(_ text: String) -> Entry {
    let locale = language.current
    guard let number = locale.number(in: text), let amount = Double?.make(from: number) ?? nil
    else {
      let mayBecomeRight = locale.isBeginOfNumber(text)
      return .wrong(emptyMessage, isRead: false, mayBecomeRight: mayBecomeRight)
    }
    if let decimals, countOfDecimals(number) > decimals {
      let message =
        decimals == 0
        ? words("Enter a whole number")
        : words(
          decimals == 1 ? "Enter at most %s decimal" : "Enter at most %s decimals", "\(decimals)")
      return .wrong(message, isRead: true, mayBecomeRight: false)
    }
    if let minimum, amount < minimum {
      return .wrong(
        words("Enter %s or more", self.text(of: shown(minimum))), isRead: true,
        mayBecomeRight: amount >= 0)
    }
    if let maximum, amount > maximum {
      return .wrong(
        words("Enter %s or less", self.text(of: shown(maximum))), isRead: true,
        mayBecomeRight: amount <= 0 && text.contains("-"))
    }
    return .value(number)
  }

  /// The value of a bound, which may have more decimals than an entry.
  private func shown(_ bound: Double) -> Value { stored(bound) }

  private func countOfDecimals(_ number: Value) -> Int {
    guard case .number(let amount) = number else { return 0 }
    if amount == amount.rounded() { return 0 }
    let text = number.text ?? ""
    // A number written with an exponent is tiny.
    if text.contains("e") { return Int.max }
    return text.split(separator: ".").dropFirst().first?.count ?? 0
  }

  private func stored(_ number: Double) -> Value {
    number == number.rounded() && abs(number) < 1e15 ? .integer(Int(number)) : .number(number)
  }

  /// Moves by steps, from the typed number or else from the value.
  private func move(by steps: Double) {
    guard flag(.editable) else { return }
    followText()
    let read = language.current.number(in: text(.text))
    let typed = read.flatMap { Double?.make(from: $0) ?? nil }
    var step = peek(.step, as: Double.self)
    if !(step > 0 && step.isFinite) { step = 1 }
    if moveWhole(from: read ?? peek(.value, as: Value.self), by: steps * step) { return }
    let start = typed ?? peek(.value, as: Double?.self) ?? 0
    guard start.isFinite else { return }
    var number = start + steps * step
    // Removes the rounding error of sums of decimal fractions.
    if abs(number) < 1e5 { number = (number * 1e10).rounded() / 1e10 }
    if let decimals, decimals < 16, abs(number) < 1e5 {
      let scale = Self.powerOfTen(decimals)
      number = (number * scale).rounded() / scale
    }
    if let maximum { number = min(number, maximum) }
    if let minimum { number = max(number, minimum) }
    guard number.isFinite else { return }
    change(to: stored(number))
  }

  /// Integers are added as such, because floating point cannot represent all of them.
  private func moveWhole(from start: Value, by distance: Double) -> Bool {
    guard case .integer(let start) = start, let distance = Int(exactly: distance) else {
      return false
    }
    let (moved, isBeyond) = start.addingReportingOverflow(distance)
    if isBeyond || maximum.map({ Double(moved) > $0 }) ?? false { return false }
    if minimum.map({ Double(moved) < $0 }) ?? false { return false }
    change(to: .integer(moved))
    return true
  }

  private static func powerOfTen(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  // MARK: Input

  package override func handle(_ key: Key) -> Bool {
    let steps: Double? =
      switch key {
      case Key(.up): 1
      case Key(.down): -1
      case Key(.pageUp): 10
      case Key(.pageDown): -10
      default: nil
      }
    guard let steps else { return super.handle(key) }
    guard flag(.editable) else { return false }
    move(by: steps)
    return true
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .press(.left):
      if let part = part(at: mouse.position) {
        pressed = part
        move(by: part == .more ? 1 : -1)
        setNeedsDraw()
        return true
      }
    case .drag(.left) where pressed != nil: return true
    case .release(.left) where pressed != nil:
      pressed = nil
      setNeedsDraw()
      return true
    case .scroll(let rows):
      // Without the focus, the wheel scrolls the superview.
      guard flag(.focused), flag(.editable) else { return false }
      move(by: rows > 0 ? -1 : 1)
      return true
    default: break
    }
    return super.handle(mouse)
  }

  override func reservedWidth(in width: Int) -> Int { width >= 8 && flag(.editable) ? 3 : 0 }

  private func part(at point: Point) -> Part? {
    let area = content
    guard reservedWidth(in: area.width) > 0, point.y == area.y else { return nil }
    return point.x == area.maxX - 2 ? .more : point.x == area.maxX - 1 ? .less : nil
  }

  package override func draw(in canvas: Canvas) {
    super.draw(in: canvas)
    let area = canvas.content
    if area.isEmpty || reservedWidth(in: area.width) == 0 { return }
    let symbols = canvas.symbols
    canvas.put(
      symbols.ascending, x: area.maxX - 2, y: area.y, style: style(of: .more, canvas.style))
    canvas.put(
      symbols.descending, x: area.maxX - 1, y: area.y, style: style(of: .less, canvas.style))
  }

  private func style(of part: Part, _ style: CellStyle) -> CellStyle {
    if pressed == part { return style.focused }
    guard let value = peek(.value, as: Double?.self) else { return style }
    let isAtEnd =
      part == .more ? maximum.map { value >= $0 } : minimum.map { value <= $0 }
    return isAtEnd == true ? style.hint : style
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? NumberFieldView { pressed = old.pressed }
  }
}
