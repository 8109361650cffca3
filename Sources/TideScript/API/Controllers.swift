package import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// `controller.list { content = people, sort = "name" }` and similar functions.
  func installControllers() throws {
    table.hooks.rowFunctions = { [home] object in
      guard let function = object as? LuaFunction, let runtime = home.runtime else { return nil }
      let rows = RowFunction(function, in: runtime)
      return RowClosures(
        parameterCount: function.parameterCount, passes: { try rows.holds(for: $0) },
        key: { try rows.value(of: $0) }, isOrdered: { try rows.isOrdered($0, before: $1) })
    }
    table.hooks.objectMaker = { [home] object in
      guard let runtime = home.runtime else { return nil }
      switch object {
      case let function as LuaFunction: return runtime.maker("objectClass", function)
      case let made as ScriptClass: return runtime.maker(made)
      default: return nil
      }
    }
    try publishTable(
      "controller",
      [
        .controllerObject: { [unowned self] call in
          try call.return(luaValue(make(ObjectController(), "controller.object", call)))
        },
        .controllerList: { [unowned self] call in
          try call.return(luaValue(make(ListController(), "controller.list", call)))
        },
        .controllerTree: { [unowned self] call in
          try call.return(luaValue(make(TreeController(), "controller.tree", call)))
        },
        .controllerDictionary: { [unowned self] call in
          try call.return(luaValue(make(DictionaryController(), "controller.dictionary", call)))
        },
        .controllerSettings: { [unowned self] call in
          try call.return(luaValue(settings(call.isNil(0) ? nil : call.table(0))))
        },
      ])
  }

  /// Options of a controller that are not properties.
  private static let extraOptions = ["name", "newObject"]

  /// The order in which options are set. Selections come last, when the rows exist.
  private static func rank(_ name: String) -> Int {
    switch name {
    case "name", "newObject", "objectClass": 0
    case "content": 1
    case let name where name.hasPrefix("select"): 3
    default: 2
    }
  }

  /// A controller of each kind whose options are its properties. The name of its shape is the name
  /// of the function that makes such controllers.
  package static var controllersWithOptions: [Controller] {
    [ObjectController(), ListController(), TreeController(), DictionaryController()]
  }

  /// The options of a new controller.
  package static func optionNames(of controller: Controller) -> [String] {
    if controller is SettingsController { return settingsOptionNames }
    let settable = controller.shape.properties.filter {
      !$0.isReadOnly && ($0.derive == nil || $0.assign != nil)
    }
    return settable.map(\.name) + extraOptions
  }

  /// Fills a new controller from a script's options, and retains it in the open context.
  private func make(
    _ controller: Controller, _ what: String, _ call: borrowing LuaCall
  ) throws -> Controller {
    try charge(Self.size(properties: controller.shape.properties.count) + 4 * Weight.list)
    // Bindings hold their ends weakly, and a controller may be referenced only by its bindings.
    context.own { withExtendedLifetime(controller) {} }
    if let tree = controller as? TreeController {
      listWhileFound { [weak tree] in try tree?.checkPaths() }
    }
    if call.isNil(0) {
      note(controller, named: nil)
      return controller
    }
    let names = Self.optionNames(of: controller)
    var options: [(name: String, value: LuaValue)] = []
    for (key, value) in try call.table(0).entries() {
      guard case .string(let name) = key, names.contains(name) else {
        let hint = NearestName.hintOrNames(for: key.name ?? "", in: names)
        throw TideError(.badArgument, "\(what) has no option \(key.preview)\(hint)")
      }
      options.append((name, value))
    }
    options.sort { (Self.rank($0.name), $0.name) < (Self.rank($1.name), $1.name) }
    try perform(batching: true) {
      for (name, value) in options { try set(name, value, of: controller, what) }
    }
    note(controller, named: options.first { $0.name == "name" }?.value.string)
    return controller
  }

  private func set(
    _ name: String, _ value: LuaValue, of controller: Controller, _ what: String
  ) throws {
    switch (name, value) {
    case ("name", .string(let name)): try nameModel(controller, name)
    case ("name", _):
      throw CallOptions.wrong("name", of: what, "a string", value)
    case ("newObject", _):
      guard let controller = controller as? ObjectController else { return }
      controller.makeNewObject = try maker(value, what)
    case ("objectClass", _):
      if value.function == nil, !Self.isClass(value) {
        throw CallOptions.wrong(
          "objectClass", of: what, "a class or a function that gives a new object", value)
      }
      try assign(value, to: controller, index(name, of: controller))
    case ("content", .string(let path)):
      try bind(controller, "content", toPath: path)
    case ("content", .table(let table)) where controller is DictionaryController:
      try controller.set("content", .object(makeDictionary(table)))
    // A function with parameters works on rows. A function without parameters computes the option,
    // and is followed.
    case (_, .function) where takesRows(name, value):
      try assign(value, to: controller, index(name, of: controller))
    case (_, .function(let function)):
      try bind(controller, name, to: function)
    default: try assign(value, to: controller, index(name, of: controller))
    }
  }

  private func takesRows(_ name: String, _ value: LuaValue) -> Bool {
    name == "filter" || (name == "sort" && value.function?.parameterCount != 0)
  }

  private func index(_ name: String, of controller: Controller) throws -> Int {
    guard let index = controller.shape.index(of: name) else {
      throw controller.unknownProperty(name)
    }
    return index
  }

  /// Binds a property to a path from a model or a view, which may not exist yet.
  private func bind(_ controller: Controller, _ property: String, toPath path: String) throws {
    // A name that no model uses.
    let root = "controller__"
    try bindNames(
      "\(path) -> \(root).\(property)", nil, [root: controller])
  }

  private static func isClass(_ value: LuaValue) -> Bool {
    guard case .userdata(let userdata) = value else { return false }
    return userdata.object is ScriptClass
  }

  /// Makes new objects: a function that returns one, or a class.
  private func maker(_ value: LuaValue, _ what: String) throws -> () throws -> Value {
    if case .function(let function) = value { return maker("newObject", function) }
    if case .userdata(let userdata) = value, let made = userdata.object as? ScriptClass {
      return maker(made)
    }
    throw CallOptions.wrong(
      "newObject", of: what, "a class or a function that gives a new object", value)
  }

  private func maker(_ option: String, _ function: LuaFunction) -> () throws -> Value {
    { [home] in
      let runtime = try home.requireRuntime()
      let made = try runtime.perform { try runtime.value(from: function.call([]).first ?? .nil) }
      if made.isNil {
        throw TideError(.badArgument, "\(option) gave nothing; return the new object")
      }
      return made
    }
  }

  private func maker(_ made: ScriptClass) -> () throws -> Value {
    { [home] in .object(try home.requireRuntime().make(made, nil)) }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let controller = APIEntry(
    "controller",
    "Makes controllers, which stand between models and views.")

  static let controllerObject = controller("object", "An object that is edited.")
  static let controllerList = controller(
    "list", "Selection, sorting and filtering between a list and views.")
  static let controllerTree = controller("tree", "A tree with a selection.")
  static let controllerDictionary = controller("dictionary", "A map as rows.")
  static let controllerSettings = controller("settings", "Values that a file keeps.")

  private static func controller(_ kind: String, _ help: String) -> APIEntry {
    APIEntry(
      "controller.\(kind)(options)", usage: "controller.\(kind) { … }", help,
      """
      @param options? tidelock.controller.\(kind).Options
      @return tidelock.controller.\(kind)
      """)
  }
}

