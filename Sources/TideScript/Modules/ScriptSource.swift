/// Where the main script of an app comes from.
enum ScriptSource {
  case file(String)
  /// A text, its name in messages, and the folder of the app's other files; nil without any.
  case text(String, name: String, folder: String?)

  /// The text; nil for a file.
  var text: String? {
    if case .text(let text, _, _) = self { text } else { nil }
  }
}
