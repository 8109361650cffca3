/// How long ago something was, or how soon it will be, in a single unit of time.
///
/// ```swift
/// RelativeDate(seconds: 185).text    // "3 minutes ago"
/// RelativeDate(seconds: -60).text    // "in 1 minute"
/// RelativeDate(seconds: 0.4).text    // "now"
/// ```
struct RelativeDate {
  /// The seconds that have passed since; negative for a time in the future.
  var seconds: Double

  private static let units: [(name: String, length: Double)] = [
    ("year", 31_557_600), ("month", 2_629_800), ("week", 604_800), ("day", 86_400),
    ("hour", 3600), ("minute", 60), ("second", 1),
  ]

  private var unit: (name: String, length: Double)? {
    Self.units.first { seconds.magnitude >= $0.length }
  }

  var text: String {
    guard let unit else { return "now" }
    let count = (seconds.magnitude / unit.length).rounded(.down)
    let amount =
      "\(count < 1e15 ? String(Int(count)) : "\(count)") \(unit.name)\(count == 1 ? "" : "s")"
    return seconds < 0 ? "in \(amount)" : "\(amount) ago"
  }

  /// The text in the app's language, if that has one for `now` or `%d minutes ago`.
  func text(in language: AppLanguage) -> String {
    guard let unit else { return language.translate(text) }
    let count = (seconds.magnitude / unit.length).rounded(.down)
    let key = seconds < 0 ? "in %d \(unit.name)s" : "%d \(unit.name)s ago"
    let amount = Int(exactly: count).map { Value.integer($0) } ?? .number(count)
    return language.translation(key, amount) ?? text
  }

  /// The seconds until the text changes; nil if that is years away.
  var secondsToNextText: Double? {
    guard seconds.magnitude < 1e9 else { return nil }
    let length = unit?.length ?? 1
    let passed = seconds.magnitude.truncatingRemainder(dividingBy: length)
    if seconds < 0, unit != nil { return max(passed, 0) + 1e-3 }
    if seconds < 0 { return 1 + seconds.magnitude }
    var next = length - passed
    // A larger unit may begin before this one is full: 4 weeks, then 1 month.
    if let larger = Self.units.last(where: { $0.length > seconds.magnitude }) {
      next = min(next, larger.length - seconds.magnitude)
    }
    return next
  }
}
