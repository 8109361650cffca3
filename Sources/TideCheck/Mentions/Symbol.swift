import TideBindings
import TideScript
import TideViews

/// The meaning of a name. Two mentions of one thing have the same symbol, even if other things have
/// the same name.
enum Symbol {
  case local(LuaLocal)
  case global(String)
  /// A name of Lua's library or of the API, such as `string.format`.
  case library(String)
  case model(String)
  case id(String)
  case viewClass(String)
  /// A class of objects.
  case objectClass(String)
  case context(String)
  case transformer(String)
  case style(String)
  case theme(String)
  case event(String)
  case module(String)
  /// A property that scripts declare, identified by the values of its declarations.
  case property(String, [LuaExpression])
  /// A property of a class of views.
  case viewProperty(String, of: String)
  /// A member of a class of the API, such as `List`.
  case member(String, of: String)
  case option(String, of: String)

  /// Whether both symbols mean the same thing.
  func isSame(as other: Symbol) -> Bool {
    switch (self, other) {
    case (.local(let one), .local(let two)): one === two
    case (.global(let one), .global(let two)), (.library(let one), .library(let two)),
      (.model(let one), .model(let two)), (.id(let one), .id(let two)),
      (.viewClass(let one), .viewClass(let two)),
      (.objectClass(let one), .objectClass(let two)), (.context(let one), .context(let two)),
      (.transformer(let one), .transformer(let two)),
      (.style(let one), .style(let two)), (.theme(let one), .theme(let two)),
      (.event(let one), .event(let two)), (.module(let one), .module(let two)):
      one == two
    case (.property(let one, let values), .property(let two, let others)):
      one == two && values.contains { value in others.contains { $0 === value } }
    case (.viewProperty(let one, let first), .viewProperty(let two, let second)),
      (.member(let one, let first), .member(let two, let second)),
      (.option(let one, let first), .option(let two, let second)):
      one == two && first == second
    default: false
    }
  }
}
