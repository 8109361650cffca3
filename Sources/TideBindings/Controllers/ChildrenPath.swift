import TideGraph

/// Reads the list of an object's children along a path.
package enum ChildrenPath {
  /// Returns the list at a path, or nil for a leaf: an object that lacks the path's first property,
  /// such as a file among folders, or has no value there.
  ///
  /// - Throws: the error of a failing step, or `wrongType` if the value is not a list.
  package static func read(_ steps: [PathStep], of object: DataObject) throws -> ValueList? {
    if case .property(let name)? = steps.first, object.shape.index(of: name) == nil,
      !(object is DictionaryObject || object is ControllerPart)
    {
      return nil
    }
    let found = try PathReader.read(steps[...], from: object).value
    switch found {
    case .object(let list as ValueList): return list
    case .boolean(false), .object(is any ListObject): return nil
    case _ where found.isNil || found.isStateMarker: return nil
    default:
      throw TideError(
        .wrongType,
        "\(Path(steps: steps)) leads to \(found.typePhrase), not to the list of a row's children")
    }
  }
}
