import TideGraph

/// What rows are compared or grouped by: what a path leads to from each of them.
package final class RowPath {
  private let steps: [PathStep]
  /// Makes of a row without properties what the error says.
  private let refusal: (Value) -> TideError
  private let held: CountedText?

  /// Throws `syntax` when the text is not a path.
  /// - Parameter table: where it counts as memory that an app holds; nil: nowhere.
  package init(
    _ text: String, in table: BindingTable?, refusal: @escaping (Value) -> TideError
  ) throws(TideError) {
    steps = try Path(text).steps
    self.refusal = refusal
    // The text itself may be in the message.
    held = table?.hold(2 * text.utf8.count)
  }

  package func key(of row: Value) throws -> Value {
    guard case .object(let object as DataObject) = row else { throw refusal(row) }
    return try PathReader.read(steps[...], from: object).value
  }
}

/// Finds an option of a tree that names a property which no row has: most likely a misspelt name.
///
/// ```swift
/// var check = RowPathCheck()
/// try check.check("foldrs", givenAs: "childrenPath", of: rows)
/// // E0101: childrenPath "foldrs" leads nowhere from any row: Folder has no property "foldrs"; did
/// …
/// ```
///
/// Rows of several kinds may stand in one tree, as folders and files do, so one row at the top that
/// has the property is enough, now or before. Dicts, and what stands for other objects, may have
/// any. Of many rows the first thousand speak for the rest, so that a check costs the same at each
/// edit.
package struct RowPathCheck {
  /// The path of each option that a row had a property for.
  private var found: [String: String] = [:]

  private static let mostRows = 1000
  /// So many kinds of rows are looked at for a property of nearly the name.
  private static let mostShapes = 20

  package init() {}

  /// Throws `unknownProperty` where a path begins with a property that no row has. Records the read
  /// of the rows.
  ///
  /// - Parameter isGiven: whether somebody has written the path; one that nobody has is told only
  ///   where a row has a property of nearly that name.
  package mutating func check(
    _ path: String, givenAs option: String, of rows: ValueList, isGiven: Bool = true
  ) throws {
    if found[option] == path { return }
    let name: String
    switch try? Path(path).steps.first {
    case .property(let first)?: name = first
    case .element(let first, _)?: name = first
    default: return
    }
    rows.beginReading()
    // The first row, or one that has a property of nearly that name.
    var missing: DataObject?
    var isNear = false
    var shapesLeft = Self.mostShapes
    for row in rows.storage.elements(in: 0..<min(rows.storage.count, Self.mostRows)) {
      guard case .object(let object as DataObject) = row, !(object is any ListObject) else {
        continue
      }
      if object is DictionaryObject || object is ControllerPart
        || object.shape.index(of: name) != nil
      {
        found[option] = path
        return
      }
      if isNear || shapesLeft == 0 || object.shape === missing?.shape { continue }
      shapesLeft -= 1
      let names = object.shape.properties.flatMap { [$0.name] + $0.aliases }
      isNear = NearestName.find(name, in: names) != nil
      if isNear || missing == nil { missing = object }
    }
    guard let missing, isGiven || isNear else { return }
    let reason = missing.unknownProperty(name).message
    throw TideError(
      .unknownProperty, "\(option) \"\(path.inMessage)\" leads nowhere from any row: \(reason)")
  }
}
