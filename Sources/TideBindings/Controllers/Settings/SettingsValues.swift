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

  /// A copy of lists and dictionaries, and of what is in them as deep as a file can hold it. What is
  /// in several places is one copy there as well.
  private static func copy(_ object: AnyObject) -> Value {
    var known: [ObjectIdentifier: Value] = [:]
    return copy(object, 0, &known)
  }

  private static func copy(
    _ object: AnyObject, _ depth: Int, _ known: inout [ObjectIdentifier: Value]
  ) -> Value {
    if let copy = known[ObjectIdentifier(object)] { return copy }
    guard depth < JSONWriter.deepest else { return .object(object) }
    // An object that contains itself cannot be written to a file: within its copy it stands uncopied.
    known[ObjectIdentifier(object)] = .object(object)
    let made: DataObject
    func copied(_ value: Value, _ known: inout [ObjectIdentifier: Value]) -> Value {
      if case .object(let inner) = value { copy(inner, depth + 1, &known) } else { value }
    }
    switch object {
    case let list as ValueList: made = ValueList(list.values.map { copied($0, &known) })
    case let dictionary as DictionaryObject:
      let copy = DictionaryObject()
      for key in dictionary.keys { copy.set(key, copied(dictionary[key], &known)) }
      made = copy
    default: return .object(object)
    }
    known[ObjectIdentifier(object)] = .object(made)
    return .object(made)
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
