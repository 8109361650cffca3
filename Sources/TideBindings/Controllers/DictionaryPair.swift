public import TideGraph

/// One entry of a dictionary, as a row: its key and its value, which may both be edited.
///
/// ```swift
/// let colors = DictionaryController(DictionaryObject(["apple": "red"]))
/// if case .object(let pair as DictionaryPair)? = colors.arrangedObjects[0] {
///   try pair.set("value", "green")
/// }
/// ```
///
/// Writing the value changes the dictionary. Writing the key renames the entry, which is refused if
/// the new key is taken.
public final class DictionaryPair: ControllerPart {
  private let owner: ObjectHandle
  fileprivate(set) var storedKey: DictionaryKey

  private static let pairShape = Shape(
    name: "pair",
    properties: [
      .derived(
        "key", .string, of: DictionaryPair.self, get: { $0.trackedKey },
        set: { try $0.rename(to: $1) }, validate: { try $0.checkedKey($1) }),
      .derived(
        "value", of: DictionaryPair.self, get: { $0.dictionary?[$0.storedKey] ?? .null },
        set: { $0.dictionary?.set($0.storedKey, $1) }),
      .derived("isExplicitlyIncluded", .boolean, of: DictionaryPair.self) {
        .boolean($0.controller?.isIncluded($0.storedKey) ?? false)
      },
    ], swiftClasses: [], hiddenSlots: 1)

  init(_ key: DictionaryKey, in controller: DictionaryController) {
    storedKey = key
    owner = ObjectHandle(controller)
    super.init(shape: Self.pairShape)
    _ = renames.store(.integer(0))
  }

  /// Increases when the key changes.
  private var renames: Slot { slot(shape.properties.count) }

  var controller: DictionaryController? { owner.object as? DictionaryController }
  private var dictionary: DictionaryObject? { controller?.dictionary }

  /// The key; writing it renames the entry.
  public var key: String {
    get { storedKey.text }
    set { try? set("key", .string(newValue)) }
  }

  /// The dictionary's value for the key.
  public var value: Value {
    get { self["value"] }
    set { try? set("value", newValue) }
  }

  private var trackedKey: Value {
    Graph.trackRead(of: renames)
    return storedKey.value
  }

  private func checkedKey(_ value: Value) throws -> Value {
    guard let key = DictionaryKey(value) else {
      throw TideError(.wrongType, "a key is a string, not \(value.typeAndPreview)")
    }
    if key != storedKey, graph.untracked({ controller?.isShown(key) == true }) {
      throw TideError(.refused, "there is an entry \"\(key.text)\" already; choose another key")
    }
    return value
  }

  private func rename(to value: Value) throws {
    guard let key = DictionaryKey(value), key != storedKey, let controller else { return }
    let old = storedKey
    graph.batch {
      storedKey = key
      controller.renamed(self, from: old)
      _ = graph.write(renames, .integer(Int.load(renames) &+ 1))
    }
  }
}

extension DictionaryPair: DescribedObject {
  package var describedText: String {
    graph.untracked { "\(storedKey.text) = \(value.literal)" }
  }
}
