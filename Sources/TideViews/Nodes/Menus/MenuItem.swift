package import TideBindings
import TideGraph

/// An entry of a menu, read from an object in the menu's `items`.
struct MenuItem {
  /// The original element of `items`, which events have as their value.
  let value: Value
  let title: String
  let key: Key?
  let command: Value
  let items: Value
  let isEnabled: Bool
  let isTicked: Bool
  /// A dividing line: the text `-`, or an object with that title.
  var isSeparator: Bool { title == "-" }
  var hasItems: Bool { items != .null }

  /// Parses an item; `report` receives an error in its key.
  init(_ value: Value, report: (any Error) -> Void) {
    self.value = value
    guard case .object(let object as DataObject) = value, !(object is any ListObject) else {
      title = value.text ?? ""
      key = nil
      command = .null
      items = .null
      isEnabled = true
      isTicked = false
      return
    }
    title = Self.value("title", of: object).text ?? Self.value("name", of: object).text ?? ""
    command = Self.value("command", of: object)
    items = Self.value("items", of: object)
    isTicked = Self.value("selected", of: object) == true
    let isRefused: Bool =
      if case .object(let command as DataObject) = command {
        Self.value("canExecute", of: command) == false
      } else {
        false
      }
    isEnabled = Self.value("enabled", of: object) != false && !isRefused
    var key: Key?
    if let name = Self.value("key", of: object).text, !name.isEmpty {
      do { key = try Key(name) } catch { report(error) }
    }
    self.key = key
  }

  private static func value(_ name: String, of object: DataObject) -> Value {
    object.shape.index(of: name) == nil
      ? (try? object.dynamicValue(of: name)) ?? .null : object[name]
  }
}

extension MenuItem {
  /// The items in a list; reads are tracked. `report` receives errors in their keys.
  static func items(_ value: Value, report: (any Error) -> Void) -> [MenuItem] {
    guard case .object(let list as any ListObject) = value else { return [] }
    return list.trackedElements.map { MenuItem($0, report: report) }
  }

  /// The item with a key, also within the submenus of enabled items, and its index.
  static func find(
    _ key: Key, in items: [MenuItem], _ read: (Value) -> [MenuItem]
  ) -> (MenuItem, Int)? {
    var seen: Set<ObjectIdentifier> = []
    func find(in items: [MenuItem]) -> (MenuItem, Int)? {
      for (index, item) in items.enumerated() {
        if item.key == key { return (item, index) }
        if item.isEnabled, item.hasItems, item.isNew(among: &seen),
          let found = find(in: read(item.items))
        {
          return found
        }
      }
      return nil
    }
    return find(in: items)
  }

  /// The item at a path of indexes, provided that all items on the path are enabled, and its index.
  static func find(
    _ path: [Int], in items: [MenuItem], _ read: (Value) -> [MenuItem]
  ) -> (MenuItem, Int)? {
    var items = items
    for (depth, index) in path.enumerated() {
      guard items.indices.contains(index), items[index].isEnabled, !items[index].isSeparator else {
        return nil
      }
      let item = items[index]
      if depth == path.count - 1 { return item.hasItems ? nil : (item, index) }
      items = read(item.items)
    }
    return nil
  }

  /// Help for the keys of items and of those in their submenus.
  static func keyHelp(of items: [MenuItem], _ read: (Value) -> [MenuItem]) -> [KeyHelp] {
    var seen: Set<ObjectIdentifier> = []
    func help(of items: [MenuItem]) -> [KeyHelp] {
      items.filter(\.isEnabled).flatMap { item in
        let own = item.key.map { [KeyHelp($0.description, item.title)] } ?? []
        let isOpened = item.hasItems && item.isNew(among: &seen)
        return own + (isOpened ? help(of: read(item.items)) : [])
      }
    }
    return help(of: items)
  }

  /// Whether its submenu has not been visited yet: items may contain themselves.
  private func isNew(among seen: inout Set<ObjectIdentifier>) -> Bool {
    guard case .object(let list) = items else { return true }
    return seen.insert(ObjectIdentifier(list)).inserted
  }
}

/// A menu item as a data object, for hosts that have no class of their own. It has the properties
/// that `MenuItem` reads.
package final class MenuEntry: DataObject {
  private static let entryShape = Shape(
    name: "menuItem",
    properties: [
      .of(.title, .string, .string("")), .of(.key, .string), PropertyDescription("command", .any),
      .of(.items, .list), .of(.enabled, .boolean, .boolean(true)),
      .of(.selected, .boolean, .boolean(false)),
    ])

  package override init() { super.init(shape: Self.entryShape) }
}
