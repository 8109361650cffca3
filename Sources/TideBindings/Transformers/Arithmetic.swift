import TideGraph

/// Lua's arithmetic on both kinds of numbers, but exact: integers that overflow become floats
/// instead of wrapping around, and a division without remainder yields an integer.
///
/// Values that are not numbers count as NaN; callers convert first.
enum Arithmetic {
  static func add(_ a: Value, _ b: Value) -> Value {
    if case .integer(let x) = a, case .integer(let y) = b {
      let (sum, overflows) = x.addingReportingOverflow(y)
      if !overflows { return .integer(sum) }
    }
    return .number(float(a) + float(b))
  }

  static func subtract(_ a: Value, _ b: Value) -> Value {
    if case .integer(let x) = a, case .integer(let y) = b {
      let (difference, overflows) = x.subtractingReportingOverflow(y)
      if !overflows { return .integer(difference) }
    }
    return .number(float(a) - float(b))
  }

  static func multiply(_ a: Value, _ b: Value) -> Value {
    if case .integer(let x) = a, case .integer(let y) = b {
      let (product, overflows) = x.multipliedReportingOverflow(by: y)
      if !overflows { return .integer(product) }
    }
    return .number(float(a) * float(b))
  }

  static func divide(_ a: Value, _ b: Value) -> Value {
    if case .integer(let x) = a, case .integer(let y) = b, y != 0 {
      let (quotient, overflows) = x.dividedReportingOverflow(by: y)
      if !overflows, quotient &* y == x { return .integer(quotient) }
    }
    return .number(float(a) / float(b))
  }

  /// Rounds half away from zero. Without decimals the result is an integer if it fits.
  static func round(_ value: Value, to decimals: Int) -> Value {
    if case .integer = value, decimals >= 0 { return value }
    let number = float(value)
    let power = powerOfTen(decimals.magnitude)
    let scaled = decimals >= 0 ? number * power : number / power
    // Beyond this every float is whole already, or the power has overflowed.
    guard scaled.isFinite, scaled.magnitude < 0x1p53 else { return value }
    let whole = scaled.rounded(.toNearestOrAwayFromZero)
    let rounded = decimals >= 0 ? whole / power : whole * power
    if decimals <= 0, let integer = Int(exactly: rounded) { return .integer(integer) }
    return .number(rounded)
  }

  static func isLess(_ a: Value, _ b: Value) -> Bool {
    if case .integer(let x) = a, case .integer(let y) = b { return x < y }
    return float(a) < float(b)
  }

  static func float(_ value: Value) -> Double {
    switch value {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: .nan
    }
  }

  private static func powerOfTen(_ exponent: UInt) -> Double {
    Double("1e\(exponent)") ?? .infinity
  }
}
