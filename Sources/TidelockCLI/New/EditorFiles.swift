import CTideTemplates

/// The embedded files for editors.
enum EditorFiles {
  /// File names relative to the plugin's folder, or to the app's folder for settings, with
  /// contents.
  static func of(_ editor: String) -> [(name: String, text: String)] {
    (0..<tide_editor_file_count()).map(tide_editor_file)
      .filter { String(cString: $0.editor) == editor }
      .map { file in
        let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
        return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
      }
  }

  /// Settings of editors without a plugin, for an app's folder.
  static func settings(app name: String) -> [(name: String, text: String)] {
    ["emacs", "helix", "kate"].flatMap(of).map {
      ($0.name, $0.text.replacing("@NAME@", with: name))
    }
  }
}
