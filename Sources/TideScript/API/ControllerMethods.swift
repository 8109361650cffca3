import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// Adds the script methods of a controller class.
  func addControllerMethods(to methods: LuaTable, of shape: Shape) throws {
    if shape === Controller.controllerShape { try addEditing(to: methods) }
    if shape === ObjectController.objectShape { try addObjectControllerMethods(to: methods) }
    if shape === ListController.listShape { try addListControllerMethods(to: methods) }
    if shape === TreeController.treeShape { try addTreeControllerMethods(to: methods) }
    if shape === SettingsController.settingsShape { try addSettingsMethods(to: methods) }
  }

  /// Defines a method that runs as a batch, like methods of scripts.
  func controllerMethod<Owner: Controller>(
    _ methods: LuaTable, _ signature: Signature, of type: Owner.Type = Owner.self,
    _ body: @escaping (Owner, borrowing LuaCall) throws -> Void
  ) throws {
    try method(methods, signature) { [unowned self] call in
      guard let owner = call.object(0)?.dataObject as? Owner else {
        throw call.wrongType(0, "controller")
      }
      graph.beginBatch()
      defer { graph.endBatch() }
      try body(owner, call)
    }
  }

  // MARK: Editing

  private func addEditing(to methods: LuaTable) throws {
    // The commit settles before the method returns, since the method reports its result.
    try method(methods, "commitEditing()") { [unowned self] call in
      let controller = try controller(call)
      try tell(call) { try controller.commitEditing() }
    }
    try method(methods, "discardEditing()") { [unowned self] call in
      try controller(call).discardEditing()
    }
    try method(methods, "objectDidBeginEditing(editor)") { [unowned self] call in
      try controller(call).objectDidBeginEditing(editor(call))
    }
    try method(methods, "objectDidEndEditing(editor)") { [unowned self] call in
      let controller = try controller(call)
      let object = try object(call, 1, as: "editor")
      controller.endEditing { ($0 as? ScriptEditor)?.object === object }
    }
  }

  /// Returns true to the script, or false and the message of a refusal.
  func tell(_ call: borrowing LuaCall, _ body: () throws -> Void) throws {
    do {
      try body()
      call.return(true)
    } catch let error as LuaError where error.kind != .runtime {
      throw error
    } catch {
      call.return(false)
      call.return(TideError(wrapping: error, graph: graph).message)
    }
  }

  private func controller(_ call: borrowing LuaCall) throws -> Controller {
    guard let controller = call.object(0)?.dataObject as? Controller else {
      throw call.wrongType(0, "controller")
    }
    return controller
  }

  /// A script's object with the methods `commitEditing` and `discardEditing`.
  private func editor(_ call: borrowing LuaCall) throws -> ScriptEditor {
    let object = try object(call, 1, as: "editor, an object with commitEditing and discardEditing")
    let methods = try lua.methods(ofClass: object.shape.number)
    guard let commit = try methods["commitEditing"].function,
      let discard = try methods["discardEditing"].function
    else {
      throw TideError(
        .badArgument, "an editor is an object with the methods commitEditing and discardEditing")
    }
    return ScriptEditor(object, commit: commit, discard: discard, in: self)
  }

  // MARK: Objects

  private func addObjectControllerMethods(to methods: LuaTable) throws {
    try controllerMethod(methods, "beginEditing()") { (controller: ObjectController, _) in
      controller.beginEditing()
    }
    try controllerMethod(methods, "newObject()") {
      [unowned self] (controller: ObjectController, call) in
      try call.return(luaValue(controller.newObject()))
    }
    for name in ["add", "addObject"] {
      try controllerMethod(methods, "\(name)(object)") {
        [unowned self] (controller: ObjectController, call) in
        try call.return(luaValue(add(to: controller, call)))
      }
    }
    for name in ["remove", "removeObject"] {
      try controllerMethod(methods, "\(name)(object)") {
        [unowned self] (controller: ObjectController, call) in
        if call.count > 1 { return call.return(try controller.remove(argument(call, 1))) }
        try checkSelection(of: controller)
        try controller.removeSelection()
      }
    }
  }

  private func add(to controller: ObjectController, _ call: borrowing LuaCall) throws -> Value {
    if call.count < 2 { return try controller.add() }
    try charge(Weight.element)
    let object = try newObject(call, 1, for: controller)
    try controller.add(object)
    return object
  }

  /// The object to add to a controller: an object, or its fields in a plain table. If the
  /// controller has a class, the table becomes an object of that class.
  func newObject(
    _ call: borrowing LuaCall, _ index: Int, for controller: ObjectController
  ) throws -> Value {
    let value = try call.value(index)
    if value.isNil { throw call.wrongType(index, "object") }
    return try newObject(value, for: controller)
  }

  private func newObject(_ given: LuaValue, for controller: ObjectController) throws -> Value {
    guard let objectClass = controller.objectClass as? ScriptClass,
      case .table(let fields) = given, try !hasMetatable(fields)
    else { return try value(from: given) }
    return .object(try make(objectClass, fields))
  }

  private func newObjects(
    _ call: borrowing LuaCall, _ index: Int, for controller: ObjectController
  ) throws -> [Value] {
    guard controller.objectClass != nil, case .table(let table) = try call.value(index),
      try table.isSequence
    else { return try objects(call, index) }
    let count = try table.rawCount
    try admitRows(count)
    return try (0..<count).map {
      try newObject(table.rawGet(.integer($0 + 1)), for: controller)
    }
  }

  func argument(_ call: borrowing LuaCall, _ index: Int) throws -> Value {
    let value = try call.value(index)
    if value.isNil { throw call.wrongType(index, "object") }
    return try self.value(from: value)
  }

  // MARK: Lists

  private func addListControllerMethods(to methods: LuaTable) throws {
    typealias Owner = ListController
    try addRowEditing(to: methods)
    try controllerMethod(methods, "rearrange()") { (controller: Owner, _) in controller.rearrange()
    }
    try method(methods, "selectNext()") { [unowned self] call in
      let controller = try listController(call)
      try checkSelection(of: controller)
      call.return(try controller.selectNext())
    }
    try method(methods, "selectPrevious()") { [unowned self] call in
      let controller = try listController(call)
      try checkSelection(of: controller)
      call.return(try controller.selectPrevious())
    }
    try method(methods, "selectAll()") { [unowned self] call in try listController(call).selectAll()
    }
    let setters: KeyValuePairs<Signature, String> = [
      "setSelectionIndex(index)": "selectionIndex",
      "setSelectionIndexes(indexes)": "selectionIndexes",
      "setSelectedObjects(objects)": "selectedObjects",
    ]
    for (signature, property) in setters {
      try method(methods, signature) { [unowned self] call in
        let controller = try listController(call)
        if !call.isNil(1) {
          if property == "selectionIndex" {
            _ = try call.integer(1)
          } else {
            _ = try objects(call, 1)
          }
        }
        try controller.set(property, value(from: call.value(1)))
      }
    }
    try method(methods, "addSelectionIndexes(indexes)") { [unowned self] call in
      try listController(call).addSelectionIndexes(indexes(call, 1).map(\.position))
    }
    try method(methods, "removeSelectionIndexes(indexes)") { [unowned self] call in
      try listController(call).removeSelectionIndexes(indexes(call, 1).map(\.position))
    }
    try method(methods, "addSelectedObjects(objects)") { [unowned self] call in
      try listController(call).addSelectedObjects(objects(call, 1))
    }
    // As in Cocoa: with objects it deselects them; without, it removes the selected objects from
    // the content.
    try method(methods, "removeSelectedObjects(objects)") { [unowned self] call in
      let controller = try listController(call)
      if call.count > 1 { return try controller.deselect(objects(call, 1)) }
      try checkSelection(of: controller)
      try controller.removeSelection()
    }
  }

  private func addRowEditing(to methods: LuaTable) throws {
    typealias Owner = ListController
    try controllerMethod(methods, "insert(object, index)") {
      [unowned self] (controller: Owner, call) in
      if call.isNil(2) { try checkSelection(of: controller) }
      if call.count < 2 { return try call.return(luaValue(controller.insert())) }
      try charge(Weight.element)
      let object = try newObject(call, 1, for: controller)
      if call.isNil(2) {
        try controller.insert(object)
      } else {
        try controller.insert([object], atNumber: call.integer(2))
      }
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "insertObject(object, index)") {
      [unowned self] (controller: Owner, call) in
      try charge(Weight.element)
      try controller.insert([newObject(call, 1, for: controller)], atNumber: call.integer(2))
    }
    try controllerMethod(methods, "insertObjects(objects, index)") {
      [unowned self] (controller: Owner, call) in
      try controller.insert(newObjects(call, 1, for: controller), atNumber: call.integer(2))
    }
    try controllerMethod(methods, "addObjects(objects)") {
      [unowned self] (controller: Owner, call) in
      try controller.add(newObjects(call, 1, for: controller))
    }
    try controllerMethod(methods, "removeObjects(objects)") {
      [unowned self] (controller: Owner, call) in
      try controller.remove(objects(call, 1))
    }
    try controllerMethod(methods, "removeAt(index)") { (controller: Owner, call) in
      try controller.remove(numbered: [call.integer(1)])
    }
    try controllerMethod(methods, "removeAtIndexes(indexes)") {
      [unowned self] (controller: Owner, call) in
      try controller.remove(numbered: indexes(call, 1))
    }
  }

  private func listController(_ call: borrowing LuaCall) throws -> ListController {
    guard let controller = call.object(0)?.dataObject as? ListController else {
      throw call.wrongType(0, "list controller")
    }
    return controller
  }

  /// The objects of an argument: a list, or a table in its place.
  func objects(_ call: borrowing LuaCall, _ index: Int) throws -> [Value] {
    if let list = call.object(index)?.dataObject as? ValueList {
      let values = graph.untracked { list.values }
      try admitRows(values.count)
      return values
    }
    return try elements(of: call.table(index))
  }

  /// The indexes in an argument, from 1.
  func indexes(_ call: borrowing LuaCall, _ index: Int) throws -> [Int] {
    try objects(call, index).map { value in
      switch value {
      case .integer(let integer): return integer
      case .number(let number):
        if let exact = Int(exactly: number) { return exact }
        fallthrough
      default:
        throw TideError(
          .wrongType, "an index is a whole number, not \(value.typeAndPreview)")
      }
    }
  }
}

/// A script's object that edits a value.
final class ScriptEditor: Editor {
  let object: DataObject
  private let commit: LuaFunction
  private let discard: LuaFunction
  private let home: Home

  init(_ object: DataObject, commit: LuaFunction, discard: LuaFunction, in runtime: Runtime) {
    self.object = object
    self.commit = commit
    self.discard = discard
    home = runtime.home
  }

  /// The script's method refuses by returning false or nil and a message, or by raising an error.
  func commitEditing() throws {
    guard let runtime = home.runtime else { return }
    let results = try runtime.perform { try commit.call([runtime.luaValue(object)]) }
    guard let first = results.first, !first.isTruthy else { return }
    let message = results.count > 1 ? results[1].string : nil
    throw TideError(.refused, message ?? "the editor refuses to commit")
  }

  func discardEditing() {
    guard let runtime = home.runtime else { return }
    runtime.callBack(in: runtime.context) { try discard.call([runtime.luaValue(object)]) }
  }
}
