// Capital and small letters as a language has them.
extension FormatLocale {
  private var hasDotlessI: Bool { language == "tr" }

  package func uppercased(_ text: String) -> String {
    (hasDotlessI ? text.replacing("i", with: "İ") : text).uppercased()
  }

  package func lowercased(_ text: String) -> String {
    var text = Self.withFinalSigmas(text)
    if hasDotlessI {
      text = text.replacing("İ", with: "i").replacing("I\u{307}", with: "i")
        .replacing("I", with: "ı")
    }
    return text.lowercased()
  }

  func titlecased(_ character: Character) -> String {
    hasDotlessI && character == "i" ? "İ" : character.titlecased
  }

  /// A text for comparing regardless of case: the same for `Straße` and `STRASSE`, and for both
  /// forms of sigma.
  package func folded(_ text: String) -> String {
    lowercased(text).replacing("ß", with: "ss").replacing("ς", with: "σ")
  }

  /// A text in which each capital sigma at the end of a word is the small one that stands there.
  static func withFinalSigmas(_ text: String) -> String {
    guard text.unicodeScalars.contains("Σ") else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isFinal =
        scalar == "Σ" && isCased(scalars[..<index].reversed())
        && !isCased(scalars[(index + 1)...])
      result.append(isFinal ? "ς" : scalar)
    }
    return String(result)
  }

  /// Whether a letter with a case comes next, apart from what goes with letters.
  private static func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
  }
}
