import TideSystem

/// The fields of a date, read from a text in a given pattern.
///
/// Names of months and days are those of the language. All fields must agree on one day, given as a
/// year with a month and a day, with a day of the year (`%j`), or with a week and a weekday (`%G`
/// with `%V`, `%Y` with `%U` or `%W`, and `%u`, `%w` or `%a`). The name of a time zone is ignored.
struct DateFields {
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var dayOfYear: Int?
  /// From 0 for Sunday.
  private var weekday: Int?
  /// The year of an ISO week, in full or within its century.
  private var weekYear: Int?
  private var shortWeekYear: Int?
  /// The ISO week, and the weeks counted from the first Sunday and the first Monday.
  private var week: Int?
  private var weekFromSunday: Int?
  private var weekFromMonday: Int?
  private var hour = 0
  private var minute = 0
  private var second = 0
  private var isAfternoon: Bool?
  private var century: Int?
  /// Seconds east of UTC, if the text has an offset.
  private(set) var offset: Int?
  private var rest: ArraySlice<UInt8>
  private let locale: FormatLocale

  /// The day that all fields name.
  private var date = (year: 1970, month: 1, day: 1)

  /// Nil unless the whole text has the pattern's form and names an existing day.
  init?(_ text: String, pattern: String, _ locale: FormatLocale = .english) {
    self.locale = locale
    rest = Array(text.utf8)[...]
    guard take(pattern: Array(pattern.utf8)[...]), rest.isEmpty else { return nil }
    if let century, let year { self.year = century * 100 + year % 100 }
    if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    guard let date = namedDay else { return nil }
    self.date = date
  }

  /// The day that the fields name; nil if they are incomplete or contradict each other.
  private var namedDay: (year: Int, month: Int, day: Int)? {
    guard let number = dayNumber else { return nil }
    let named = CalendarDay.civil(number)
    let weekday = CalendarDay.weekday(of: number)
    let ordinal = number - CalendarDay.number(named.year, 1, 1) + 1
    let iso = Self.isoWeek(of: number, weekday)
    let agrees = [
      (year, named.year), (month, named.month), (day, named.day), (dayOfYear, ordinal),
      (self.weekday, weekday), (weekYear, iso.year),
      (shortWeekYear, ((iso.year % 100) + 100) % 100), (week, iso.week),
      (weekFromSunday, (ordinal + 6 - weekday) / 7),
      (weekFromMonday, (ordinal + 6 - (weekday + 6) % 7) / 7),
    ].allSatisfy { $0 == nil || $0 == $1 }
    return agrees ? named : nil
  }

  /// The number of a day from the fields that suffice; the other fields are compared with it.
  private var dayNumber: Int? {
    if let year, let month, let day { return CalendarDay.number(year, month, day) }
    if let year, let dayOfYear { return CalendarDay.number(year, 1, 1) + dayOfYear - 1 }
    guard let weekday else { return nil }
    if let week, let weekYear = weekYear ?? shortWeekYear.map(Self.yearOfCentury) {
      return CalendarDay.firstOfISOYear(weekYear) + (week - 1) * 7 + (weekday + 6) % 7
    }
    guard let year else { return nil }
    let first = CalendarDay.number(year, 1, 1), firstWeekday = CalendarDay.weekday(of: first)
    if let weekFromSunday {
      return first + weekFromSunday * 7 - firstWeekday + weekday - (firstWeekday == 0 ? 7 : 0)
    }
    guard let weekFromMonday else { return nil }
    return first + weekFromMonday * 7 - (firstWeekday + 6) % 7 + (weekday + 6) % 7
      - (firstWeekday == 1 ? 7 : 0)
  }

  private static func isoWeek(of number: Int, _ weekday: Int) -> (year: Int, week: Int) {
    // A week belongs to the year of its Thursday.
    let year = CalendarDay.civil(number + 3 - (weekday + 6) % 7).year
    return (year, (number - CalendarDay.firstOfISOYear(year)) / 7 + 1)
  }

  var broken: tm {
    var fields = tm()
    fields.tm_year = Int32(date.year - 1900)
    fields.tm_mon = Int32(date.month - 1)
    fields.tm_mday = Int32(date.day)
    fields.tm_hour = Int32(hour)
    fields.tm_min = Int32(minute)
    fields.tm_sec = Int32(second)
    fields.tm_isdst = -1
    return fields
  }

  private mutating func take(pattern: ArraySlice<UInt8>) -> Bool {
    var pattern = pattern
    while let byte = pattern.popFirst() {
      if byte.isSpace {
        skipSpace()
      } else if byte != UInt8(ascii: "%") {
        guard rest.popFirst() == byte else { return false }
      } else {
        var letter = pattern.popFirst()
        if letter == UInt8(ascii: "E") || letter == UInt8(ascii: "O") {
          letter = pattern.popFirst()
        }
        guard let letter, take(Character(Unicode.Scalar(letter))) else { return false }
      }
    }
    return true
  }

