import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct DatePatternTests {
  /// 2024-02-29 13:05:09 UTC, a Thursday.
  static let moment = 1_709_211_909

  @Test(arguments: [
    ("!%Y-%m-%d %H:%M:%S", "2024-02-29 13:05:09"), ("!%d.%m.%y", "29.02.24"),
    ("!%I:%M %p", "01:05 PM"),
    ("!%A %a %B %b", "Thursday Thu February Feb"), ("!%j %u %w %V", "060 4 4 09"),
    ("!%F %T", "2024-02-29 13:05:09"),
    ("!100%%", "100%"), ("!", ""), ("!%D|%R|%e", "02/29/24|13:05|29"),
    ("!%c", "Thu Feb 29 13:05:09 2024"),
    ("!%z", "+0000"), ("!größe %H", "größe 13"),
  ])
  func `a date is written in os date patterns`(pattern: String, text: String) throws {
    #expect(try DatePattern(pattern).text(for: Double(Self.moment) + 0.75) == text)
  }

  @Test(arguments: [
    ("!%Y-%m-%d %H:%M:%S", "2024-02-29 13:05:09", moment), ("!%F %T", "2024-2-29  13:5:09", moment),
    ("!%c", "Thu Feb 29 13:05:09 2024", moment), ("!%d %B %Y", "29 february 2024", moment - 47109),
    ("!%F %I:%M %p", "1970-01-01 01:05 pm", 47100), ("!%F %I %p", "1970-01-01 12 AM", 0),
    ("!%F %I %p", "1970-01-01 12 PM", 43200),
    ("!%Y %j", "2024 060", moment - 47109), ("%F %T %z", "2024-02-29 14:05:09 +0100", moment),
    ("%FT%T%z", "2024-02-29T13:05:09Z", moment), ("!%D", "01/01/69", -31_536_000),
    ("!%D", "01/01/68", 3_092_601_600), ("!%F 100%%", "1970-01-01 100%", 0),
    ("!%G-W%V-%u", "2024-W09-4", moment - 47109), ("!%Y %U %w", "2024 08 4", moment - 47109),
    ("!%Y %W %a", "2024 09 Thu", moment - 47109), ("!%G-W%V-%u", "2025-W01-1", 1_735_516_800),
  ])
  func `a date is read back`(pattern: String, text: String, seconds: Int) throws {
    #expect(try DatePattern(pattern).seconds(for: text) == seconds)
  }

  @Test(arguments: [
    ("!%Y", "x"), ("!%Y-%m", "2024-13"), ("!%d", "32"), ("!%d", ""), ("!%H:%M", "12:30 h"),
    ("!%H:%M", "12"),
    ("!%B", "Janvier"), ("!%p", "XM"), ("!%z", "0100"), ("!%F", "2023-02-29"),
    ("!%F", "2023-04-31"), ("!%Y-%j", "2023-366"), ("!%a %F", "Mon 2023-03-01"),
    ("!%F %V", "2023-03-01 10"), ("!%H:%M", "01:30"), ("!%y", "69"), ("!%Y-%m", "2024-02"),
    ("!%G-W%V", "2024-W09"), ("!%C-%m-%d", "20-03-01"),
  ])
  func `a text of another form is refused`(pattern: String, text: String) throws {
    #expect(try DatePattern(pattern).seconds(for: text) == nil)
  }

  @Test func `local time reads back what it wrote`() throws {
    let pattern = try DatePattern("%Y-%m-%d %H:%M:%S")
    for seconds in stride(from: -2_000_000_000, to: 4_000_000_000, by: 123_456_789) {
      #expect(pattern.seconds(for: try pattern.text(for: Double(seconds))) == seconds)
    }
  }

  @Test func `any text in any pattern is read or refused`() throws {
    var random = SeededGenerator("date fuzz")
    let letters = Array("YymdeHIMSpbBaAjuwUVWgGCzZcxXDFRTrnt%")
    for _ in 0..<3000 {
      let pattern = (0..<3).map { _ in
        "%\(letters[Int.random(in: letters.indices, using: &random)]) "
      }
      let moment = Double(Int.random(in: -4_000_000_000...8_000_000_000, using: &random))
      let date = try DatePattern("!" + pattern.joined())
      var text = Array(try date.text(for: moment).utf8)
      _ = date.seconds(for: String(decoding: text, as: UTF8.self))
      if !text.isEmpty {
        text[Int.random(in: text.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = date.seconds(for: String(decoding: text, as: UTF8.self))
    }
  }
}
