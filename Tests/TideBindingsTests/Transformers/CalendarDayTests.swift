import Testing
import TideSystem

@testable import TideBindings

/// Days and months as calendars count them.
@Suite struct `A calendar day` {
  @Test func `counts as the C library does`() throws {
    for number in stride(from: -719_162, through: 2_932_896, by: 997) {
      var time = time_t(number * 86_400)
      var fields = tm()
      gmtime_r(&time, &fields)
      let day = CalendarDay(number: number)
      #expect(day.year == Int(fields.tm_year) + 1900)
      #expect(day.month == Int(fields.tm_mon) + 1)
      #expect(day.day == Int(fields.tm_mday))
      #expect(day.weekday == Int(fields.tm_wday))
      #expect(CalendarDay(year: day.year, month: day.month, day: day.day) == day)
    }
  }

  @Test(arguments: [
    (2024, 1, 31, 1, "2024-2-29"), (2023, 1, 31, 1, "2023-2-28"), (2024, 3, 31, -1, "2024-2-29"),
    (2026, 12, 15, 1, "2027-1-15"), (2026, 1, 15, -13, "2024-12-15"),
    (2024, 2, 29, 12, "2025-2-28"),
    (1, 1, 5, -1, "1-1-1"), (9999, 12, 5, 1, "9999-12-31"),
  ])
  func `goes to the last day of a month that is shorter`(
    _ year: Int, _ month: Int, _ day: Int, _ months: Int, _ expected: String
  ) throws {
    let moved = try #require(CalendarDay(year: year, month: month, day: day))
      .adding(months: months)
    #expect("\(moved.year)-\(moved.month)-\(moved.day)" == expected)
  }

  @Test(arguments: [(2023, 2, 29), (2026, 13, 1), (2026, 0, 1), (0, 1, 1), (10_000, 1, 1)])
  func `is not made of what is none`(_ year: Int, _ month: Int, _ day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day) == nil)
  }

  @Test func `belongs to a week that begins as the language has it`() throws {
    let sunday = try #require(CalendarDay(year: 2026, month: 3, day: 1))
    #expect(sunday.startOfWeek(from: FormatLocale.english.firstWeekday) == sunday)
    let german = try #require(FormatLocale.named("de"))
    #expect(sunday.startOfWeek(from: german.firstWeekday).day == 23)
    #expect(FormatLocale.named("ru")?.nameOfMonth(3) == "март")
    #expect(FormatLocale.named("zh")?.headingOfWeekday(0) == "日")
  }

  @Test func `far away is no moment`() {
    #expect(CalendarMoment(seconds: 1e300, isUTC: true) == nil)
    #expect(CalendarMoment(seconds: -0x1p63, isUTC: true) == nil)
    #expect(CalendarMoment(seconds: .nan, isUTC: false) == nil)
    #expect(CalendarMoment(seconds: -1, isUTC: true)?.secondOfDay == 86_399)
  }

  @Test(arguments: [1, 14, 214, 999, 1000, 2026])
  func `is read as the year that was written`(_ year: Int) throws {
    let day = try #require(CalendarDay(year: year, month: 3, day: 14))
    for name in ["en", "de", "ja"] {
      let locale = try #require(FormatLocale.named(name))
      let text = CalendarMoment(day: day).text(locale.fullDate, locale)
      #expect(CalendarMoment.read(text, patterns: locale.typedDates, locale)?.day == day, "\(text)")
    }
  }
}
