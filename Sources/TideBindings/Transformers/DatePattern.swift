import TideGraph
import TideSystem

/// A pattern of Lua's `os.date`: a text with conversions such as `%Y` and `%H`. Times are local, or
/// in UTC with a leading `!`.
///
/// ```swift
/// try DatePattern("!%Y-%m-%d").text(for: 86_400)   // "1970-01-02"
/// try DatePattern("!%F %H:%M").seconds(for: "1970-01-01 01:30")  // 5400
/// try DatePattern("!%F").seconds(for: "2023-02-29")              // nil
/// ```
///
/// A text must name exactly one existing day. The time is midnight if the pattern has none. An
/// offset from UTC (`%z`) in the text is applied.
struct DatePattern {
  /// The pattern as it was written.
  let source: String
  private let pattern: String
  private let isUTC: Bool

  /// Throws `badArgument` for a conversion that Lua does not know.
  init(_ source: String) throws(TideError) {
    self.source = source
    isUTC = source.hasPrefix("!")
    pattern = isUTC ? String(source.dropFirst()) : source
    if pattern.hasPrefix("*t") {
      throw TideError(.badArgument, "date(pattern) gives a text; \"*t\" would give a table")
    }
    try Self.check(pattern)
    tzset()
  }

  private static func check(_ pattern: String) throws(TideError) {
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else { continue }
      let letter = rest.popFirst()
      var conversion = "%" + (letter.map { String($0) } ?? "")
      var known = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%"
      if letter == "E" || letter == "O" {
        known = letter == "E" ? "cCxXyY" : "deHImMSuUVwWy"
        let second = rest.popFirst()
        conversion += second.map { String($0) } ?? ""
        if let second, known.unicodeScalars.contains(second) { continue }
      } else if let letter, known.unicodeScalars.contains(letter) {
        continue
      }
      throw TideError(.badArgument, "date(pattern): invalid conversion specifier '\(conversion)'")
    }
  }

  /// The text for seconds since the epoch; fractions are dropped.
  func text(
    for seconds: Double, _ locale: FormatLocale = .english
  ) throws(TideError) -> String {
    guard let whole = Int(exactly: seconds.rounded(.down)) else { throw outOfRange(seconds) }
    if pattern.isEmpty { return "" }
    var time = time_t(whole)
    var fields = tm()
    guard (isUTC ? gmtime_r(&time, &fields) : localtime_r(&time, &fields)) != nil else {
      throw outOfRange(seconds)
    }
    // One conversion yields at most some 40 bytes. The trailing blank distinguishes an empty result
    // of `strftime` from a full buffer.
    let padded = locale.expanded(pattern, fields) + " "
    let capacity = 64 + padded.utf8.count * 48
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
      let count = strftime(buffer.baseAddress, capacity, padded, &fields)
      return String(
        decoding: buffer.prefix(max(count - 1, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Reads a whole text in this form as seconds since the epoch; nil for any other text.
  func seconds(for text: String, _ locale: FormatLocale = .english) -> Int? {
    guard let parsed = DateFields(text, pattern: pattern, locale) else { return nil }
    var fields = parsed.broken
    if let offset = parsed.offset { return timegm(&fields) - offset }
    return isUTC ? timegm(&fields) : mktime(&fields)
  }

  private func outOfRange(_ seconds: Double) -> TideError {
    TideError(
      .conversion, "cannot convert \(Value.number(seconds).shown) to a date: it is too far off")
  }
}

extension FormatLocale {
  /// Replaces conversions in a pattern by the language's own words and patterns.
  fileprivate func expanded(_ pattern: String, _ fields: tm) -> String {
    if language == "en" && identifier == "en" { return pattern }
    var text = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", var letter = rest.popFirst() else {
        text.append(character)
        continue
      }
      if letter == "E" || letter == "O" { letter = rest.popFirst() ?? letter }
      switch letter {
      case "A": text += Self.word(fields.tm_wday, of: days)
      case "a": text += Self.word(fields.tm_wday, of: shortDays)
      case "B": text += Self.word(fields.tm_mon, of: months)
      case "b", "h": text += Self.word(fields.tm_mon, of: shortMonths)
      case "x": text += date
      case "X": text += time
      case "c": text += expanded(dateAndTime, fields)
      default: text += "%\(letter)"
      }
    }
    return text
  }

  private static func word(_ index: Int32, of words: [String]) -> String {
    let index = Int(index)
    return words.indices.contains(index) ? words[index].replacing("%", with: "%%") : ""
  }

  /// The pattern of `%c`.
  var dateAndTime: String { identifier == "en" ? "%a %b %e %H:%M:%S %Y" : "%a %d %b %Y \(time)" }
}
