// Upper and lower case by the rules of a language.
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

  /// A text for comparing regardless of case: equal for `Straße` and `STRASSE`, and for both forms
  /// of sigma.
  package func folded(_ text: String) -> String {
    lowercased(text).replacing("ß", with: "ss").replacing("ς", with: "σ")
  }

  /// Replaces each capital sigma at the end of a word by the final small sigma.
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

  /// Whether the next letter has a case, ignoring characters that belong to letters.
  private static func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
  }
}
