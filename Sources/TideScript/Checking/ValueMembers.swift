import TideBindings
import TideLua

/// What the values of the API have in scripts: lists, controllers, views, bindings.
///
/// A runtime is asked, so that a check knows what an app finds, and no more.
struct ValueMembers {
  /// The properties and methods of lists, those of feeds included.
  private(set) var list: Set<String> = []
  /// The methods of every view.
  private(set) var viewMethods: Set<String> = []
  /// The properties and methods of controllers, and the options they are made with, by kind.
  private(set) var controllers: [String: Set<String>] = [:]
  private(set) var controllerOptions: [String: [String]] = [:]
  /// The members of bindings, handles and tasks.
  private(set) var userdata: [String: Set<String>] = [:]

  static let controllerKinds = ["object", "list", "tree", "dictionary", "settings"]

  init(_ runtime: Runtime) throws {
    if let feed = try Self.object("feed { fetch = function() return {} end }", runtime) {
      list = Self.members(of: feed, runtime)
    }
    if let view = try Self.object("view.view {}", runtime) {
      viewMethods = Set(runtime.methodNames(of: view))
    }
    for kind in Self.controllerKinds {
      guard let made = try Self.object("controller.\(kind)()", runtime) as? Controller else {
        continue
      }
      controllers[kind] = Self.members(of: made, runtime)
      controllerOptions[kind] = Runtime.optionNames(of: made)
    }
    userdata = runtime.metatables.memberNames.mapValues(Set.init)
  }

  private static func object(_ expression: String, _ runtime: Runtime) throws -> DataObject? {
    let value = try runtime.lua.load("return \(expression)", name: "=check").call([]).first
    return value?.object?.dataObject
  }

  private static func members(of object: DataObject, _ runtime: Runtime) -> Set<String> {
    Set(object.shape.properties.map(\.name) + runtime.methodNames(of: object))
  }
}
