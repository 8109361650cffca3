import TideGraph

/// A path from each row to the value by which rows are compared or grouped.
package final class RowPath {
  private let steps: [PathStep]
  /// Makes the error for a row without properties.
  private let refusal: (Value) -> TideError
  private let held: CountedText?

  /// Throws `syntax` when the text is not a path.
  ///
  /// - Parameter table: the table that charges its app for the path; nil for none.
  package init(
    _ text: String, in table: BindingTable?, refusal: @escaping (Value) -> TideError
  ) throws(TideError) {
    steps = try Path(text).steps
    self.refusal = refusal
    // The message may contain the text as well.
    held = table?.hold(2 * text.utf8.count)
  }

  package func key(of row: Value) throws -> Value {
    guard case .object(let object as DataObject) = row else { throw refusal(row) }
    return try PathReader.read(steps[...], from: object).value
  }
}

/// Finds tree options with a property that no row has, most likely a misspelt name.
///
/// ```swift
/// var check = RowPathCheck()
/// try check.check("foldrs", givenAs: "childrenPath", of: rows)
/// // E0101: childrenPath "foldrs" leads nowhere from any row: Folder has no property "foldrs"; did
/// …
/// ```
///
/// A tree may hold rows of several kinds, such as folders and files, so one row at the top that has
/// the property is enough, now or earlier. Dicts and proxies may have any property. Only the first
/// thousand rows are checked, so that the cost at each edit is bounded.
package struct RowPathCheck {
  /// The paths that a row could follow, by option.
  private var found: [String: String] = [:]

  private static let mostRows = 1000
  /// The maximum number of row shapes that are searched for a property with a similar name.
  private static let mostShapes = 20

  package init() {}

  /// Throws `unknownProperty` if a path begins with a property that no row has. Records the read of
  /// the rows.
  ///
  /// - Parameter isGiven: whether the path was set explicitly. A default path is reported only if a
  ///   row has a property with a similar name.
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
    // The first row, or a row that has a property with a similar name.
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
