import TideBindings
import TideLua
import TideValues

// What messages call values of scripts that the engine keeps as they are.

extension Handle: NamedKind { package var kindName: String { "handle" } }
extension ScriptBinding: NamedKind { package var kindName: String { "binding" } }
extension ScriptTask: NamedKind { package var kindName: String { "task" } }
extension Trigger: NamedKind { package var kindName: String { "trigger" } }
extension ScriptClass: NamedKind { package var kindName: String { "class \(name)" } }