  private mutating func take(_ conversion: Character) -> Bool {
    switch conversion {
    case "Y": take(\.year, -9999...9999, digits: 4)
    case "y": takeYearOfCentury()
    case "C": take(0...99).map { century = $0 } != nil
    case "m": take(\.month, 1...12)
    case "d", "e": take(\.day, 1...31)
    case "H": take(\.hour, 0...23)
    case "I": take(\.hour, 1...12)
    case "M": take(\.minute, 0...59)
    case "S": take(\.second, 0...60)
    case "j": take(\.dayOfYear, 1...366, digits: 3)
    case "p": takeName(["AM", "PM"]).map { isAfternoon = $0 == 1 } != nil
    case "b", "B", "h": takeName(locale.months, locale.shortMonths).map { month = $0 + 1 } != nil
    case "a", "A": takeName(locale.days, locale.shortDays).map { weekday = $0 } != nil
    case "u": take(1...7, digits: 1).map { weekday = $0 % 7 } != nil
    case "w": take(\.weekday, 0...6, digits: 1)
    case "g": take(\.shortWeekYear, 0...99)
    case "U": take(\.weekFromSunday, 0...53)
    case "V": take(\.week, 1...53)
    case "W": take(\.weekFromMonday, 0...53)
    case "G": take(\.weekYear, -9999...9999, digits: 4)
    case "z": takeOffset()
    case "Z": takeZoneName()
    case "n", "t": skipSpace()
    case "%": rest.popFirst() == UInt8(ascii: "%")
    case "c": take(pattern: Array(locale.dateAndTime.utf8)[...])
    case "x": take(pattern: Array(locale.date.utf8)[...])
    case "X": take(pattern: Array(locale.time.utf8)[...])
    default: Self.composites[conversion].map { take(pattern: Array($0.utf8)[...]) } ?? false
    }
  }

  private static let composites: [Character: String] = [
    "D": "%m/%d/%y", "F": "%Y-%m-%d", "R": "%H:%M", "T": "%H:%M:%S", "r": "%I:%M:%S %p",
  ]
  @discardableResult
  private mutating func skipSpace() -> Bool {
    rest = rest.drop(while: \.isSpace)
    return true
  }

  private mutating func take(
    _ field: WritableKeyPath<DateFields, Int?>, _ range: ClosedRange<Int>, digits: Int = 2
  ) -> Bool {
    guard let value = take(range, digits: digits) else { return false }
    self[keyPath: field] = value
    return true
  }

  private mutating func take(
    _ field: WritableKeyPath<DateFields, Int>, _ range: ClosedRange<Int>, digits: Int = 2
  ) -> Bool {
    guard let value = take(range, digits: digits) else { return false }
    self[keyPath: field] = value
    return true
  }

  private mutating func take(_ range: ClosedRange<Int>, digits: Int = 2) -> Int? {
    skipSpace()
    let isNegative = range.lowerBound < 0 && rest.first == .minus
    if isNegative { rest.removeFirst() }
    let taken = rest.prefix(digits).prefix(while: \.isDigit)
    guard !taken.isEmpty else { return nil }
    rest = rest.dropFirst(taken.count)
    let magnitude = taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let value = isNegative ? -magnitude : magnitude
    return range.contains(value) ? value : nil
  }

  /// 69 to 99 are in the 20th century, as in POSIX.
  private mutating func takeYearOfCentury() -> Bool {
    guard let value = take(0...99) else { return false }
    year = Self.yearOfCentury(value)
    return true
  }

  private static func yearOfCentury(_ value: Int) -> Int { value + (value < 69 ? 2000 : 1900) }

  /// Reads a name or its short form, ignoring case. Returns its index in the list.
  private mutating func takeName(_ names: [String], _ short: [String] = []) -> Int? {
    let text = String(decoding: rest, as: UTF8.self)
    for list in [names, short] {
      // The longest first, because one name may be a prefix of another.
      for index in list.indices.sorted(by: { list[$0].count > list[$1].count }) {
        let found = text.prefix(list[index].count)
        if locale.folded(String(found)) == locale.folded(list[index]) {
          rest = rest.dropFirst(found.utf8.count)
          return index
        }
      }
    }
    return nil
  }

  private mutating func takeOffset() -> Bool {
    if rest.first == UInt8(ascii: "Z") {
      rest.removeFirst()
      offset = 0
      return true
    }
    guard let sign = rest.popFirst(), sign == .minus || sign == .plus else { return false }
    guard let hours = take(0...23) else { return false }
    if rest.first == UInt8(ascii: ":") { rest.removeFirst() }
    let minutes = rest.first?.isDigit == true ? take(0...59) : 0
    guard let minutes else { return false }
    offset = (hours * 3600 + minutes * 60) * (sign == .minus ? -1 : 1)
    return true
  }

  private mutating func takeZoneName() -> Bool {
    let name = rest.prefix { $0.startsName || $0.isDigit || $0 == .minus || $0 == .plus }
    rest = rest.dropFirst(name.count)
    return true
  }
}
