import Testing

@testable import TideBindings

@Suite struct `Locales` {
  @Test func `every one has twelve months and seven days, all of them its own`() throws {
    for identifier in FormatLocale.identifiers {
      let locale = try #require(FormatLocale.named(identifier))
      #expect(Set(locale.months).count == 12, "\(identifier)")
      #expect(Set(locale.shortMonths).count == 12, "\(identifier)")
      #expect(Set(locale.days).count == 7, "\(identifier)")
      #expect(Set(locale.shortDays).count == 7, "\(identifier)")
      #expect(locale.decimal != locale.grouping)
    }
  }

  @Test func `a number that is written is read again`() throws {
    for identifier in FormatLocale.identifiers {
      let locale = try #require(FormatLocale.named(identifier))
      for number in ["0", "-1", "12.5", "1234.25", "-1234567.00", "999999999"] {
        for isGrouped in [true, false] {
          #expect(
            locale.plain(locale.text(number, isGrouped: isGrouped)) == number, "\(identifier)")
        }
      }
      for other in ["inf", "-inf", "nan", "1e+300"] {
        #expect(locale.text(other, isGrouped: true) == other)
      }
    }
  }

  @Test func `a date that is written is read again`() throws {
    for identifier in FormatLocale.identifiers {
      let locale = try #require(FormatLocale.named(identifier))
      for source in ["!%A %d %B %Y", "!%a %d %b %Y", "!%c", "!%x"] {
        let pattern = try DatePattern(source)
        for month in 0..<12 {
          let seconds = month * 31 * 86_400 - month * 40_000 / 86_400 * 86_400
          let text = try pattern.text(for: Double(seconds), locale)
          #expect(pattern.seconds(for: text, locale) == seconds, "\(identifier) \(text)")
        }
      }
    }
  }

  @Test(arguments: [
    ("de_DE.UTF-8", "de-DE"), ("de", "de"), ("pt-br", "pt-BR"), ("EN_us@euro", "en-US"), ("", ""),
    ("C", "c"),
  ])
  func `identifiers are written in one way`(_ text: String, _ identifier: String) {
    #expect(FormatLocale.identifier(of: text) == identifier)
  }

  @Test func `a region falls back to its language`() {
    #expect(FormatLocale.named("de-XX")?.identifier == "de")
    #expect(FormatLocale.named("de-CH")?.decimal == ".")
    #expect(FormatLocale.named("xx") == nil)
  }
}
