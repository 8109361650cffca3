import TideBindings

/// Converts the stored values of a plain model to the documents of a shared one. A script that
/// changes `model` to `shared` keeps its values in this way.
///
/// ```swift
/// var documents = SharedImport { number in try bytes(ofObject: number) }
/// try documents.add(property: "title", Array("\"Desk\"".utf8))
/// ```
package struct SharedImport {
  private var model = SharedDocument()
  private var rows: [SharingKey: [UInt8]] = [:]
  private let body: (_ number: Int) throws -> [UInt8]?
  /// The number of further references that may be resolved.
  private var room = 10_000_000

  /// - Parameter body: returns the bytes of the object with a reference number.
  package init(_ body: @escaping (_ number: Int) throws -> [UInt8]?) { self.body = body }

  /// The documents, by their keys; empty if nothing was added.
  package var documents: [SharingKey: [UInt8]] {
    model.fields.isEmpty ? [:] : rows.merging([.model: model.bytes]) { $1 }
  }

  /// - Throws: `settings` for bytes that cannot be read.
  package mutating func add(property name: String, _ bytes: [UInt8]) throws {
    model.set(name, try content(bytes), isDefault: false)
  }

  /// Begins a list. Its rows are added next.
  package mutating func add(list name: String) {
    model.set(name, Array("list kept".utf8), isDefault: true)
  }

  /// - Parameter order: the row's order key, as made by ``OrderKeys``.
  package mutating func add(row bytes: [UInt8], _ id: Int, order: String, to list: String) throws {
    var document = SharedDocument()
    document[SharedDocument.order] = Array(order.utf8)
    if bytes.isEmpty {
      document[SharedDocument.value] = []
    } else {
      let tree = try resolved(KeptValues.tree(of: bytes))
      if case .object(let entries) = tree, let kind = try Self.kind(of: entries) {
        document[SharedDocument.kind] = Array(kind.text.utf8)
        for (key, value) in entries where !key.text.hasPrefix("$") || key.text.hasPrefix("$$") {
          let name = key.text.hasPrefix("$$") ? String(key.text.dropFirst()) : key.text
          document[name] = KeptValues.bytes(of: value)
        }
      } else {
        document[SharedDocument.value] = KeptValues.bytes(of: tree)
      }
    }
    rows[.row(list: list, id: "kept\(id)")] = document.bytes
  }

  private mutating func content(_ bytes: [UInt8]) throws -> [UInt8] {
    bytes.isEmpty ? [] : KeptValues.bytes(of: try resolved(KeptValues.tree(of: bytes)))
  }

  /// The value with each reference replaced by its object.
  private mutating func resolved(_ tree: JSONTree, depth: Int = 0) throws -> JSONTree {
    room -= 1
    switch tree {
    case .array(let elements):
      var found: [JSONTree] = []
      for element in elements { found.append(try resolved(element, depth: depth)) }
      return .array(found)
    case .object(let entries):
      if case .integer(let number)? = entries[.text("$ref")] {
        guard depth < Self.deepest, room > 0, let bytes = try body(number) else {
          throw TideError(
            .settings,
            "an object of the kept model is missing, or refers to itself, which rows of shared models "
              + "cannot; keep such objects in a model of their own")
        }
        return try resolved(KeptValues.tree(of: bytes), depth: depth + 1)
      }
      var found: [DictionaryKey: JSONTree] = [:]
      for (key, value) in entries { found[key] = try resolved(value, depth: depth) }
      return .object(found)
    case .null, .boolean, .integer, .number, .string: return tree
    }
  }

  /// The longest chain of references that is followed.
  private static let deepest = 24

  /// The class of an object; nil for a dict.
  private static func kind(of entries: [DictionaryKey: JSONTree]) throws -> SettingsObjectKind? {
    if case .string(let name)? = entries[.text("$class")],
      case .string(let module)? = entries[.text("$module")]
    {
      return .named(name, module: module)
    }
    guard case .object(let types)? = entries[.text("$object")] else { return nil }
    var properties: [SettingsObjectKind.Property] = []
    for (key, type) in types {
      guard case .string(let text) = type,
        let named = ValueType(name: text.hasSuffix("?") ? String(text.dropLast()) : text)
      else { return nil }
      let name = key.text.hasPrefix("$$") ? String(key.text.dropFirst()) : key.text
      properties.append(.init(name, named, isNullable: text.hasSuffix("?")))
    }
    return .anonymous(properties)
  }
}
