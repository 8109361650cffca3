package import TideBindings
import TideGraph

/// An item of a menu as a data object of its own, for whoever has none: its properties are those that
/// `MenuItem` reads.
package final class MenuEntry: DataObject {
  private static let entryShape = Shape(
    name: "menuItem",
    properties: [
      .of(.title, .string, .string("")), .of(.key, .string), PropertyDescription("command", .any),
      .of(.items, .list), .of(.enabled, .boolean, .boolean(true)),
      .of(.selected, .boolean, .boolean(false)),
    ])

  package override init() { super.init(shape: Self.entryShape) }
}
