import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// Sets a property of a rows view that accepts functions. Returns false for any other property.
  func set(_ name: String, _ value: LuaValue, ofRows view: RowsView) throws -> Bool {
    switch (name, value) {
    case ("cell", .function(let function)): view.makeCell = cellMaker(function)
    case ("cell", .nil): view.makeCell = nil
    case ("cell", _):
      throw TideError(
        .badArgument,
        "\(view.viewClass.name).cell is a function that gives a row's view; it is not "
          + value.preview)
    case ("key", .function(let function)) where function.parameterCount != 0:
      view.keyOfItem = keyFinder(function)
    case ("rowStyle", .function(let function)): view.rowStyle = rowStyler(function)
    case ("rowStyle", .nil): view.rowStyle = nil
    case ("rowStyle", _):
      throw TideError(
        .badArgument,
        "\(view.viewClass.name).rowStyle is a function that gives the names of a row's styles, or a "
          + "table such as { textColor = \"red\" }; it is not \(value.preview)")
    case ("columns", .function(let function)):
      guard let table = view as? TableView else { return false }
      followColumns(of: table, by: function)
    case ("columns", .table(let given)):
      guard let table = view as? TableView, try !hasMetatable(given) else { return false }
      try setColumns(given, of: table)
    case ("children", .function(let function)):
      guard let tree = view as? TreeView else { return false }
      tree.childrenOf = childFinder(function)
    case ("children", .string):
      guard let tree = view as? TreeView else { return false }
      tree.pathLocation = location
      try view.set("childrenPath", self.value(from: value))
    case ("childrenPath", .string):
      guard let tree = view as? TreeView else { return false }
      tree.pathLocation = location
      return false
    case ("children", _):
      guard view is TreeView else { return false }
      throw TideError(
        .badArgument,
        "\(view.viewClass.name).children is the path from a row to the list of its children, or a function that gives the "
          + "list; it is not \(value.preview)")
    default: return false
    }
    return true
  }

  /// Sets the key function of a picker or a radio group, which identifies items. A function without
  /// parameters computes the view's own `key`, as in every view.
  func setItemKey(_ value: LuaValue, of view: View) -> Bool {
    guard let view = view as? ChoosingView, let function = value.function,
      function.parameterCount != 0
    else { return false }
    view.keyOfItem = keyFinder(function)
    return true
  }

  private func keyFinder(_ function: LuaFunction) -> (Value) throws -> Value {
    let function = RowFunction(function, in: self)
    return { try function.value(of: $0) }
  }

  /// Lists a path whose first property no row has, for as long as that is the case.
  func checkChildrenPath(of tree: TreeView) {
    listWhileFound { [weak tree] in
      do { try tree?.checkChildrenPath() } catch var error as TideError {
        error.holder = tree.map { ObjectHandle($0) }
        throw error
      }
    }
  }

  /// Lists the error of a check, as long as the check fails. The check runs again when something
  /// that it has read changes.
  func listWhileFound(
    _ code: TideError.Code = .unknownProperty, _ check: @escaping () throws -> Void
  ) {
    let home = context
    var listed: TideError?
    let effect = home.effect { [bindings = table] in
      var found: TideError?
      do { try check() } catch let error as TideError where error.code == code {
        found = error
      }
      if found?.message == listed?.message { return }
      if let former = listed { bindings.withdraw(former) }
      listed = found.map { bindings.list($0, of: home) }
    }
    home.own { [bindings = table] in
      effect.cancel()
      if let listed { bindings.withdraw(listed) }
    }
  }

  /// Methods of rows views: `scrollTo(index)`, and for trees `expand(index [, all])` and
  /// `collapse(index)`.
  func addRowMethods(to methods: LuaTable) throws {
    let functions: KeyValuePairs<Signature, (borrowing LuaCall) throws -> Void> = [
      "scrollTo(index)": { [unowned self] call in
        guard let rows = try view(call, 0) as? RowsView else {
          throw TideError(.badArgument, "only lists, tables, trees and collections scroll to rows")
        }
        rows.scroll(toRow: try call.integer(1).position)
      },
      "expand(index, all)": { [unowned self] call in
        let tree = try tree(call)
        let row = try call.integer(1).position
        if try flag(call, 2) {
          tree.openAll(row: row)
        } else {
          tree.setOpen(true, row: row)
        }
      },
      "collapse(index)": { [unowned self] call in
        try tree(call).setOpen(false, row: call.integer(1).position)
      },
    ]
    for (signature, body) in functions { try method(methods, signature, body) }
  }

  /// A boolean argument; false by default.
  private func flag(_ call: borrowing LuaCall, _ index: Int) throws -> Bool {
    if call.isNil(index) { return false }
    guard let flag = try call.value(index).boolean else { throw call.wrongType(index, "boolean") }
    return flag
  }

  private func tree(_ call: borrowing LuaCall) throws -> TreeView {
    guard let tree = try view(call, 0) as? TreeView else {
      throw TideError(.badArgument, "only the rows of a tree expand and collapse")
    }
    return tree
  }

  /// Makes a row's view with a script's function.
  private func cellMaker(_ function: LuaFunction) -> (Value, Int) throws -> View? {
    let home = context
    let location = self.location
    return { [owner = self.home] object, index in
      let runtime = try owner.requireRuntime()
      return try Self.naming(home, location) {
        try runtime.table.with(home) {
          try runtime.perform {
            let arguments = [try runtime.luaValue(object), .integer(index.number)]
            let made = try function.call(arguments).first ?? .nil
            guard let cell = made.object?.dataObject as? View else {
              throw TideError(
                .wrongType, "a list's cell function gives a view, not \(made.preview)")
            }
            return cell
          }
        }
      }
    }
  }

  /// Computes a row's style with a script's function.
  private func rowStyler(_ function: LuaFunction) -> (Value, Int) throws -> Value {
    let home = context
    let location = self.location
    return { [owner = self.home] object, index in
      let runtime = try owner.requireRuntime()
      return try Self.naming(home, location) {
        try runtime.table.with(home) {
          try runtime.derive {
            let arguments = [try runtime.luaValue(object), .integer(index.number)]
            return try runtime.value(from: function.call(arguments).first ?? .nil)
          }
        }
      }
    }
  }

  /// Adds the function's location and module version to its errors.
  private static func naming<Result>(
    _ home: BindingContext, _ location: SourceLocation?, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch var error as TideError {
      error.location = error.location ?? location
      error.family = home.family
      throw error
    }
  }

  /// Finds a row's children with a script's function.
  private func childFinder(_ function: LuaFunction) -> (Value) throws -> ValueList? {
    let home = context
    let location = self.location
    return { [owner = self.home] object in
      let runtime = try owner.requireRuntime()
      return try Self.naming(home, location) {
        try runtime.table.with(home) {
          try runtime.perform {
            let found = try function.call([runtime.luaValue(object)]).first ?? .nil
            switch try runtime.value(from: found) {
            case .null, .boolean(false): return nil
            case .object(let list as ValueList): return list
            default:
              throw TideError(
                .wrongType, "a tree's children function gives a list or nil, not \(found.preview)")
            }
          }
        }
      }
    }
  }

  // MARK: Columns

  private func setColumns(_ given: LuaTable, of view: TableView) throws {
    let columns = try lua.gather {
      try given.elements(of: "columns").map { given in
        let column = try column(given)
        lua.noteGathered(column.textBytes)
        return column
      }
    }
    try view.setColumns(columns, as: value(from: .table(given)))
  }

  /// Updates the columns from a function whenever something that it has read changes.
  private func followColumns(of view: TableView, by function: LuaFunction) {
    let home = context
    let effect = home.effect { [owner = self.home, weak view] in
      guard let view, let runtime = owner.runtime else { return }
      do {
        let made = try runtime.table.with(home) { try runtime.perform { try function.call([]) } }
        guard let given = made.first?.table else {
          throw TideError(
            .wrongType, "columns is a list of tables, not \((made.first ?? .nil).preview)")
        }
        try runtime.graph.untracked {
          try runtime.table.with(home) { try runtime.setColumns(given, of: view) }
        }
      } catch var error as TideError {
        error.site = error.site ?? view.failureSite
        error.holder = ObjectHandle(view)
        throw error
      }
    }
    home.own { effect.cancel() }
  }

  private func column(_ given: LuaValue) throws -> TableColumn {
    guard case .table(let fields) = given, try !hasMetatable(fields) else {
      var column = try TableColumn(value(from: given))
      column.location = location
      return column
    }
    var values: [(name: String, value: Value)] = []
    var functions: [String: LuaFunction] = [:]
    for (key, value) in try fields.entries() {
      guard case .string(let name) = key else {
        throw TideError(
          .badArgument, "a column is a table such as { title = \"Name\", path = \"name\" }")
      }
      if case .function(let function) = value {
        functions[name] = function
      } else if name == "cell" {
        throw TideError(
          .badArgument, "a column's cell is a function that gives a view, not \(value.preview)")
      } else {
        values.append((name, try self.value(from: value)))
      }
    }
    var column = try TableColumn(fields: values)
    column.location = location
    for (name, function) in functions {
      switch name {
      case "cell": column.makeCell = cellMaker(function)
      case "sort": column.sorting = sorting(by: function)
      default:
        throw TideError(
          .badArgument,
          "a column's \(name) cannot be a function; only cell and sort can\(NearestName.hint(for: name, in: ["cell", "sort"]))"
        )
      }
    }
    return column
  }

  /// Sorts by a row's key, or by a comparison of two rows, depending on the function's parameters.
  private func sorting(by function: LuaFunction) -> TableColumn.Sorting? {
    guard let closures = table.hooks.rowFunctions?(function) else { return nil }
    return closures.parameterCount == 1
      ? .key(closures.key) : .comparison(closures.isOrdered)
  }
}
