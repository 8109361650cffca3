import TideBindings
import TideGraph
import TideLua

/// What scripts can do with Swift objects that are no data objects.
final class Metatables {
  let marker: LuaTable
  let opaque: LuaTable
  let scriptClass: LuaTable
  let binding: LuaTable
  let handle: LuaTable
  let trigger: LuaTable
  let task: LuaTable
  let scope: LuaTable
  /// What the objects of each kind have, by the kind's name.
  var memberNames: [String: [String]] = [:]

  init(_ lua: LuaState) throws {
    marker = try Self.make(lua, "marker")
    opaque = try Self.make(lua, "object")
    scriptClass = try Self.make(lua, "class")
    binding = try Self.make(lua, "binding")
    handle = try Self.make(lua, "handle")
    trigger = try Self.make(lua, "trigger")
    task = try Self.make(lua, "task")
    scope = try Self.make(lua, "context")
    try marker.rawSet(
      "__tostring",
      .function(
        lua.function(named: "tostring") { call in
          call.return(call.userdata(0, as: Marker.self)?.description ?? "marker")
        }))
  }

  private static func make(_ lua: LuaState, _ name: String) throws -> LuaTable {
    try lua.table(["__name": .string(name), "__metatable": false])
  }
}
