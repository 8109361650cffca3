package import TideGraph
import TideValues

/// The language that an app speaks: its locale, and the texts that it has in other languages.
///
/// Transformers read it each time they run, and so run again when it changes. Without `follow` it
/// stays as it is.
package final class AppLanguage {
  /// As the app has named it; `locale` may be that of the language alone, or English.
  package private(set) var identifier = "en"
  private var locale = FormatLocale.english
  private var version: Signal<Int>?
  private var layers: [Texts] = []

  /// Texts by locale, and then by the text that they stand for. They end with a context.
  package final class Texts {
    fileprivate let content: [String: [String: Text]]
    fileprivate var isEnabled = true

    fileprivate init(_ content: [String: [String: Text]]) { self.content = content }
  }

  /// A text in another language, in one form or in one for each plural category.
  package enum Text: Sendable {
    case plain(String)
    case plural([FormatLocale.Category: String])
  }

  package init() {}

  /// Lets those who read it know of changes.
  package func follow(in graph: Graph) { version = version ?? graph.signal(0) }

  /// The locale; reading is recorded.
  package var current: FormatLocale {
    _ = version?.value
    return locale
  }

  private func changed() {
    guard let version else { return }
    version.value &+= 1
  }

  /// - Parameter identifier: as BCP 47 writes it; where nothing is known of it or its language, all
  ///   is written as in English.
  package func use(_ identifier: String) {
    if identifier == self.identifier { return }
    self.identifier = identifier
    locale = FormatLocale.named(identifier) ?? .english
    changed()
  }

  // MARK: Texts

  /// What the texts of some locales take in memory.
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
    // Contexts end what they made last first.
    if let index = layers.lastIndex(where: { $0 === texts }) { layers.remove(at: index) }
    changed()
  }

  package func setEnabled(_ isEnabled: Bool, _ texts: Texts) {
    texts.isEnabled = isEnabled
    changed()
  }

  /// What stands for a text; nil where nothing does.
  private func translation(of key: String) -> Text? {
    let language = String(identifier.prefix { $0 != "-" })
    for name in language == identifier ? [identifier] : [identifier, language] {
      for layer in layers.reversed() where layer.isEnabled {
        if let text = layer.content[name]?[key] { return text }
      }
    }
    return nil
  }

  /// A text in the app's language; the text itself where there is none. Reading is recorded.
  package func translate(_ key: String) -> String {
    _ = version?.value
    switch translation(of: key) {
    case .plain(let text): return text
    case .plural(let forms): return forms[.other] ?? key
    case nil: return key
    }
  }

  /// The same for a number of things, with the number in place of `%d`.
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
