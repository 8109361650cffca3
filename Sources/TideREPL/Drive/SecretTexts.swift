import TideBindings
import TideSystem
import TideViews

/// The texts of secure fields. Answers that name a value do not contain them; `eval` runs any code,
/// and so may read them.
struct SecretTexts {
  private let texts: Set<String>

  init(of scene: Scene?) {
    guard let scene else {
      texts = []
      return
    }
    var found: Set<String> = []
    var rest = [scene.window] + scene.presented
    while let view = rest.popLast() {
      if view.shape.index(of: "secure") != nil, view[.secure], let text = view["text"].text,
        !text.isEmpty
      {
        found.insert(text)
      }
      rest += view.subviews
    }
    texts = found
  }

  func contains(_ text: String?) -> Bool { text.map(texts.contains) ?? false }

  /// A printed value in which no string is a secret.
  ///
  /// - Parameter literal: prints a string.
  func removed(fromPrinted text: String, _ literal: (String) -> String) -> String {
    texts.reduce(text) { $0.replacing(literal($1), with: "\"•••\"") }
  }

  /// A JSON text without the secrets; nil if it has none.
  func removed(fromJSON text: String) -> String? {
    guard !texts.isEmpty, let value = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    let safe = removed(from: value)
    return safe == value ? nil : safe.text
  }

  private func removed(from value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): contains(text) ? "•••" : value
    case .array(let elements): .array(elements.map(removed))
    case .object(let fields):
      .object(fields.map { JSONField(name: $0.name, value: removed(from: $0.value)) })
    default: value
    }
  }
}
