/// The program's own clipboard.
///
/// ```swift
/// scene.clipboard.copy("apple")
/// scene.clipboard.text                             // "apple"
/// scene.clipboard.onCopy = { print("copied", $0) }
/// ```
///
/// Text from other programs arrives as a paste (`InputEvent.paste`).
package final class Clipboard {
  /// The text copied last; empty at first.
  package private(set) var text = ""
  /// Called with each copied text; a renderer may offer it to other programs.
  package var onCopy: ((String) -> Void)?

  /// Makes an empty clipboard.
  package init() {}

  /// Stores a text and calls `onCopy`.
  package func copy(_ text: String) {
    self.text = text
    onCopy?(text)
  }
}
