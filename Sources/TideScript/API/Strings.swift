import TideBindings
import TideGraph
import TideLua

// Texts in other languages.
extension Runtime {
  var language: AppLanguage { table.transformers.language }

  /// A text in the language of the app, with a number in place of %d. Used for Tidelock's own
  /// texts.
  package func translation(of text: String, _ number: Int) -> String {
    graph.untracked { language.translate(text, .integer(number)) }
  }

  func installStrings() throws {
    language.follow(in: graph)
    try define(.strings) { [unowned self] call in
      var content: [String: [String: AppLanguage.Text]] = [:]
      for (key, value) in try call.table(0).entries() {
        guard case .string(let locale) = key, case .table(let texts) = value else {
          throw TideError(
            .badArgument,
            "strings maps locales to tables of texts, as strings { de = { Save = \"Sichern\" } }; "
              + "found \(value.preview) for \(key.preview)")
        }
        content[FormatLocale.identifier(of: locale), default: [:]].merge(
          try self.texts(in: texts, locale)
        ) { $1 }
      }
      if content.isEmpty { return }
      try charge(Weight.style)
      let language = language
      let made = language.add(content)
      let held = table.hold(AppLanguage.byteCount(of: content) + Weight.style)
      _ = context.own(setEnabled: { language.setEnabled($0, made) }) {
        withExtendedLifetime(held) { language.remove(made) }
      }
    }
    try define(.translate) { [unowned self] call in
      let text = try call.string(0)
      if call.isNil(1) { return call.return(language.translate(text)) }
      switch try call.value(1) {
      case .integer(let count): call.return(language.translate(text, .integer(count)))
      case .number(let count): call.return(language.translate(text, .number(count)))
      default: throw call.wrongType(1, "number")
      }
    }
  }

  private func texts(
    in table: LuaTable, _ locale: String
  ) throws -> [String: AppLanguage.Text] {
    var texts: [String: AppLanguage.Text] = [:]
    for (key, value) in try table.entries() {
      guard case .string(let text) = key else {
        throw TideError(
          .badArgument,
          "the texts of \"\(locale.inMessage)\" have texts as keys; found \(key.preview)")
      }
      try charge(text.utf8.count + Weight.entry)
      switch value {
      case .string(let translation):
        try charge(translation.utf8.count)
        texts[text] = .plain(translation)
      case .table(let forms): texts[text] = .plural(try pluralForms(forms, of: text))
      default:
        throw TideError(
          .wrongType,
          "\"\(text.inMessage)\" in \"\(locale.inMessage)\" is a text, or a table such as "
            + "{ one = \"%d file\", other = \"%d files\" }, not \(value.preview)")
      }
    }
    return texts
  }

  private func pluralForms(
    _ table: LuaTable, of text: String
  ) throws -> [FormatLocale.Category: String] {
    let names = FormatLocale.Category.allCases.map(\.rawValue)
    let options = try CallOptions(table, of: "the plural \"\(text.inMessage)\"", names)
    var forms: [FormatLocale.Category: String] = [:]
    for category in FormatLocale.Category.allCases {
      guard let form = try options.text(category.rawValue) else { continue }
      try charge(form.utf8.count + Weight.entry)
      forms[category] = form
    }
    guard forms[.other] != nil else {
      throw TideError(
        .badArgument, "the plural \"\(text.inMessage)\" lacks \"other\", the form for the rest")
    }
    return forms
  }
}

// MARK: Catalogue

extension APIEntry {
  static let strings = APIEntry(
    "strings(texts)", usage: "strings { de = { Save = \"Sichern\" } }",
    "Gives texts in other languages, until the context ends.",
    """
    @param texts table<string, table<string, string|tidelock.PluralForms>>
    """)

  static let translate = APIEntry(
    "translate(text, count)", usage: "translate(text [, count])",
    "A text in the language of `app.locale`, with a number in place of %d.",
    """
    @param text string
    @param count? number
    @return string
    """)
}

extension APISection {
  static let strings = APISection(
    article: "Words",
    entries: [.strings, .translate],
    types: """
      ---A text for each plural category of a language.
      ---@class tidelock.PluralForms
      \(FormatLocale.Category.allCases.map { "---@field \($0.rawValue)\($0 == .other ? "" : "?") string\n" }.joined())
      """)
}
