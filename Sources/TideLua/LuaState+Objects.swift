package import CTideLua

/// The functions that the shim calls when it cannot access a property by itself.
///
/// Each field is documented in `CTideLua.h`. Write hooks as nonisolated functions: a closure
/// written in isolated code checks its isolation at every call. A hook that fails returns
/// `state.fail(error)`.
package typealias LuaObjectHooks = TideObjectHooks

extension LuaState {
  /// Sets the hooks; their context must outlive the state.
  package func setObjectHooks(_ hooks: LuaObjectHooks) {
    var hooks = hooks
    tide_objects_set_hooks(raw, &hooks)
  }

  package func isClassDefined(_ number: UInt32) -> Bool { tide_class_is_defined(raw, number) }

  /// Defines a class in Lua and returns its method table, to be filled. Property i is stored in
  /// slot i + 1 of a block; a nil name marks an unused index. Missing methods are looked up in the
  /// parent's table.
  @discardableResult
  package func defineClass(
    _ number: UInt32, name: String, properties: [String?], parent: UInt32 = 0
  ) throws(LuaError) -> LuaTable {
    var frame = TideFrame()
    let status = Self.withNames(properties) { names in
      tide_class_define(
        raw, number, name, names.baseAddress, UInt32(names.count), parent, &frame)
    }
    try none(status, &frame)
    return try methods(ofClass: number)
  }

  private static func withNames(
    _ names: [String?], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Int32
  ) -> Int32 {
    let copies = names.map { $0.flatMap { strdup($0) } }
    defer { for name in copies { free(name) } }
    return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer(body)
  }

  /// Redefines a class's properties, also for existing objects; a nil name marks an unused index.
  package func redefineClass(_ number: UInt32, properties: [String?]) throws(LuaError) {
    var frame = TideFrame()
    let status = Self.withNames(properties) { names in
      tide_class_redefine(raw, number, names.baseAddress, UInt32(names.count), &frame)
    }
    try none(status, &frame)
  }

  /// Removes a class without remaining objects; scripts must have created all of them. If it
  /// returns true, the number may be reused for another class.
  package func retireClass(_ number: UInt32) -> Bool { tide_class_retire(raw, number) }

  /// Updates Lua after an object has moved to another block.
  package func moved(_ old: UnsafeMutablePointer<TideSlot>, to new: UnsafeMutablePointer<TideSlot>)
  {
    tide_object_moved(raw, old, new)
  }

  /// Undoes an incomplete definition.
  package func forgetClass(_ number: UInt32) { tide_class_forget(raw, number) }

  /// Makes a method from a script's function; its changes settle when it returns.
  package func method(_ function: LuaFunction) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let status = tide_method_make(raw, function.id, &frame)
    guard case .function(let method) = try one(status, &frame) else { throw .closed }
    return method
  }

  /// A function with the lifetime of a script's object. It does not retain the object, although it
  /// may capture it.
  package func function(
    _ function: LuaFunction, ownedBy header: UnsafeMutablePointer<TideSlot>
  ) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let status = tide_function_own(raw, function.id, header, &frame)
    guard case .function(let owned) = try one(status, &frame) else { throw .closed }
    return owned
  }

  /// Lets the interpreter call an observer directly. Returns the number for the observer's slot, or
  /// 0 if the function takes more than the new and the old value. `context` is active while it
  /// runs. The caller must retain both.
  package func addListener(_ function: LuaFunction, context: AnyObject) -> UInt32 {
    tide_listener_add(raw, function.id, Unmanaged.passUnretained(context).toOpaque())
  }

  package func removeListener(_ listener: UInt32) { tide_listener_remove(raw, listener) }

  /// The method table of a class.
  package func methods(ofClass number: UInt32) throws(LuaError) -> LuaTable {
    var frame = TideFrame()
    guard case .table(let table) = try one(tide_class_methods(raw, number, &frame), &frame) else {
      throw LuaError(.runtime, "class \(number) has no definition")
    }
    return table
  }
}

/// The destination for a slot's string in a hook.
package typealias LuaText = TideText

extension LuaText {
  /// Stores the string. Returns false if memory is exhausted.
  package static func put(_ string: String, in text: UnsafeMutablePointer<LuaText>) -> Bool {
    var string = string
    return string.withUTF8 { utf8 in
      guard let room = tide_text_reserve(text, utf8.count) else { return false }
      UnsafeMutableRawBufferPointer(start: room, count: utf8.count).copyBytes(from: utf8)
      return true
    }
  }
}
