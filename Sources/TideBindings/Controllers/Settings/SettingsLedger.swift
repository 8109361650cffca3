import TideGraph

/// What settings are as text, key by key: what counts as applied, what of that has yet to be
/// written to the file, and which settings have changed since.
///
///     changed ──▶ differing ──▶ unwritten ──▶ in the file
///                     ▲             │
///                     └─────────────┘ writing failed
///
/// Nothing here goes through more settings than have changed, but for `entries` and `omission`.
struct SettingsLedger {
  /// A setting that has changed, and whose text is not known since.
  struct Change {
    /// Where it was made.
    var location: SourceLocation?
    /// Whether it counts as applied, because changes are written at once.
    var isApplied = false
    fileprivate var isSettled = false
  }

  /// Something that no file can hold.
  struct Omission {
    let message: String
    let count: Int
    let location: SourceLocation?
  }

  private var applied: [DictionaryKey: String] = [:]
  /// What the file holds of those settings whose applied text is another; nil for nothing.
  private var written: [DictionaryKey: String?] = [:]
  /// Settings that are not as they were applied.
  private(set) var differing: Set<DictionaryKey> = []
  private(set) var changed: [DictionaryKey: Change] = [:]
  /// Those that have changed since the last settling.
  private var unsettled: [DictionaryKey] = []
  private var omissions: [DictionaryKey: Omission] = [:]
  private(set) var omissionsChanged = false
  private var textBytes = 0
  /// The bytes of all that is to be in the file, beside what stands between.
  private(set) var length = 0

  /// Whether what was applied is not in the file.
  var hasUnwritten: Bool { !written.isEmpty }

  /// The bytes that it takes.
  var byteCount: Int {
    textBytes + (applied.capacity + written.capacity) * Self.textWeight
      + (differing.capacity + changed.capacity + unsettled.capacity) * Self.changeWeight
  }

  private static let (textWeight, changeWeight) = (48, 64)

  // MARK: Changes

  mutating func note(_ key: DictionaryKey) {
    if let known = changed[key], !known.isSettled { return }
    changed[key, default: Change()].isSettled = false
    unsettled.append(key)
  }

  /// What has changed has settled.
  ///
  /// - Parameters:
  ///   - isApplied: whether it counts as applied from now on.
  ///   - location: where the changes were made.
  mutating func settle(isApplied: Bool, at location: SourceLocation?) {
    for key in unsettled where changed[key] != nil {
      changed[key] = Change(location: location, isApplied: isApplied, isSettled: true)
    }
    unsettled.removeAll(keepingCapacity: unsettled.count < 64)
  }

  /// What differs counts as applied from now on.
  mutating func applyDiffering() {
    for key in differing where changed[key] == nil {
      changed[key] = Change(isApplied: true, isSettled: true)
    }
    for key in changed.keys { changed[key]?.isApplied = true }
    differing = []
  }

  /// Where what fails now was changed, if that is known.
  var locationOfChange: SourceLocation? {
    changed.count == 1 ? changed.values.first?.location : nil
  }

  // MARK: Texts

  func text(of key: DictionaryKey) -> String? { applied[key] }

  /// The text of a setting is this by now; whether it differs from what was applied is known then.
  mutating func compare(_ key: DictionaryKey, with text: String?) {
    changed[key] = nil
    if isSame(text, applied[key]) { differing.remove(key) } else { differing.insert(key) }
  }

  /// The same, and it is applied.
  mutating func apply(_ key: DictionaryKey, _ text: String?) {
    changed[key] = nil
    differing.remove(key)
    let former = applied[key]
    if isSame(text, former) { return }
    set(key, text)
    guard let original = written[key] else {
      written[key] = .some(former)
      return
    }
    if isSame(original, text) { written[key] = nil }
  }

  /// The same, and the file holds it.
  mutating func adopt(_ key: DictionaryKey, _ text: String?) {
    changed[key] = nil
    differing.remove(key)
    written[key] = nil
    set(key, text)
  }

  private mutating func set(_ key: DictionaryKey, _ text: String?) {
    length += (text?.utf8.count ?? 0) - (applied[key]?.utf8.count ?? 0)
    textBytes += Self.weight(text) - Self.weight(applied[key])
    applied[key] = text
  }

  private static func weight(_ text: String?) -> Int {
    // Fifteen bytes fit into the text itself.
    text.map { $0.utf8.count > 15 ? $0.utf8.count + textWeight : 0 } ?? 0
  }

  /// The file holds all that was applied.
  mutating func noteWritten() { written.removeAll() }

  /// What was applied could not be written.
  mutating func rollBack() {
    for (key, former) in written {
      set(key, former)
      differing.insert(key)
    }
    written.removeAll()
  }

  /// What is to be in the file.
  var entries: [(key: DictionaryKey, value: SettingsEntry)] {
    applied.map { ($0.key, .text($0.value)) }
  }

  /// What was in the file before what has yet to be written.
  var formerEntries: [(key: DictionaryKey, value: SettingsEntry)] {
    var former = applied
    for (key, text) in written { former[key] = text }
    return former.map { ($0.key, .text($0.value)) }
  }

  // Byte by byte, since Swift's texts are equal where one composes what the other decomposes.
  private func isSame(_ text: String?, _ other: String?) -> Bool {
    guard let text, let other else { return text == nil && other == nil }
    return text.utf8.elementsEqual(other.utf8)
  }

  // MARK: What is left out

  /// The settings of which something is left out.
  var omitted: some Sequence<DictionaryKey> { omissions.keys }

  mutating func omit(_ key: DictionaryKey, _ omission: Omission?) {
    if omission == nil && omissions[key] == nil { return }
    omissions[key] = omission
    omissionsChanged = true
  }

  /// What was left out; nil where everything was written.
  mutating func omission() -> TideError? {
    omissionsChanged = false
    guard let first = omissions.min(by: { $0.key < $1.key })?.value else { return nil }
    let others = omissions.values.reduce(-1) { $0 + $1.count }
    let rest = others == 0 ? "" : others == 1 ? "; nor is another" : "; nor are \(others) others"
    return TideError(.settings, first.message + rest, location: first.location)
  }
}
