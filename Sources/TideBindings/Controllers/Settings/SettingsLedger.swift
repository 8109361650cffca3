import TideGraph

/// The state of settings as text, by key: the applied texts, those that have yet to be written to
/// the file, and the settings that have changed since.
///
///     changed ──▶ differing ──▶ unwritten ──▶ in the file
///                     ▲             │
///                     └─────────────┘ writing failed
///
/// The cost of each operation is that of the changed settings, except for `entries`,
/// `formerEntries` and `omission`.
struct SettingsLedger {
  /// A setting that has changed and whose new text is not known yet.
  struct Change {
    /// Where the change was made.
    var location: SourceLocation?
    /// Whether it counts as applied, because changes are written at once.
    var isApplied = false
    fileprivate var isSettled = false
  }

  /// A part of a setting that cannot be stored.
  struct Omission {
    let message: String
    let count: Int
    let location: SourceLocation?
  }

  private var applied: [DictionaryKey: String] = [:]
  /// The file's texts of settings whose applied text differs; nil for a setting that the file
  /// lacks.
  private var written: [DictionaryKey: String?] = [:]
  /// Settings that differ from their applied state.
  private(set) var differing: Set<DictionaryKey> = []
  private(set) var changed: [DictionaryKey: Change] = [:]
  /// Settings that have changed since the last settling.
  private var unsettled: [DictionaryKey] = []
  private var omissions: [DictionaryKey: Omission] = [:]
  private(set) var omissionsChanged = false
  private var textBytes = 0
  /// The size in bytes of all texts for the file, without separators.
  private(set) var length = 0

  /// Whether the applied state differs from the file.
  var hasUnwritten: Bool { !written.isEmpty }

  /// Its size in bytes.
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

  /// Records that the changes have settled.
  ///
  /// - Parameters:
  ///   - isApplied: whether they count as applied from now on.
  ///   - location: where they were made.
  mutating func settle(isApplied: Bool, at location: SourceLocation?) {
    for key in unsettled where changed[key] != nil {
      changed[key] = Change(location: location, isApplied: isApplied, isSettled: true)
    }
    unsettled.removeAll(keepingCapacity: unsettled.count < 64)
  }

  /// Makes differing settings count as applied.
  mutating func applyDiffering() {
    for key in differing where changed[key] == nil {
      changed[key] = Change(isApplied: true, isSettled: true)
    }
    for key in changed.keys { changed[key]?.isApplied = true }
    differing = []
  }

  /// The location of the only pending change; nil for several or if unknown.
  var locationOfChange: SourceLocation? {
    changed.count == 1 ? changed.values.first?.location : nil
  }

  // MARK: Texts

  func text(of key: DictionaryKey) -> String? { applied[key] }

  /// Records the current text of a setting, and whether it differs from the applied text.
  mutating func compare(_ key: DictionaryKey, with text: String?) {
    changed[key] = nil
    if isSame(text, applied[key]) { differing.remove(key) } else { differing.insert(key) }
  }

  /// Records the current text of a setting as applied.
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

  /// Records the text of a setting as applied and in the file.
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
    // Texts of up to fifteen bytes are stored inline.
    text.map { $0.utf8.count > 15 ? $0.utf8.count + textWeight : 0 } ?? 0
  }

  /// Records that the file holds everything that was applied.
  mutating func noteWritten() { written.removeAll() }

  /// Reverts applied texts that could not be written.
  mutating func rollBack() {
    for (key, former) in written {
      set(key, former)
      differing.insert(key)
    }
    written.removeAll()
  }

  /// The contents for the file.
  var entries: [(key: DictionaryKey, value: SettingsEntry)] {
    applied.map { ($0.key, .text($0.value)) }
  }

  /// The contents of the file before the pending write.
  var formerEntries: [(key: DictionaryKey, value: SettingsEntry)] {
    var former = applied
    for (key, text) in written { former[key] = text }
    return former.map { ($0.key, .text($0.value)) }
  }

  // Byte by byte, because Swift compares texts by canonical equivalence.
  private func isSame(_ text: String?, _ other: String?) -> Bool {
    guard let text, let other else { return text == nil && other == nil }
    return text.utf8.elementsEqual(other.utf8)
  }

  // MARK: Omissions

  /// The settings with parts that are left out.
  var omitted: some Sequence<DictionaryKey> { omissions.keys }

  mutating func omit(_ key: DictionaryKey, _ omission: Omission?) {
    if omission == nil && omissions[key] == nil { return }
    omissions[key] = omission
    omissionsChanged = true
  }

  /// The error for the parts that were left out; nil if everything was written.
  mutating func omission() -> TideError? {
    omissionsChanged = false
    guard let first = omissions.min(by: { $0.key < $1.key })?.value else { return nil }
    let others = omissions.values.reduce(-1) { $0 + $1.count }
    let rest = others == 0 ? "" : others == 1 ? "; nor is another" : "; nor are \(others) others"
    return TideError(.settings, first.message + rest, location: first.location)
  }
}
