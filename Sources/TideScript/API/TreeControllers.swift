import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func addTreeControllerMethods(to methods: LuaTable) throws {
    typealias Owner = TreeController
    try controllerMethod(methods, "insert(object, path)") {
      [unowned self] (controller: Owner, call) in
      let object = try addedObject(call, to: controller)
      if call.isNil(2) {
        try checkSelection(of: controller)
        try controller.insert(object)
      } else {
        try controller.insert(object, atNumbers: indexes(call, 2))
      }
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "insertObject(object, path)") {
      [unowned self] (controller: Owner, call) in
      try controller.insert(newObject(call, 1, for: controller), atNumbers: indexes(call, 2))
    }
    try controllerMethod(methods, "addChild(object)") { [unowned self] (controller: Owner, call) in
      try checkSelection(of: controller)
      let object = try addedObject(call, to: controller)
      try controller.addChild(object)
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "insertChild(object)") {
      [unowned self] (controller: Owner, call) in
      try checkSelection(of: controller)
      let object = try addedObject(call, to: controller)
      try controller.insertChild(object)
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "removeAt(path)") { [unowned self] (controller: Owner, call) in
      try controller.remove(atNumbers: indexes(call, 1))
    }
    try controllerMethod(methods, "nodeAt(path)") { [unowned self] (controller: Owner, call) in
      let path = try indexes(call, 1).map(\.position)
      guard let node = controller.node(at: path) else { return call.return(.nil) }
      try call.return(luaValue(node))
    }
    try controllerMethod(methods, "nodeOf(object)") { [unowned self] (controller: Owner, call) in
      guard let node = try controller.find(argument(call, 1)) else {
        return call.return(.nil)
      }
      try call.return(luaValue(node))
    }
    let setters: KeyValuePairs<Signature, String> = [
      "setSelectionIndexPath(path)": "selectionIndexPath",
      "setSelectionIndexPaths(paths)": "selectionIndexPaths",
      "setSelectedObjects(objects)": "selectedObjects",
    ]
    for (signature, property) in setters {
      try controllerMethod(methods, signature) { [unowned self] (controller: Owner, call) in
        if !call.isNil(1) { _ = try objects(call, 1) }
        try controller.set(property, value(from: call.value(1)))
      }
    }
  }

  private func addedObject(
    _ call: borrowing LuaCall, to controller: TreeController
  ) throws -> Value {
    if call.count < 2 { return try controller.newObject() }
    return try newObject(call, 1, for: controller)
  }
}
