import CTideTemplates

/// The files for editors that lie in the program.
enum EditorFiles {
  /// Names from the plugin's folder, or from the app's for settings, and texts.
  static func of(_ editor: String) -> [(name: String, text: String)] {
    (0..<tide_editor_file_count()).map(tide_editor_file)
      .filter { String(cString: $0.editor) == editor }
      .map { file in
        let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
        return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
      }
  }

  /// Settings of editors that need no plugin, for the folder of an app.
  static func settings(app name: String) -> [(name: String, text: String)] {
    ["emacs", "helix", "kate"].flatMap(of).map {
      ($0.name, $0.text.replacing("@NAME@", with: name))
    }
  }
}
