import TideGraph

/// Joins the settings of two runs of one app, setting by setting.
///
///     written last by this run   theme = dark    size = 3
///     this run now               theme = light   size = 3
///     the file by now            theme = dark    size = 4
///     what is to be written      theme = light   size = 4
///
/// What this run has changed since it wrote last is its own, also where it has taken a setting
/// away; the rest is the file's.
struct SettingsMerge {
  private let base: [DictionaryKey: JSONTree]?
  private let own: [DictionaryKey: JSONTree]?
  private let name: String

  /// - Parameters:
  ///   - base: what this run has read or written last.
  ///   - own: what it would write.
  ///   - name: what messages call the file.
  init(base: String, own: String, name: String) throws(TideError) {
    self.base = try SettingsReader.settings(in: Array(base.utf8), file: name)
    self.own = try SettingsReader.settings(in: Array(own.utf8), file: name)
    self.name = name
  }

  /// The settings to be written; nil where the file is none that could be joined, because an
  /// earlier version has written it, or because it is broken.
  func settings(
    in bytes: [UInt8], own entries: [(key: DictionaryKey, value: SettingsEntry)]
  ) throws(TideError) -> [(key: DictionaryKey, value: SettingsEntry)]? {
    guard let base, let own, let theirs = try SettingsReader.settings(in: bytes, file: name) else {
      return nil
    }
    let isOwn = { (key: DictionaryKey) in
      text(own[key]) != text(base[key]) || text(own[key]) == text(theirs[key])
    }
    // What cannot be written is among the entries, and not in the text that would be.
    let kept = entries.filter { isOwn($0.key) }
    let others = theirs.filter { !isOwn($0.key) }
    return kept + others.map { (key: $0.key, value: SettingsEntry.unread($0.value)) }
  }

  private func text(_ tree: JSONTree?) -> String? { tree.map { SettingsWriter.text(of: $0) } }
}
