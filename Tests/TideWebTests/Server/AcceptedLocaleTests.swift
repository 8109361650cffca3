import NIOHTTP1
import Testing

@testable import TideWeb

@Suite struct AcceptedLocaleTests {
  @Test(arguments: [
    ("de-CH, en;q=0.8", "de-CH"), ("en;q=0.8, de-ch", "de-CH"), ("fr;q=0.3,de;q=0.5", "de"),
    ("de;q=0.5,fr;q=0.5", "de"), ("DE", "de"), ("*", ""), ("*, de;q=0.1", "de"), ("", ""),
    // Of those that nobody knows the first, where there is no other.
    ("xx, de;q=0.5", "de"), ("xx, yy;q=0.5", "xx"),
    ("de;q=0", ""), ("de;q=2, fr", "fr"), ("de;q=x, fr;q=0.1", "fr"), ("de;q=nan,fr", "fr"),
    ("1de, <b>, a_b, ä, fr ; q=0.4", "fr"), (",,;,", ""),
  ])
  func `is the first of those that a browser likes best`(header: String, locale: String) {
    #expect(AcceptedLocale.best(in: ["accept-language": header]) == locale)
  }

  @Test func `however much is asked for, it is short`() {
    let long = String(repeating: "x", count: 36)
    #expect(AcceptedLocale.best(in: ["accept-language": long]) == "")
    let many = (0..<1000).map { _ in "xx" } + ["de"]
    #expect(AcceptedLocale.best(in: ["accept-language": many.joined(separator: ",")]) == "xx")
    #expect(AcceptedLocale.best(in: [:]) == "")
  }
}
