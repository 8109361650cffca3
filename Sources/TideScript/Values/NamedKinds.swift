import TideBindings
package import TideLua

// What messages call values of scripts that the engine keeps as they are.

extension LuaFunction: NamedKind { package var kindName: String { "function" } }
extension LuaTable: NamedKind { package var kindName: String { "table" } }
extension LuaThread: NamedKind { package var kindName: String { "coroutine" } }
extension LuaUserdata: NamedKind { package var kindName: String { "userdata" } }
extension Handle: NamedKind { package var kindName: String { "handle" } }
extension ScriptBinding: NamedKind { package var kindName: String { "binding" } }
extension ScriptTask: NamedKind { package var kindName: String { "task" } }
extension Trigger: NamedKind { package var kindName: String { "trigger" } }
extension ScriptClass: NamedKind { package var kindName: String { "class \(name)" } }
