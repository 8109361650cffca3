package import TideGraph
import TideValues

/// The language of an app: its locale and its translations.
///
/// Transformers read it each time they run, and so run again when it changes. Readers are only
/// notified of changes after `follow`.
package final class AppLanguage {
  /// The identifier that the app has set. `locale` may be that of the language alone, or English.
  package private(set) var identifier = "en"
  private var locale = FormatLocale.english
  private var version: Signal<Int>?
  private var layers: [Texts] = []
  /// The number of its changes.
  private(set) var changes = 0

  /// Translations by locale, and then by the original text. They end with a context.
  package final class Texts {
    fileprivate let content: [String: [String: Text]]
    fileprivate var isEnabled = true

    fileprivate init(_ content: [String: [String: Text]]) { self.content = content }
  }

  /// A translation, in one form or in one for each plural category.
  package enum Text: Sendable {
    case plain(String)
    case plural([FormatLocale.Category: String])
  }

  package init() {}

  /// Notifies readers of changes from now on.
  package func follow(in graph: Graph) { version = version ?? graph.signal(0) }

  /// The locale. The read is recorded.
  package var current: FormatLocale {
    _ = version?.value
    return locale
  }

  private func changed() {
    changes += 1
    guard let version else { return }
    version.value &+= 1
  }

  /// - Parameter identifier: in the form of BCP 47. If neither it nor its language is known, values
  ///   are written as in English.
  package func use(_ identifier: String) {
    if identifier == self.identifier { return }
    self.identifier = identifier
    locale = FormatLocale.named(identifier) ?? .english
    changed()
  }

  // MARK: Texts

  /// The size of the translations of some locales in bytes.
  package static func byteCount(of content: [String: [String: Text]]) -> Int {
    content.values.joined().reduce(0) { sum, entry in
      let text: Int =
        switch entry.value {
        case .plain(let text): text.utf8.count
        case .plural(let forms): forms.values.reduce(0) { $0 + $1.utf8.count + 64 }
        }
      return sum + 64 + entry.key.utf8.count + text
    }
  }

  package func add(_ content: [String: [String: Text]]) -> Texts {
    let texts = Texts(content)
    layers.append(texts)
    changed()
    return texts
  }

  package func remove(_ texts: Texts) {
    // Contexts end their latest entries first.
    if let index = layers.lastIndex(where: { $0 === texts }) { layers.remove(at: index) }
    changed()
  }

  package func setEnabled(_ isEnabled: Bool, _ texts: Texts) {
    texts.isEnabled = isEnabled
    changed()
  }

  /// The translation of a text; nil if there is none.
  private func translation(of key: String) -> Text? {
    let language = String(identifier.prefix { $0 != "-" })
    for name in language == identifier ? [identifier] : [identifier, language] {
      for layer in layers.reversed() where layer.isEnabled {
        if let text = layer.content[name]?[key] { return text }
      }
    }
    return nil
  }

  /// A text in the app's language, or the text itself without a translation. The read is recorded.
  package func translate(_ key: String) -> String {
    _ = version?.value
    switch translation(of: key) {
    case .plain(let text): return text
    case .plural(let forms): return forms[.other] ?? key
    case nil: return key
    }
  }

  /// A text for a count in the app's language, with the count in place of `%d`.
  package func translate(_ key: String, _ count: Value) -> String {
    translation(key, count) ?? filled(key, count)
  }

  func translation(_ key: String, _ count: Value) -> String? {
    let locale = current
    switch translation(of: key) {
    case .plain(let text): return filled(text, count)
    case .plural(let forms):
      let form = forms[locale.category(of: Arithmetic.float(count))] ?? forms[.other]
      return filled(form ?? key, count)
    case nil: return nil
    }
  }

  private func filled(_ text: String, _ count: Value) -> String {
    text.replacing("%d", with: current.text(count.text ?? "", isGrouped: true), maxReplacements: 1)
  }
}
