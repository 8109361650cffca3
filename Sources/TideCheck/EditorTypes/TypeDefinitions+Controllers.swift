import TideBindings
import TideScript

extension TypeDefinitions {
  /// The types of controllers' options.
  static func controllerOptions() -> String {
    var text = ""
    for controller in Runtime.controllersWithOptions {
      text += "---@class tidelock.\(controller.shape.name).Options\n"
      for name in Runtime.optionNames(of: controller) {
        text += "---@field \(name)? \(option(name, of: controller))\n"
      }
      text += "\n"
    }
    return text + """
      ---@class tidelock.controller.settings.Options
      ---@field name? string
      ---@field initialValues? table
      ---@field appliesImmediately? boolean
      ---@field editable? boolean


      """
  }

  private static func option(_ name: String, of controller: Controller) -> String {
    switch name {
    case "name": return "string"
    case "newObject": return "tidelock.Class|fun(): any"
    case "objectClass": return "tidelock.Class|fun(): any"
    case "filter": return "\(NameRole.rowPath.type)|fun(row: any): any"
    case "sort": return "tidelock.Sort|fun(...: any): any"
    case "childrenPath", "countPath", "leafPath": return "\(NameRole.rowPath.type)|fun(...): any"
    default: break
    }
    guard let index = controller.shape.index(of: name) else { return "any" }
    let type = controller.shape.propertiesByIndex[index].type
    if type == .any { return "any" }
    let isTable = type == .list || type == .dictionary || controller is DictionaryController
    let text = Self.name(of: type) + (isTable ? "|table" : "")
    // Content may also be given as a path from a model or a view.
    return text + (name == "content" ? "|\(NameRole.rootPath.type)" : "") + "|fun(...): any"
  }
}
