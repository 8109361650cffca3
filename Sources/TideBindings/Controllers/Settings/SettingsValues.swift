import TideGraph

/// The values of a settings controller: what was set, and for the rest the initial values.
final class SettingsValues: DictionaryObject {
  private let initial: DictionaryObject
  /// Lists and dictionaries of the initial values that were read: copies, which may be edited.
  private var copies: [DictionaryKey: Value] = [:]

  init(_ initial: DictionaryObject) {
    self.initial = initial
    super.init()
  }

  override func missingValue(of key: DictionaryKey) -> Value {
    if let copy = copies[key] { return copy }
    let value = initial[key]
    guard case .object(let object) = value else { return value }
    let copy = Self.copy(object)
    if copy != value { copies[key] = copy }
    return copy
  }

  private static func copy(_ object: AnyObject) -> Value {
    switch object {
    case let list as ValueList:
      return .object(
        ValueList(
          list.values.map { if case .object(let inner) = $0 { copy(inner) } else { $0 } }))
    case let dictionary as DictionaryObject:
      let made = DictionaryObject()
      for key in dictionary.keys {
        let value = dictionary[key]
        if case .object(let inner) = value {
          made.set(key, copy(inner))
        } else {
          made.set(key, value)
        }
      }
      return .object(made)
    default: return .object(object)
    }
  }

  /// What is to be kept: what differs from the initial values, recorded.
  var kept: [(key: String, value: Value)] {
    var found = keys.map { (key: $0.text, value: self[$0]) }
    // Made here if nobody has read them yet, so that edits of them are followed.
    for key in initial.keys where !holds(key) {
      let copy = self[key]
      if copy != initial[key], !Self.isSame(copy, initial[key]) { found.append((key.text, copy)) }
    }
    return found
  }

  private static func isSame(_ value: Value, _ other: Value) -> Bool {
    var writers = (JSONWriter(), JSONWriter())
    writers.0.write(entries: [("value", value)])
    writers.1.write(entries: [("value", other)])
    return writers.0.text == writers.1.text
  }

  /// Makes the values those of another dictionary, and for the rest the initial ones.
  func replace(by other: DictionaryObject) {
    copies = [:]
    graph.batch {
      for key in graph.untracked({ keys }) where !other.holds(key) { set(key, .null) }
      for key in graph.untracked({ other.keys }) {
        let new = graph.untracked { other[key] }
        if !graph.untracked({ Self.isSame(self[key], new) }) { set(key, new) }
      }
      // Copies that nobody has set are read anew.
      touch()
    }
  }
}
