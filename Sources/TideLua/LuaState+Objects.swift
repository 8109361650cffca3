package import CTideLua

/// The functions that the shim calls where it cannot serve a property by itself.
///
/// Each field is documented in `CTideLua.h`. Write them as functions that belong to no actor: a
/// closure written in isolated code checks its isolation at every call. A hook that fails returns
/// `state.fail(error)`.
package typealias LuaObjectHooks = TideObjectHooks

extension LuaState {
  /// Sets the hooks; the context they name must outlive the state.
  package func setObjectHooks(_ hooks: LuaObjectHooks) {
    var hooks = hooks
    tide_objects_set_hooks(raw, &hooks)
  }

  package func isClassDefined(_ number: UInt32) -> Bool { tide_class_is_defined(raw, number) }

  /// Describes a class to Lua and gives the table of its methods, to be filled: property i is the
  /// slot i + 1 of a block, nil where an index is empty. A method that is not there is looked for
  /// in the parent's table.
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

  /// Gives a class other properties, which its objects have at once; nil where an index is empty.
  package func redefineClass(_ number: UInt32, properties: [String?]) throws(LuaError) {
    var frame = TideFrame()
    let status = Self.withNames(properties) { names in
      tide_class_redefine(raw, number, names.baseAddress, UInt32(names.count), &frame)
    }
    try none(status, &frame)
  }

  /// Forgets a class of which no object is left; all were made by scripts. When it is true, the
  /// number may be another class's.
  package func retireClass(_ number: UInt32) -> Bool { tide_class_retire(raw, number) }

  /// An object has moved to another block.
  package func moved(_ old: UnsafeMutablePointer<TideSlot>, to new: UnsafeMutablePointer<TideSlot>)
  {
    tide_object_moved(raw, old, new)
  }

  /// Takes back a definition that could not be completed.
  package func forgetClass(_ number: UInt32) { tide_class_forget(raw, number) }

  /// Makes a method of a script's function: what it changes settles when it returns.
  package func method(_ function: LuaFunction) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let status = tide_method_make(raw, function.id, &frame)
    guard case .function(let method) = try one(status, &frame) else { throw .closed }
    return method
  }

  /// A function that lives as long as a script's object and does not keep it alive, although it may
  /// capture it.
  package func function(
    _ function: LuaFunction, ownedBy header: UnsafeMutablePointer<TideSlot>
  ) throws(LuaError) -> LuaFunction {
    var frame = TideFrame()
    let status = tide_function_own(raw, function.id, header, &frame)
    guard case .function(let owned) = try one(status, &frame) else { throw .closed }
    return owned
  }

  /// Lets the interpreter call an observer by itself: gives the number for the observer's slot, or
  /// 0 where it takes more than the new and the old value. `context` is open while it runs. Who
  /// adds it keeps both.
  package func addListener(_ function: LuaFunction, context: AnyObject) -> UInt32 {
    tide_listener_add(raw, function.id, Unmanaged.passUnretained(context).toOpaque())
  }

  package func removeListener(_ listener: UInt32) { tide_listener_remove(raw, listener) }

  /// The table of a class's methods.
  package func methods(ofClass number: UInt32) throws(LuaError) -> LuaTable {
    var frame = TideFrame()
    guard case .table(let table) = try one(tide_class_methods(raw, number, &frame), &frame) else {
      throw LuaError(.runtime, "class \(number) has no definition")
    }
    return table
  }
}

/// Where a hook puts the text of a slot.
package typealias LuaText = TideText

extension LuaText {
  /// Gives the text; false without memory.
  package static func put(_ string: String, in text: UnsafeMutablePointer<LuaText>) -> Bool {
    var string = string
    return string.withUTF8 { utf8 in
      guard let room = tide_text_reserve(text, utf8.count) else { return false }
      UnsafeMutableRawBufferPointer(start: room, count: utf8.count).copyBytes(from: utf8)
      return true
    }
  }
}
