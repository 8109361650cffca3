import TideBindings
import TideGraph

// Copies of defaults that are not scalars, made for each object of a class.
extension Runtime {
  /// Whether an object is plain data: a list, a dict or an anonymous object, as tables make them.
  /// Models, objects of classes, live lists, views and controllers have an identity.
  func isPlainData(_ object: AnyObject) -> Bool {
    if let list = object as? ValueList { return type(of: list) == ValueList.self }
    if let dictionary = object as? DictionaryObject {
      return type(of: dictionary) == DictionaryObject.self
    }
    guard let object = object as? ScriptObject else { return false }
    return object.modelName == nil && object.scriptClass.isAnonymous
  }

  /// Copies a default, including the plain data in it.
  func copy(ofDefault object: DataObject) throws -> DataObject {
    guard calls.copyDepth < 100 else {
      throw TideError(.depth, "the default nests more than 100 deep, or contains itself")
    }
    calls.copyDepth += 1
    defer { calls.copyDepth -= 1 }
    return try graph.untracked {
      switch object {
      case let list as ValueList:
        let values = list.values
        try admitRows(values.count)
        try charge(Weight.list)
        return ValueList(try values.map(copied))
      case let dictionary as DictionaryObject:
        let copy = DictionaryObject()
        for key in dictionary.unsortedKeys {
          try charge(Weight.entry + copy.growth + key.byteCount)
          copy.set(key, try copied(dictionary[key]))
        }
        return copy
      case let object as ScriptObject:
        try charge(Self.size(properties: object.shape.propertiesByIndex.count))
        let copy = ScriptObject(object.scriptClass)
        copy.defaults = object.defaults
        noteMaking(of: copy)
        for (index, property) in object.shape.propertiesByIndex.enumerated()
        where property.derive == nil && !property.isRetired {
          _ = try copy.store(index, copied(object.slot(index).load()), settling: false)
        }
        return copy
      default: return object
      }
    }
  }

  private func copied(_ value: Value) throws -> Value {
    guard case .object(let object as DataObject) = value, isPlainData(object) else { return value }
    return .object(try copy(ofDefault: object))
  }
}
