import NIOHTTP1
import TideBindings

/// The language that a browser asks for.
///
/// ```swift
/// AcceptedLocale.best(in: ["accept-language": "de-CH, en;q=0.8"])     // "de-CH"
/// ```
enum AcceptedLocale {
  /// The most preferred language whose number formats are known, or else the most preferred one;
  /// empty if the browser names none.
  static func best(in headers: HTTPHeaders) -> String {
    let tags = headers["accept-language"].flatMap { $0.split(separator: ",") }.prefix(most)
    let wanted = tags.enumerated().compactMap { index, tag in
      entry(tag).map { (locale: $0.locale, weight: $0.weight, index: index) }
    }
    let sorted = wanted.sorted { ($1.weight, $0.index) < ($0.weight, $1.index) }.map(\.locale)
    return sorted.first { FormatLocale.named($0) != nil } ?? sorted.first ?? ""
  }

  /// An entry such as `de-CH;q=0.8`; nil if it is invalid or unwanted.
  private static func entry(_ text: Substring) -> (locale: String, weight: Double)? {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    guard let tag = parts.first, (1...longest).contains(tag.utf8.count),
      tag.utf8.allSatisfy(isOfTag), tag.first?.isLetter == true
    else { return nil }
    var weight = 1.0
    if let given = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) {
      guard let number = Double(given.dropFirst(2)), number > 0, number <= 1 else { return nil }
      weight = number
    }
    return (FormatLocale.identifier(of: tag), weight)
  }

  private static func isOfTag(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// RFC 5646 has tags of up to 35 characters.
  private static let longest = 35
  private static let most = 32
}
