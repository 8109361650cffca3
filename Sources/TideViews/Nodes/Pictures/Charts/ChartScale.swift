import TideSystem

/// The range of a chart's axis and its ticks at round numbers.
struct ChartScale: Equatable {
  private(set) var low: Double
  private(set) var high: Double
  /// The distance between two ticks.
  private(set) var step = 0.0

  /// The scale for numbers from `least` to `most`; explicit ends take precedence.
  init(_ least: Double, _ most: Double, from low: Double? = nil, to high: Double? = nil) {
    self.low = low ?? least
    self.high = high ?? most
  }

  /// The position of a number between the ends, from 0 to 1; nil if it is not finite.
  func fraction(_ value: Double) -> Double? {
    guard value.isFinite else { return nil }
    let fraction = (value - low) / (high - low)
    return fraction.isFinite ? max(0, min(1, fraction)) : 0
  }

  // MARK: Ticks

  /// The scale with at most `count` ticks at round numbers. Ends that are not fixed move outward to
  /// the next tick.
  func ticked(count: Int, keepsLow: Bool, keepsHigh: Bool) -> ChartScale {
    var scale = self
    var span = high - low
    if !(span > 0) || !span.isFinite {
      span = max(1, abs(low))
      if !keepsHigh { scale.high = scale.low + span }
    }
    scale.step = Self.roundStep(span / Double(max(1, count - 1)))
    if !keepsLow { scale.low = (low / scale.step).rounded(.down) * scale.step }
    if !keepsHigh { scale.high = (scale.high / scale.step).rounded(.up) * scale.step }
    return scale
  }

  /// 1, 2 or 5 times a power of ten, at least the given minimum.
  private static func roundStep(_ least: Double) -> Double {
    guard least > 0, least.isFinite else { return 1 }
    let power = pow(10, floor(log10(least)))
    for factor in [1.0, 2, 5, 10] where factor * power >= least * (1 - 1e-9) {
      return factor * power
    }
    return 10 * power
  }

  /// The round numbers in the range, in ascending order.
  var ticks: [Double] {
    guard step > 0, high >= low, (high - low) / step < 1000 else { return [low, high] }
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    guard first <= last, abs(first) < 1e15, abs(last) < 1e15 else { return [low, high] }
    return (Int(first)...Int(last)).map { Double($0) * step }
  }

  /// The text of a tick: `0.25`, `40`, `12k`, `3.5M`.
  func label(_ tick: Double) -> String {
    let size = max(abs(low), abs(high))
    for (limit, unit) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")] where size >= limit {
      let scale = unit == "k" ? 1e3 : limit
      return text(tick / scale, step: step / scale) + (tick == 0 ? "" : unit)
    }
    return text(tick, step: step)
  }

  private func text(_ number: Double, step: Double) -> String {
    var digits = 0
    var rest = step
    while digits < 6, rest > 0, abs(rest - rest.rounded()) > 1e-6 * max(1, rest) {
      rest *= 10
      digits += 1
    }
    let scaled = number * pow(10, Double(digits))
    guard abs(scaled) < 1e15 else { return "\(number)" }
    let whole = Int(scaled.rounded())
    if digits == 0 { return "\(whole)" }
    let padded = "\(abs(whole))"
    let text = String(repeating: "0", count: max(0, digits + 1 - padded.count)) + padded
    return (whole < 0 ? "-" : "") + text.dropLast(digits) + "." + text.suffix(digits)
  }
}
