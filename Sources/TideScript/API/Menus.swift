import TideBindings
import TideGraph
import TideLua
import TideViews

// Menus of scripts: tables of items, whose commands may be functions.
extension Runtime {
  /// `items` of a menu: a table of items, a live list of objects, or a function that gives either.
  func setMenuItems(_ given: LuaValue, of menu: MenuView) throws {
    let site = CallSite(in: context)
    menu.execute = { [owner = self.home] command, item, menu in
      try owner.requireRuntime().execute(command, item, of: menu, at: site)
    }
    try set("items", of: menu, toMenuItems: given)
  }

  /// `contextMenu` of a view, in the same form as a menu's items.
  func setContextMenu(_ given: LuaValue, of view: View) throws {
    let site = CallSite(in: context)
    view.executeCommands { [owner = self.home] command, item, view in
      try owner.requireRuntime().execute(command, item, of: view, at: site)
    }
    if given.isNil { return try view.set("contextMenu", .null) }
    try set("contextMenu", of: view, toMenuItems: given)
  }

  private func set(_ name: String, of view: View, toMenuItems given: LuaValue) throws {
    guard case .function(let function) = given else {
      let items: Value
      do { items = try menuItems(given) } catch var error as TideError where name != "items" {
        // For `items`, `set` adds the names of the view and the property.
        error.message = "\(view.viewClass.name).\(name): \(error.message)"
        throw error
      }
      return try view.set(name, items)
    }
    let kept = try kept(function)
    var options = BindingOptions()
    options.location = location
    _ = try context.bind(view, name, options) { [owner = self.home] in
      let runtime = try owner.requireRuntime()
      return try runtime.derive { try runtime.menuItems(kept.call([]).first ?? .nil) }
    }
  }

  private func menuItems(_ given: LuaValue) throws -> Value {
    guard case .table(let table) = given, try table.isSequence else {
      if case .table = given {
        throw TideError(
          .badArgument,
          "the items of a menu are a list: items = { { title = \"Save\", command = save }, … }")
      }
      return try value(from: given)
    }
    return .object(ValueList(try table.sequence().map { try menuItem($0) }))
  }

  private func menuItem(_ given: LuaValue) throws -> Value {
    guard case .table(let table) = given, try !hasMetatable(table) else {
      switch given {
      case .string, .object: return try value(from: given)
      default:
        throw TideError(
          .wrongType, "an item of a menu is a table, an object or a text, not \(given.preview)")
      }
    }
    guard calls.copyDepth < 20 else {
      throw TideError(.depth, "the menu nests more than 20 deep, or contains itself")
    }
    calls.copyDepth += 1
    defer { calls.copyDepth -= 1 }
    try charge(Self.size(properties: 6))
    let entry = MenuEntry()
    noteMaking(of: entry)
    for (key, value) in try table.entries(inOrderOf: entry.shape) {
      guard case .string(let name) = key, let index = entry.shape.index(of: name) else {
        let known = entry.shape.properties.map(\.name)
        let hint = key.string.map { NearestName.hintOrNames(for: $0, in: known) } ?? ""
        throw TideError(
          .unknownProperty, "an item of a menu has no property \(key.preview)\(hint)")
      }
      switch (name, value) {
      case ("items", .table): try entry.set(name, menuItems(value))
      case ("key", .string(let text)):
        _ = try Key(text)
        try entry.set(name, .string(text))
      case ("command", .function(let function)):
        try entry.set(name, .object(kept(function)))
      case ("command", .object), ("command", .nil): try entry.set(name, self.value(from: value))
      case ("command", _):
        throw TideError(
          .wrongType,
          "the command of a menu's item is a function or a command, not \(value.preview)")
      case (_, .function(let function)):
        var options = BindingOptions()
        options.location = location
        _ = try bind(entry, name, options, to: function)
      default: try assign(value, to: entry, index)
      }
    }
    return .object(entry)
  }

  func execute(
    _ command: Value, _ item: Value, of menu: View, at site: CallSite
  ) throws {
    switch command {
    case .object(let function as LuaFunction):
      let event = Event("didSelect", sender: menu, value: item)
      let act = HandledAct("didSelect", of: menu, item)
      if isWaiting(for: act, of: menu, at: site) { return }
      let arguments = [try luaValue(menu), try eventTable(event)]
      if case .waiting(let task) = try begin(function, arguments, in: site.context) {
        noteWait(of: task, for: act, at: site)
      }
    case .object(let command as DataObject):
      try executor(of: command, at: site)(menu)
    default:
      throw TideError(
        .wrongType,
        "the command of a menu's item is a function or a command, not \(command.preview)")
    }
  }
}
