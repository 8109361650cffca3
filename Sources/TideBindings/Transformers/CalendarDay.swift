import TideSystem

/// A day of the Gregorian calendar, which is extended to all years.
///
/// ```swift
/// let day = CalendarDay(year: 2024, month: 1, day: 31)
/// day?.adding(months: 1)    // 29 February 2024
/// day?.weekday              // 3, a Wednesday
/// ```
///
/// Years range from 1 to 9999. Results beyond are clamped.
package struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1 January 1970.
  package let number: Int

  package static let first = CalendarDay(number: -719_162)
  package static let last = CalendarDay(number: 2_932_896)

  /// The day with a number, clamped to the range of years.
  package init(number: Int) { self.number = max(-719_162, min(number, 2_932_896)) }

  /// Nil if there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.count(ofDaysIn: month, of: year)
    else { return nil }
    self.init(number: Self.number(year, month, day))
  }

  // Days and civil dates by eras of 400 years, which begin in March: Howard Hinnant,
  // "chrono-Compatible Low-Level Date Algorithms".
  static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private var civil: (year: Int, month: Int, day: Int) { Self.civil(number) }

  static func civil(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  package var year: Int { civil.year }
  /// From 1.
  package var month: Int { civil.month }
  package var day: Int { civil.day }
  /// From 0 for Sunday.
  package var weekday: Int { Self.weekday(of: number) }

  static func weekday(of number: Int) -> Int { ((number + 4) % 7 + 7) % 7 }

  /// The first day of a year in ISO 8601: the Monday of the week with 4 January.
  static func firstOfISOYear(_ year: Int) -> Int {
    let fourth = number(year, 1, 4)
    return fourth - (weekday(of: fourth) + 6) % 7
  }

  package var firstOfMonth: CalendarDay { CalendarDay(number: number - day + 1) }
  package var lastOfMonth: CalendarDay {
    let civil = civil
    return CalendarDay(
      number: number - civil.day + Self.count(ofDaysIn: civil.month, of: civil.year))
  }

  package static func count(ofDaysIn month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  package func adding(days: Int) -> CalendarDay { CalendarDay(number: number + days) }

  /// The same day of another month, or that month's last day if it is too short.
  package func adding(months: Int) -> CalendarDay {
    let civil = civil
    let count = civil.year * 12 + civil.month - 1 + months
    if count < 12 { return Self.first }
    let (year, month) = (count / 12, count % 12 + 1)
    let day = min(civil.day, Self.count(ofDaysIn: month, of: year))
    return CalendarDay(year: year, month: month, day: day) ?? Self.last
  }

  /// The first day of its week, given the weekday on which weeks begin.
  package func startOfWeek(from firstWeekday: Int) -> CalendarDay {
    adding(days: -((weekday - firstWeekday + 7) % 7))
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.number < right.number
  }
}

/// A day and a time of day, in local time or in UTC.
package struct CalendarMoment: Equatable, Sendable {
  package var day: CalendarDay
  /// Seconds after midnight, as shown by a clock.
  package var secondOfDay: Int

  package init(day: CalendarDay, secondOfDay: Int = 0) {
    self.day = day
    self.secondOfDay = secondOfDay
  }

  /// From seconds since the epoch; nil outside of the years 1 to 9999.
  package init?(seconds: Double, isUTC: Bool) {
    guard seconds.magnitude < 400_000_000_000 else { return nil }
    var time = time_t(seconds.rounded(.down))
    var fields = tm()
    if !isUTC { tzset() }
    guard (isUTC ? gmtime_r(&time, &fields) : localtime_r(&time, &fields)) != nil else {
      return nil
    }
    self.init(fields)
  }

  private init?(_ fields: tm) {
    guard
      let day = CalendarDay(
        year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday))
    else { return nil }
    self.day = day
    secondOfDay = Int(fields.tm_hour) * 3600 + Int(fields.tm_min) * 60 + Int(fields.tm_sec)
  }

  /// Seconds since the epoch. A time that a change of the clocks skips is moved forward by that
  /// change. For an ambiguous time the C library chooses.
  package func seconds(isUTC: Bool) -> Int {
    if isUTC { return day.number * 86_400 + secondOfDay }
    tzset()
    var fields = tm()
    fields.tm_year = Int32(day.year - 1900)
    fields.tm_mon = Int32(day.month - 1)
    fields.tm_mday = Int32(day.day)
    fields.tm_hour = Int32(secondOfDay / 3600)
    fields.tm_min = Int32(secondOfDay / 60 % 60)
    fields.tm_sec = Int32(secondOfDay % 60)
    fields.tm_isdst = -1
    return mktime(&fields)
  }

  /// Reads a whole text in one of some patterns; nil for any other text, and for a day that does
  /// not exist, such as 30 February.
  package static func read(
    _ text: String, patterns: [String], _ locale: FormatLocale
  ) -> CalendarMoment? {
    for pattern in patterns {
      guard let fields = DateFields(text.trimmed, pattern: pattern, locale),
        let moment = CalendarMoment(fields.broken)
      else { continue }
      return moment
    }
    return nil
  }

  /// Formats it with a pattern and a language.
  package func text(_ pattern: String, _ locale: FormatLocale) -> String {
    // The C library does not pad years, and a year of two digits would be read as another
    // century's.
    let year = String(day.year)
    let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
    let pattern = day.year < 1000 ? pattern.replacing("%Y", with: padded) : pattern
    let seconds = Double(self.seconds(isUTC: true))
    return (try? DatePattern("!" + pattern).text(for: seconds, locale)) ?? ""
  }

  /// Throws `badArgument` for a pattern with a conversion that Lua does not know.
  package static func check(pattern: String) throws(TideError) { _ = try DatePattern(pattern) }
}

// The calendar conventions of a language.
extension FormatLocale {
  /// The pattern of a date with a year of four digits.
  package var fullDate: String { date.replacing("%y", with: "%Y") }

  /// The patterns in which a date may be typed: with a year of two or four digits, and in ISO 8601.
  package var typedDates: [String] {
    [fullDate.replacing("%Y", with: "%y"), fullDate, "%Y-%m-%d"]
  }

  /// The first weekday of a week, from 0 for Sunday. From the CLDR, for the language's most
  /// populous region if the identifier names none.
  package var firstWeekday: Int {
    ["en", "pt", "pt-PT", "ja", "ko", "es-MX", "es-US", "fr-CA"].contains(identifier) ? 0 : 1
  }

  /// The standalone name of a month, from 1. Some languages inflect names within a date.
  package func nameOfMonth(_ month: Int) -> String {
    let names = Self.standaloneMonths[language] ?? months
    return names.indices.contains(month - 1) ? names[month - 1] : ""
  }

  private static let standaloneMonths: [String: [String]] = [
    "pl":
      "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "cs": "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
    "sk": "január február marec apríl máj jún júl august september október november december",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "uk":
      "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
    "fi":
      "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
  ].mapValues { $0.split(separator: " ").map(String.init) }

  /// The column heading for a weekday, from 0 for Sunday.
  package func headingOfWeekday(_ weekday: Int) -> String {
    guard shortDays.indices.contains(weekday) else { return "" }
    let name = shortDays[weekday]
    // Each name begins with the word for week.
    return language == "zh" ? String(name.suffix(1)) : String(name.prefix(2))
  }
}
