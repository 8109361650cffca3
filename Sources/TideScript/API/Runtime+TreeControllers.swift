import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func addTreeControllerMethods(to methods: LuaTable) throws {
    typealias Owner = TreeController
    try controllerMethod(methods, "insert") { [unowned self] (controller: Owner, call) in
      let object = try addedObject(call, to: controller)
      if call.isNil(2) {
        try controller.insert(object)
      } else {
        try controller.insert(object, at: indexes(call, 2))
      }
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "insertObject") { [unowned self] (controller: Owner, call) in
      try controller.insert(newObject(call, 1, for: controller), at: indexes(call, 2))
    }
    try controllerMethod(methods, "addChild") { [unowned self] (controller: Owner, call) in
      let object = try addedObject(call, to: controller)
      try controller.addChild(object)
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "insertChild") { [unowned self] (controller: Owner, call) in
      let object = try addedObject(call, to: controller)
      try controller.insertChild(object)
      try call.return(luaValue(object))
    }
    try controllerMethod(methods, "removeAt") { [unowned self] (controller: Owner, call) in
      try controller.remove(at: indexes(call, 1))
    }
    try controllerMethod(methods, "nodeAt") { [unowned self] (controller: Owner, call) in
      guard let node = try controller.node(at: indexes(call, 1)) else { return call.return(.nil) }
      try call.return(luaValue(node))
    }
    try controllerMethod(methods, "nodeOf") { [unowned self] (controller: Owner, call) in
      guard let node = try controller.find(argument(call, 1)) else {
        return call.return(.nil)
      }
      try call.return(luaValue(node))
    }
    for (name, property) in [
      ("setSelectionIndexPath", "selectionIndexPath"),
      ("setSelectionIndexPaths", "selectionIndexPaths"), ("setSelectedObjects", "selectedObjects"),
    ] {
      try controllerMethod(methods, name) { [unowned self] (controller: Owner, call) in
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
