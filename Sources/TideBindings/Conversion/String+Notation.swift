extension String {
  /// The noun with its indefinite article, for messages: "an object", "a view".
  package var withArticle: String {
    let isVowel = first.map { "aeiouAEIOU".contains($0) } ?? false
    // Pronounced with a consonant: "a userdata", "a unit".
    let isSpoken = !["use", "uni", "one", "eu"].contains { lowercased().hasPrefix($0) }
    return (isVowel && isSpoken ? "an " : "a ") + self
  }
}

extension String {
  /// The text without white space, including line breaks, at either end.
  var trimmed: String {
    guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return self }
    guard first.properties.isWhitespace || last.properties.isWhitespace else { return self }
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[start...end])
  }
}