extension APISection {
  // The selected and arranged objects have a type parameter, which scripts name: `---@type
  // tidelock.controller.list<model.fruit>`.
  static let controllers = APISection(
    article: "Rows",
    entries: [
      .controller,
      .controllerObject,
      .controllerList,
      .controllerTree,
      .controllerDictionary,
      .controllerSettings,
    ],
    types: """
      ---Stands between models and views.
      ---@class tidelock.Controller : tidelock.DataObject
      ---@field editable boolean
      ---@field isEditing boolean
      local Controller = {}
      ---Writes what editors have; gives whether all was right.
      ---@return boolean done
      ---@return string? message
      function Controller:commitEditing() end
      ---Drops what editors have and the model does not.
      function Controller:discardEditing() end
      ---Registers an editor, whose value is committed or discarded with the others.
      ---@param editor tidelock.DataObject
      function Controller:objectDidBeginEditing(editor) end
      ---Unregisters an editor.
      ---@param editor tidelock.DataObject
      function Controller:objectDidEndEditing(editor) end

      ---@class tidelock.controller.object<T> : tidelock.Controller
      ---@field content any
      ---@field selection T
      ---@field selectedObjects tidelock.List<T>
      ---@field editedObject T?
      ---@field canAdd boolean
      ---@field canRemove boolean
      ---@field objectClass any
      local ObjectController = {}
      ---Begins to edit a copy of the selected object.
      function ObjectController:beginEditing() end
      ---Makes an object of the controller's class.
      ---@return any
      function ObjectController:newObject() end
      ---Adds an object, or a new one.
      ---@param object? any
      ---@return any
      function ObjectController:add(object) end
      ---Adds an object.
      ---@param object? any
      ---@return any
      function ObjectController:addObject(object) end
      ---Removes an object, or the selected ones.
      ---@param object? any
      function ObjectController:remove(object) end
      ---Removes an object.
      ---@param object? any
      function ObjectController:removeObject(object) end

      ---@class tidelock.controller.list<T> : tidelock.controller.object<T>
      ---@field content tidelock.List<T>
      ---@field arrangedObjects tidelock.List<T>
      ---@field selectedObject T?
      ---@field selectionIndex integer?
      ---@field selectionIndexes tidelock.List<integer>
      ---@field avoidsEmptySelection boolean
      ---@field preservesSelection boolean
      ---@field selectsInsertedObjects boolean
      ---@field clearsFilterOnInsertion boolean
      ---@field holdsEditedRow boolean
      ---@field alwaysUsesMultipleValuesMarker boolean
      ---@field filter (tidelock.RowPath|fun(row: T): any)?
      ---@field sort (tidelock.Sort|fun(a: T, b: T): any)?
      ---@field canInsert boolean
      ---@field canSelectNext boolean
      ---@field canSelectPrevious boolean
      local ListController = {}
      ---Inserts an object, or a new one, at a position of the arranged rows.
      ---@param object? any
      ---@param index? integer
      ---@return any
      function ListController:insert(object, index) end
      ---Inserts an object at a position of the arranged rows.
      ---@param object any
      ---@param index integer
      function ListController:insertObject(object, index) end
      ---Inserts objects from a position of the arranged rows on.
      ---@param objects table
      ---@param index integer
      function ListController:insertObjects(objects, index) end
      ---Adds objects.
      ---@param objects table
      function ListController:addObjects(objects) end
      ---Removes objects.
      ---@param objects table
      function ListController:removeObjects(objects) end
      ---Removes the object of a row.
      ---@param index integer
      function ListController:removeAt(index) end
      ---Removes the objects of rows.
      ---@param indexes integer[]
      function ListController:removeAtIndexes(indexes) end
      ---Filters and sorts anew.
      function ListController:rearrange() end
      ---Selects the next row.
      ---@return boolean
      function ListController:selectNext() end
      ---Selects the previous row.
      ---@return boolean
      function ListController:selectPrevious() end
      ---Selects all rows.
      function ListController:selectAll() end
      ---Selects a row.
      ---@param index integer?
      function ListController:setSelectionIndex(index) end
      ---Selects rows.
      ---@param indexes integer[]?
      function ListController:setSelectionIndexes(indexes) end
      ---Selects the rows of objects.
      ---@param objects table?
      function ListController:setSelectedObjects(objects) end
      ---Selects rows beside those that are selected.
      ---@param indexes integer[]
      function ListController:addSelectionIndexes(indexes) end
      ---Selects rows no longer.
      ---@param indexes integer[]
      function ListController:removeSelectionIndexes(indexes) end
      ---Selects the rows of objects beside those that are selected.
      ---@param objects table
      function ListController:addSelectedObjects(objects) end
      ---Selects the rows of objects no longer.
      ---@param objects? table
      function ListController:removeSelectedObjects(objects) end

      ---@class tidelock.controller.tree<T> : tidelock.controller.object<T>
      ---@field arrangedObjects tidelock.List
      ---@field childrenPath tidelock.RowPath?
      ---@field countPath tidelock.RowPath?
      ---@field leafPath tidelock.RowPath?
      ---@field sort (tidelock.Sort|fun(a: T, b: T): any)?
      ---@field avoidsEmptySelection boolean
      ---@field preservesSelection boolean
      ---@field selectsInsertedObjects boolean
      ---@field holdsEditedRow boolean
      ---@field alwaysUsesMultipleValuesMarker boolean
      ---@field selectionIndexPath any
      ---@field selectionIndexPaths tidelock.List
      ---@field selectedNodes tidelock.List
      ---@field canInsert boolean
      ---@field canAddChild boolean
      ---@field canInsertChild boolean
      local TreeController = {}
      ---Inserts an object, or a new one, at an index path.
      ---@param object? any
      ---@param path? integer[]
      ---@return any
      function TreeController:insert(object, path) end
      ---Inserts an object at an index path.
      ---@param object any
      ---@param path integer[]
      function TreeController:insertObject(object, path) end
      ---Adds a child to the selected node.
      ---@param object? any
      ---@return any
      function TreeController:addChild(object) end
      ---Inserts a child before those of the selected node.
      ---@param object? any
      ---@return any
      function TreeController:insertChild(object) end
      ---Removes the node at an index path.
      ---@param path integer[]
      function TreeController:removeAt(path) end
      ---Gives the node at an index path.
      ---@param path integer[]
      ---@return tidelock.DataObject?
      function TreeController:nodeAt(path) end
      ---Gives the node of an object.
      ---@param object any
      ---@return tidelock.DataObject?
      function TreeController:nodeOf(object) end
      ---Selects the node at an index path.
      ---@param path integer[]?
      function TreeController:setSelectionIndexPath(path) end
      ---Selects the nodes at index paths.
      ---@param paths integer[][]?
      function TreeController:setSelectionIndexPaths(paths) end
      ---Selects the nodes of objects.
      ---@param objects table?
      function TreeController:setSelectedObjects(objects) end

      ---@class tidelock.controller.dictionary<T> : tidelock.controller.list<T>
      ---@field content tidelock.DataObject
      ---@field includedKeys tidelock.List<string>
      ---@field excludedKeys tidelock.List<string>
      ---@field initialKey string
      ---@field initialValue any

      ---@class tidelock.controller.settings : tidelock.Controller
      ---@field values tidelock.DataObject
      ---@field initialValues tidelock.DataObject
      ---@field appliesImmediately boolean
      ---@field hasUnappliedChanges boolean
      local SettingsController = {}
      ---Writes the settings to their file.
      ---@return boolean done
      ---@return string? message
      function SettingsController:save() end
      ---Takes back what was changed and is not applied.
      function SettingsController:revert() end
      ---Gives every setting its initial value.
      function SettingsController:revertToInitialValues() end
      """)
}
