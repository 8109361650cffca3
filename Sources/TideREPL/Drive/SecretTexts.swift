import TideBindings
import TideViews

/// The texts of secure fields, which no answer contains.
struct SecretTexts {
  private let texts: [String]

  /// Shorter texts occur by chance in other words.
  private static let shortest = 4

  init(of scene: Scene?) {
    guard let scene else {
      texts = []
      return
    }
    var found: [String] = []
    var rest = [scene.window] + scene.presented
    while let view = rest.popLast() {
      if view.shape.index(of: "secure") != nil, view[.secure],
        let text = view["text"].text, text.count >= Self.shortest
      {
        found.append(text)
      }
      rest += view.subviews
    }
    texts = found.sorted { $0.count > $1.count }
  }

  func removed(from text: String) -> String {
    texts.reduce(text) { $0.replacing($1, with: "•••") }
  }
}
