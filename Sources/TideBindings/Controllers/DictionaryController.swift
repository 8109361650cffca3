import TideGraph

/// Stands between a dictionary and views: shows its entries as rows of key and value.
///
/// ```swift
/// let colors = DictionaryController(DictionaryObject(["apple": "red"]))
/// colors.includedKeys = ["pear"]       // a row even while there is no such entry
/// try context.bind("selection.value <> text", colors, field)
/// ```
///
/// The rows are `DictionaryPair`s, sorted by key in the app's language unless `sort` is set. Adding or removing an entry
/// adds or removes its row; editing a pair's value or key changes the dictionary. `add` makes an
/// entry with `initialKey` and `initialValue`, and appends a number to a key that is taken.
public final class DictionaryController: ListController {
  /// The current rows by key.
  private var pairs: [DictionaryKey: DictionaryPair] = [:]
  private var pairList: ComputedList?

  package static let dictionaryShape = Shape(
    name: "controller.dictionary",
    properties: [
      contentProperty,
      names("includedKeys"), names("excludedKeys"),
      PropertyDescription("initialKey", .string, initial: .string("key")),
      PropertyDescription("initialValue", .any, initial: .string("value")),
    ], superclass: listShape, swiftClasses: [ObjectIdentifier(DictionaryController.self)])

  private static var contentProperty: PropertyDescription {
    var description = PropertyDescription("content", .dictionary, isNullable: true)
    description.validate = { _, value in
      if case .object(let object) = value, !(object is DictionaryObject) {
        throw TideError(
          .wrongType,
          "a dictionary controller's content is a dict, as dict { … } makes it; not "
            + ((object as? DataObject)?.label ?? value.typeName).withArticle)
      }
      return value
    }
    return leaving(description)
  }

  private static func names(_ name: String) -> PropertyDescription {
    PropertyDescription(name, .list, initial: .make { .object(ValueList()) })
  }

  /// Makes a controller of a dictionary's pairs.
  public init(_ content: DictionaryObject? = nil) {
    super.init(shape: Self.dictionaryShape)
    let handle = ObjectHandle(self)
    pairList = ComputedList { () throws(WorkError) in
      try (handle.object as? DictionaryController)?.shownPairs() ?? []
    }
    makeNewObject = { (handle.object as? DictionaryController)?.makePair() ?? .null }
    if let content { put("content", .object(content)) }
    // The arrangement made by `super.init` had no list of pairs to follow.
    rearrange()
  }

  /// The dictionary whose entries are shown.
  public var dictionary: DictionaryObject? {
    get {
      if case .object(let object as DictionaryObject) = self["content"] { object } else { nil }
    }
    set { put("content", newValue.map { .object($0) } ?? .null) }
  }

  /// Keys that have a row even while the dictionary has no such entry.
  public var includedKeys: [String] {
    get { texts("includedKeys") }
    set { put("includedKeys", .object(ValueList(newValue.map { .string($0) }))) }
  }

  /// Keys that have no row.
  public var excludedKeys: [String] {
    get { texts("excludedKeys") }
    set { put("excludedKeys", .object(ValueList(newValue.map { .string($0) }))) }
  }

  private func texts(_ name: String) -> [String] { keys(name).map(\.text) }

  private func keys(_ name: String) -> [DictionaryKey] {
    guard case .object(let list as ValueList) = self[name] else { return [] }
    return list.values.compactMap { DictionaryKey($0) }
  }

  // MARK: Rows

  override func contentList() -> ValueList? { pairList }

  override var mayAdd: Bool { isEditable && dictionary != nil }

  func isIncluded(_ key: DictionaryKey) -> Bool { keys("includedKeys").contains(key) }

  func isShown(_ key: DictionaryKey) -> Bool {
    dictionary?.holds(key) == true || isIncluded(key)
  }

  private func shownPairs() throws(WorkError) -> [Value] {
    let excluded = Set(keys("excludedKeys"))
    let present = dictionary?.unsortedKeys ?? []
    var known = Set(present)
    let absent = keys("includedKeys").filter { known.insert($0).inserted }
    // Keys that the language does not distinguish stay in the order of their bytes.
    let sorted = try (present + absent).sorted(byKey: { $0 }).filter { !excluded.contains($0) }
    let collation = Collation(BindingTable.of(graph).transformers.language.current.identifier)
    let shown = sorted.map { (key: $0, order: collation.key(of: $0.text)) }
      .enumerated().sorted {
        let difference = $0.element.order.compare(with: $1.element.order)
        return difference == 0 ? $0.offset < $1.offset : difference < 0
      }.map(\.element.key)
    try WorkBudget.checkTime()
    var next: [DictionaryKey: DictionaryPair] = [:]
    for key in shown { next[key] = pairs[key] ?? DictionaryPair(key, in: self) }
    pairs = next
    return shown.compactMap { next[$0].map { .object($0) } }
  }

  /// Moves an entry to another key and keeps its row.
  func renamed(_ pair: DictionaryPair, from old: DictionaryKey) {
    pairs[old] = nil
    pairs[pair.storedKey] = pair
    guard let dictionary else { return }
    let value = graph.untracked { dictionary[old] }
    dictionary.set(old, .null)
    dictionary.set(pair.storedKey, value)
  }

  // MARK: Adding and removing

  private func makePair() -> Value {
    graph.untracked {
      let base: String
      if case .string(let text) = self["initialKey"] { base = text } else { base = "key" }
      let included = Set(keys("includedKeys"))
      var key = DictionaryKey.text(base)
      var number = 1
      while dictionary?.holds(key) == true || included.contains(key) {
        key = .text(base + String(number))
        number += 1
      }
      return .object(DictionaryPair(key, in: self))
    }
  }

  override func insertContent(_ objects: [Value], at position: Int?) throws {
    guard let dictionary = graph.untracked({ dictionary }) else {
      throw TideError(.refused, "there is no dictionary to add to; set the content first")
    }
    let included = Set(graph.untracked { keys("includedKeys") })
    for object in objects {
      guard case .object(let pair as DictionaryPair) = object else {
        throw TideError(
          .wrongType,
          "a dictionary's rows are pairs, as newObject makes them; not"
            + " \(object.typeAndPreview)")
      }
      if graph.untracked({ dictionary.holds(pair.storedKey) }) || included.contains(pair.storedKey)
      {
        throw TideError(.refused, "there is an entry \"\(pair.key)\" already; choose another key")
      }
      pairs[pair.storedKey] = pair
      let value = graph.untracked { self["initialValue"] }
      dictionary.set(pair.storedKey, value)
    }
  }

  override func removeContent(_ positions: RowSet) throws {
    guard let list = pairList, let dictionary = graph.untracked({ dictionary }) else { return }
    let removed = graph.untracked { positions.rows.compactMap { list[$0] } }
    for case .object(let pair as DictionaryPair) in removed {
      dictionary.set(pair.storedKey, .null)
    }
  }
}
