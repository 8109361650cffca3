import TideGraph

extension BuiltInTransformers {
  static var text: [String: Entry] {
    [
      "uppercase": ofWords("uppercase", "Gives the text in capitals.") { text, locale in
        try text.mapped { locale.uppercased($0) }
      },
      "lowercase": ofWords("lowercase", "Gives the text in small letters.") { text, locale in
        try text.mapped { locale.lowercased($0) }
      },
      "capitalized": ofWords("capitalized", "Begins each word of the text with a capital.") {
        text, locale in
        try text.capitalizedWords(in: locale)
      },
      "trim": ofText("trim", "Removes blanks at both ends of the text.") { $0.trimmed },
      "length": Entry(
        usage: "length",
        summary: "Gives the number of characters of a text, or of elements of a list.",
        counts: 0...0
      ) { (_) throws(TideError) in
        passingNil("length", { .integer(try length(of: $0)) })
      },
      "prefix": Entry(
        usage: "prefix(text)",
        summary: "Puts a text before the value, and removes it on the way back.",
        example: "prefix('No. ')", counts: 1...1
      ) { (arguments) throws(TideError) in
        let prefix = try arguments.text(0)
        return passingNil("prefix", { .string(prefix + ($0.text ?? "")) }) { value in
          let text = value.text ?? ""
          guard text.utf8.starts(with: prefix.utf8) else {
            throw value.conversionError(
              to: "a text", because: "it does not begin with \"\(prefix)\"")
          }
          return .string(String(text.unicodeScalars.dropFirst(prefix.unicodeScalars.count)))
        }
      },
      "suffix": Entry(
        usage: "suffix(text)",
        summary: "Puts a text behind the value, and removes it on the way back.",
        example: "suffix(' kg')", counts: 1...1
      ) { (arguments) throws(TideError) in
        let suffix = try arguments.text(0)
        return passingNil("suffix", { .string(($0.text ?? "") + suffix) }) { value in
          let text = value.text ?? ""
          guard text.utf8.reversed().starts(with: suffix.utf8.reversed()) else {
            throw value.conversionError(to: "a text", because: "it does not end with \"\(suffix)\"")
          }
          return .string(String(text.unicodeScalars.dropLast(suffix.unicodeScalars.count)))
        }
      },
      "format": Entry(
        usage: "format(pattern)",
        summary: "Writes the value with a pattern of Lua's string.format.",
        example: "format('%.2f')", counts: 1...1
      ) { (arguments) throws(TideError) in
        let format = try LuaFormat(arguments.text(0))
        return passingNil("format", { try format.apply(to: $0) })
      },
      "plural": Entry(
        usage: "plural(one, many)",
        summary: "Writes a number with the noun in the form that it needs.",
        example: "plural(friend, friends)", counts: 2...2,
        build: { (arguments) throws(TideError) in
          let forms = try pluralForms(arguments)
          let language = arguments.language
          return passingNil("plural") { value in
            let number = try value.convertedToNumber()
            let locale = language.current
            let category = locale.category(of: Arithmetic.float(number))
            let form = forms[category] ?? forms[.other] ?? ""
            return .string("\(locale.text(number.text ?? "", isGrouped: false)) \(form)")
          }
        }, takesEntries: true),
      "translated": Entry(
        usage: "translated(text)", summary: "Gives the text in the language of app.locale.",
        example: "translated('%d files')", counts: 0...1
      ) {
        (arguments) throws(TideError) in
        let language = arguments.language
        if arguments.count == 0 {
          return passingNil("translated", { .string(language.translate($0.text ?? "")) })
        }
        let text = try arguments.text(0)
        return passingNil("translated") { value in
          .string(language.translate(text, try value.convertedToNumber()))
        }
      },
    ]
  }

  /// A text transformer that uses the rules of the app's language.
  private static func ofWords(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (String, FormatLocale) throws -> String
  ) -> Entry {
    Entry(usage: name, summary: summary, counts: 0...0) { (arguments) throws(TideError) in
      let language = arguments.language
      return AnyTransformer(
        name,
        { value in
          if value.isNil { return .null }
          return .string(try change(value.text ?? "", language.current))
        })
    }
  }

  /// `plural(one, many)`, and `plural(one: x, few: y, other: z)` for languages with more forms.
  private static func pluralForms(
    _ arguments: TransformerArguments
  ) throws(TideError) -> [FormatLocale.Category: String] {
    if arguments.entries.isEmpty {
      try arguments.require(2...2)
      return [.one: try arguments.text(0), .other: try arguments.text(1)]
    }
    var forms: [FormatLocale.Category: String] = [:]
    for entry in arguments.entries {
      let names = FormatLocale.Category.allCases.map(\.rawValue)
      guard case .value(.string(let name)) = entry.key,
        let category = FormatLocale.Category(rawValue: name)
      else {
        throw TideError(
          .badArgument, "plural takes \(names.joined(separator: ", ")), not \"\(entry)\"")
      }
      forms[category] = entry.result.text ?? ""
    }
    guard forms[.other] != nil, arguments.values.isEmpty else {
      throw TideError(
        .badArgument, "plural takes two texts, or one for each category with \"other\" among them")
    }
    return forms
  }

  /// The number of characters of a text, of bytes of invalid text, or of elements of a list.
  private static func length(of value: Value) throws(WorkError) -> Int {
    switch value {
    case .bytes(let bytes): return bytes.count
    case .object(let object as any ValueSequence): return object.values.count
    default:
      var clock = WorkClock()
      var count = 0
      for _ in value.text ?? "" {
        try clock.step()
        count += 1
      }
      return count
    }
  }
}

extension String {
  /// Each word with a capital letter and the rest small, as Cocoa's `capitalizedString`.
  ///
  /// A word begins at a letter after any character but a letter, a digit or an apostrophe.
  func capitalizedWords(in locale: FormatLocale) throws(WorkError) -> String {
    try WorkBudget.admit(bytes: utf8.count)
    var clock = WorkClock()
    var result = ""
    result.reserveCapacity(utf8.count)
    var isInside = false
    // The form of a sigma depends on its position in the word.
    let words = FormatLocale.withFinalSigmas(self)
    for character in words {
      try clock.step()
      result += isInside ? locale.lowercased(String(character)) : locale.titlecased(character)
      isInside = character.isLetter || character.isNumber || (isInside && character.isApostrophe)
    }
    return result
  }

  /// Applies a function to the text, to a long one piece by piece.
  func mapped(_ change: (String) -> String) throws(WorkError) -> String {
    let piece = 1 << 14
    if utf8.count <= piece { return change(self) }
    try WorkBudget.admit(bytes: utf8.count)
    var result = ""
    var start = startIndex
    while start < endIndex {
      try WorkBudget.checkTime()
      let end = unicodeScalars.index(start, offsetBy: piece, limitedBy: endIndex) ?? endIndex
      result += change(String(self[start..<end]))
      start = end
    }
    return result
  }
}

extension Character {
  fileprivate var isApostrophe: Bool { self == "'" || self == "\u{2019}" }

  var titlecased: String {
    guard isLetter, let first = unicodeScalars.first else { return String(self) }
    return first.properties.titlecaseMapping
      + String(String.UnicodeScalarView(unicodeScalars.dropFirst()))
  }
}
