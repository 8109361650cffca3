package import TideBindings
import TideGraph

/// The base class of sliders and steppers: a number between `minimum` and `maximum` that the user
/// changes in steps.
///
/// ```swift
/// for name in ["slider", "stepper"] {
///   let range = try ViewClasses().make(name)
///   range[.value] = 3
/// }
/// ```
///
/// A `value` outside the bounds is shown as the nearest bound, and stays unchanged until the user
/// changes it. NaN counts as the minimum, and so does a maximum below the minimum.
public class RangeView: View {
  /// The current value; one outside `minimum` and `maximum` is shown as the nearest bound.
  public var value: Double {
    get { self[.value] }
    set { self[.value] = newValue }
  }

  override var declaredProperties: [ViewProperty] { [.value] }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    adopt(.value, of: old, reconciliation)
  }

  override func perform(_ action: ViewAction) -> Bool {
    guard case .setValue(let value) = action, !value.isNaN else { return false }
    change(to: onStep(value), nil)
    return true
  }

  /// Home and End set the minimum and maximum.
  package override func handle(_ key: Key) -> Bool {
    if key == Key(.home) || key == Key(.end), moveWhole(toEnd: key == Key(.end), key) {
      return true
    }
    switch key {
    case Key(.home): change(to: minimum, key)
    case Key(.end): change(to: maximum, key)
    default: return false
    }
    return true
  }

  var minimum: Double { Self.number(peek(.minimum, as: Double.self), or: 0) }
  var maximum: Double { max(minimum, Self.number(peek(.maximum, as: Double.self), or: minimum)) }
  var range: Double { min(maximum - minimum, .greatestFiniteMagnitude) }
  var shownValue: Double {
    max(minimum, min(Self.number(peek(.value, as: Double.self), or: minimum), maximum))
  }

  private static func number(_ number: Double, or other: Double) -> Double {
    number.isNaN ? other : max(-1e300, min(number, 1e300))
  }

  /// The `step`, or a default if it is not positive.
  func step(or other: Double) -> Double {
    let step = peek(.step, as: Double.self)
    return step > 0 && step.isFinite ? step : other
  }

  /// The part of the range below the value, from 0 to 1.
  var fraction: Double { range > 0 ? (shownValue - minimum) / range : 0 }

  /// The value at a fraction of the range, rounded to a step.
  func value(at fraction: Double) -> Double {
    onStep(minimum + range * max(0, min(fraction, 1)))
  }

  /// The nearest multiple of the step, counted from the minimum, or the maximum.
  func onStep(_ value: Double) -> Double {
    let step = step(or: 0)
    if value >= maximum || step == 0 { return Self.rounded(max(minimum, min(value, maximum))) }
    let count = ((value - minimum) / step).rounded()
    return Self.rounded(max(minimum, min(minimum + count * step, maximum)))
  }

  // MARK: Whole numbers

  /// The numbers of a control whose value, bounds and step are all integers; nil for any other.
  /// They are never converted to floating point, which cannot represent all integers.
  private var whole: (value: Int, minimum: Int, maximum: Int, step: Int)? {
    func number(_ property: ViewProperty) -> Int? { Int.exactly(peek(property, as: Value.self)) }
    guard case .integer(let value) = peek(.value, as: Value.self), let minimum = number(.minimum),
      let maximum = number(.maximum), maximum >= minimum
    else { return nil }
    let step = number(.step) ?? 0
    if step < 0 || step == 0 && self.step(or: 0) != 0 { return nil }
    return (max(minimum, min(value, maximum)), minimum, maximum, step)
  }

  /// Moves by a number of steps; false if the value is not an integer.
  final func moveWhole(_ steps: Int, _ key: Key?) -> Bool {
    guard let (value, minimum, maximum, ownStep) = whole else { return false }
    // Without a step it is a twentieth of the range, which is an integer if the range is very
    // large.
    if ownStep == 0, range < 0x1p53 { return false }
    let step = ownStep == 0 ? Int(range / 20) : ownStep
    let (distance, isFar) = step.multipliedReportingOverflow(by: steps)
    let (moved, isBeyond) = value.addingReportingOverflow(distance)
    var next = steps < 0 ? minimum : maximum
    if !isFar, !isBeyond { next = max(minimum, min(moved, maximum)) }
    if ownStep != 0, next != maximum {
      // Rounds to the nearest step, counted from the minimum.
      let (offset, isWide) = next.subtractingReportingOverflow(minimum)
      if !isWide {
        let rest = offset % ownStep
        next -= rest
        if rest > 0, rest >= ownStep - rest, maximum - next >= ownStep { next += ownStep }
      }
    }
    change(toWhole: next, key)
    return true
  }

  /// The number of steps in a tenth of the range, at least one.
  final var stepsOfTenth: Int {
    let step = step(or: range / 20)
    return max(1, Int(min(range / 10 / max(step, .leastNormalMagnitude), 1e15)))
  }

  /// Moves to the minimum or maximum; false if the value is not an integer.
  private func moveWhole(toEnd isMaximum: Bool, _ key: Key) -> Bool {
    guard let (_, minimum, maximum, _) = whole else { return false }
    change(toWhole: isMaximum ? maximum : minimum, key)
    return true
  }

  private func change(toWhole value: Int, _ key: Key?) {
    if peek(.value, as: Value.self) == .integer(value) { return }
    guard beginsEdit(entering: "\(value) ") else { return }
    put(.value, .integer(value))
    send(.valueChanged, key: key, value: .integer(value))
  }

  /// Removes the rounding error of sums of decimal fractions.
  private static func rounded(_ value: Double) -> Double {
    if abs(value) > 1e5 { return value }
    return (value * 1e10).rounded() / 1e10
  }

  /// Sets a value on behalf of the user: writes it, then sends `valueChanged`.
  func change(to value: Double, _ key: Key?) {
    let value = max(minimum, min(Self.rounded(value), maximum))
    if value == peek(.value, as: Double.self) { return }
    guard beginsEdit(entering: Self.text(value) + " ") else { return }
    let stored = Self.stored(value)
    put(.value, stored)
    send(.valueChanged, key: key, value: stored)
  }

  /// The stored value for a number that the user entered; nil for NaN.
  package final func entered(_ number: Double) -> Value? {
    number.isNaN ? nil : Self.stored(onStep(number))
  }

  private static func stored(_ value: Double) -> Value {
    value == value.rounded() && abs(value) < 1e15 ? .integer(Int(value)) : .number(value)
  }

  static func text(_ value: Double) -> String { Value.number(value).text ?? "" }
}
