/// What was copied last, to be pasted anywhere in the program.
///
/// ```swift
/// scene.clipboard.copy("apple")
/// scene.clipboard.text                             // "apple"
/// scene.clipboard.onCopy = { print("copied", $0) }
/// ```
///
/// Other programs' text comes in as a paste (`InputEvent.paste`), never through here.
package final class Clipboard {
  /// What was copied last; empty at first.
  package private(set) var text = ""
  /// Called with each text that is copied; a renderer may offer it to other programs.
  package var onCopy: ((String) -> Void)?

  /// Makes an empty one.
  package init() {}

  /// Keeps text, and calls `onCopy`.
  package func copy(_ text: String) {
    self.text = text
    onCopy?(text)
  }
}
