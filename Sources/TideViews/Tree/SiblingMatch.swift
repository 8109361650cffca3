import TideBindings
import TideGraph

/// Matches siblings with those of an older version: views of the same class with the same `id` and
/// `key`, or, if they have neither, the same position among siblings of their class.
package struct SiblingMatch {
  private var known: [Name: View] = [:]

  /// - Parameter keyedOnly: excludes views without `id` and `key`.
  package init(_ old: [View], keyedOnly: Bool = false) {
    for (name, view) in Self.names(of: old, keyedOnly: keyedOnly) { known[name] = view }
  }

  /// The pairs, in the order of the new views; each old view is in at most one pair.
  package mutating func pairs(with new: [View], keyedOnly: Bool = false) -> [(old: View, new: View)]
  {
    Self.names(of: new, keyedOnly: keyedOnly).compactMap { name, view in
      known.removeValue(forKey: name).map { ($0, view) }
    }
  }

  private struct Name: Hashable {
    let className: String
    let key: String
  }

  private static func names(of views: [View], keyedOnly: Bool) -> [(Name, View)] {
    var counts: [String: Int] = [:]
    return views.compactMap { view in
      let className = view.viewClass.name
      let position = counts[className, default: 0]
      counts[className] = position + 1
      let id = view.peek(.id, as: String?.self)
      let key = view.peek(.key, as: Value.self)
      if keyedOnly && id == nil && key == .null { return nil }
      // A number and a text with the same characters are different keys.
      let keyName = key == .null ? "" : "=\(key.identity)"
      let name = id.map { "#\($0)\(keyName)" } ?? (key == .null ? "\(position)" : keyName)
      return (Name(className: className, key: name), view)
    }
  }
}

extension Value {
  /// Distinguishes keys: objects by identity, everything else by value.
  fileprivate var identity: String {
    switch self {
    case .object(let object): "\(ObjectIdentifier(object).hashValue)"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? literal
    default: literal
    }
  }
}
