import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// What tells the declared defaults of a model from others, by property: numbers that are the same
  /// for the same contents. They are compared within one run of the program.
  func fingerprints(of fields: LuaTable) throws -> [String: Int] {
    var prints: [String: Int] = [:]
    for (key, value) in try fields.entries() {
      guard let name = key.string else { continue }
      if let userdata = value.userdata, let given = userdata.object as? PropertyDeclaration {
        prints[name] = given.fingerprint
      } else {
        prints[name] = fingerprint(of: value)
      }
    }
    return prints
  }

  func fingerprint(of value: LuaValue, depth: Int = 0) -> Int {
    var hasher = Hasher()
    switch value {
    case .nil: break
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let integer): hasher.combine(integer)
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .table(let table):
      // A table has no order, and one that contains itself no end.
      guard depth < 32 else { break }
      var sum = 0
      _ = try? table.forEach { key, value in
        var entry = Hasher()
        entry.combine(fingerprint(of: key, depth: depth + 1))
        entry.combine(fingerprint(of: value, depth: depth + 1))
        sum &+= entry.finalize()
        return true
      }
      hasher.combine(sum)
    default:
      if let object = value.object?.dataObject {
        combine(object, into: &hasher, depth)
      } else {
        hasher.combine(value.typeName)
      }
    }
    return hasher.finalize()
  }

  /// An object made for the declaration is another one each time: what counts is what is in it.
  private func combine(_ object: DataObject, into hasher: inout Hasher, _ depth: Int) {
    hasher.combine(object.shape.name)
    guard depth < 32, object is ScriptObject || object is ValueList || object is DictionaryObject
    else { return }
    graph.untracked {
      if let list = object as? ValueList, !list.isReadOnly {
        for element in list.values { hasher.combine(fingerprint(ofValue: element, depth)) }
      }
      if let dictionary = object as? DictionaryObject {
        for key in dictionary.keys {
          hasher.combine(key)
          hasher.combine(fingerprint(ofValue: dictionary[key], depth))
        }
      }
      for (place, property) in object.shape.places.enumerated()
      where property.derive == nil && !property.isRetired {
        // What the class gives is the class's, which may change.
        let held = fingerprint(ofValue: object.slot(place).load(), depth)
        if held == fingerprint(ofValue: property.initial.value, depth) { continue }
        hasher.combine(property.name)
        hasher.combine(held)
      }
    }
  }

  private func fingerprint(ofValue value: Value, _ depth: Int) -> Int {
    guard let value = try? luaValue(value) else { return 0 }
    return fingerprint(of: value, depth: depth + 1)
  }
}
