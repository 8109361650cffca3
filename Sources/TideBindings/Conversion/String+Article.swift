extension String {
  /// The noun with its indefinite article, for messages: "an object", "a view".
  package var withArticle: String {
    let isVowel = first.map { "aeiouAEIOU".contains($0) } ?? false
    // Spoken with a consonant: "a userdata", "a unit".
    let isSpoken = !["use", "uni", "one", "eu"].contains { lowercased().hasPrefix($0) }
    return (isVowel && isSpoken ? "an " : "a ") + self
  }
}
