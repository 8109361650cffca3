import TideBindings
import TideGraph
package import TideLua
import TideValues
import TideViews

/// The metatables of Swift objects that are not data objects.
final class Metatables {
  let marker: LuaTable
  let opaque: LuaTable
  let scriptClass: LuaTable
  let binding: LuaTable
  let handle: LuaTable
  let trigger: LuaTable
  let task: LuaTable
  let scope: LuaTable
  let richText: LuaTable
  /// For the tables of listed errors: plain data, except for `__tostring`.
  let error: LuaTable
  /// The result of `getmetatable` for those.
  let errorMark: LuaTable
  /// The member names of each kind of object, by the kind's name.
  var memberNames: [String: [String]] = [:]

  init(_ lua: LuaState) throws {
    marker = try Self.make(lua, "marker")
    opaque = try Self.make(lua, "host object")
    scriptClass = try Self.make(lua, "class")
    binding = try Self.make(lua, "binding")
    handle = try Self.make(lua, "handle")
    trigger = try Self.make(lua, "trigger")
    task = try Self.make(lua, "task")
    scope = try Self.make(lua, "context")
    richText = try Self.make(lua, "rich text")
    errorMark = try lua.table().sealed(as: "error")
    error = try lua.table(["__name": "error", "__metatable": .table(errorMark)])
    let text = try lua.function(
      from: """
        return function(e)
          return (e.location and e.location .. ": " or "") .. e.number .. ": " .. e.message
        end
        """)
    try error.rawSet("__tostring", .function(text))
    try marker.rawSet(
      "__tostring",
      .function(
        lua.function(named: "tostring") { call in
          call.return(call.userdata(0, as: Marker.self)?.description ?? "marker")
        }))
  }

  /// The metatable of an object that a script has stored in a property and reads back.
  func metatable(for object: AnyObject) -> LuaTable {
    switch object {
    case is ScriptClass: scriptClass
    case is ScriptBinding: binding
    case is Handle: handle
    case is Trigger: trigger
    case is ScriptTask: task
    case is RichText: richText
    default: opaque
    }
  }

  private static func make(_ lua: LuaState, _ name: String) throws -> LuaTable {
    try lua.table(["__name": .string(name), "__metatable": false])
  }
}

// The names in messages for script values that the engine stores unchanged.

extension RichText: NamedKind { package var kindName: String { "rich text" } }
extension Handle: NamedKind { package var kindName: String { "handle" } }
extension ScriptBinding: NamedKind { package var kindName: String { "binding" } }
extension ScriptTask: NamedKind { package var kindName: String { "task" } }
extension Trigger: NamedKind { package var kindName: String { "trigger" } }
extension ScriptClass: NamedKind { package var kindName: String { "class \(name)" } }

extension LuaState {
  /// The names in a table, sealed or not, in alphabetical order.
  package func names(in table: LuaTable) throws(LuaError) -> [String] {
    let list = try load(
      """
      local names = {}
      for name in pairs(...) do if type(name) == "string" then names[#names + 1] = name end end
      return table.concat(names, " ")
      """, name: LuaState.ownChunk("names"))
    let text = try list.call([.table(table)]).first?.string ?? ""
    return text.split(separator: " ").map(String.init).sorted()
  }
}
