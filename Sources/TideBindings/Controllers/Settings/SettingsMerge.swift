import TideGraph

/// Merges the settings of two runs of one app, setting by setting.
///
///     written last by this run   theme = dark    size = 3
///     this run now               theme = light   size = 3
///     the file by now            theme = dark    size = 4
///     what is to be written      theme = light   size = 4
///
/// A setting that this run has changed or removed since its last write keeps this run's state. All
/// others are those of the file.
struct SettingsMerge {
  private let base: [DictionaryKey: JSONTree]?
  private let own: [DictionaryKey: JSONTree]?
  private let name: String

  /// - Parameters:
  ///   - base: the settings that this run has read or written last.
  ///   - own: the settings that it would write.
  ///   - name: the file's name in messages.
  init(base: String, own: String, name: String) throws(TideError) {
    self.base = try SettingsReader.settings(in: Array(base.utf8), file: name)
    self.own = try SettingsReader.settings(in: Array(own.utf8), file: name)
    self.name = name
  }

  /// The settings to be written; nil if the file cannot be merged, because an earlier version has
  /// written it or because it is broken.
  func settings(
    in bytes: [UInt8], own entries: [(key: DictionaryKey, value: SettingsEntry)]
  ) throws(TideError) -> [(key: DictionaryKey, value: SettingsEntry)]? {
    guard let base, let own, let theirs = try SettingsReader.settings(in: bytes, file: name) else {
      return nil
    }
    let isOwn = { (key: DictionaryKey) in
      text(own[key]) != text(base[key]) || text(own[key]) == text(theirs[key])
    }
    // Settings that cannot be written are among the entries, but not in this run's text.
    let kept = entries.filter { isOwn($0.key) }
    let others = theirs.filter { !isOwn($0.key) }
    return kept + others.map { (key: $0.key, value: SettingsEntry.unread($0.value)) }
  }

  private func text(_ tree: JSONTree?) -> String? { tree.map { SettingsWriter.text(of: $0) } }
}
