import TideBindings
import TideScript

extension TypeDefinitions {
  /// Controllers. Their properties and methods are Cocoa's.
  ///
  /// What is selected and arranged has a type of its own, which a script names:
  /// `---@type tidelock.controller.list<model.fruit>`.
  static let controllers = """
    ---Stands between models and views.
    ---@class tidelock.Controller : tidelock.DataObject
    ---@field editable boolean
    ---@field isEditing boolean
    local Controller = {}
    ---@return boolean done
    ---@return string? message
    function Controller:commitEditing() end
    function Controller:discardEditing() end
    ---@param editor tidelock.DataObject
    function Controller:objectDidBeginEditing(editor) end
    ---@param editor tidelock.DataObject
    function Controller:objectDidEndEditing(editor) end

    ---@class tidelock.controller.object<T> : tidelock.Controller
    ---@field content any
    ---@field selection T
    ---@field selectedObjects tidelock.List<T>
    ---@field canAdd boolean
    ---@field canRemove boolean
    ---@field objectClass any
    local ObjectController = {}
    function ObjectController:beginEditing() end
    ---@return any
    function ObjectController:newObject() end
    ---@param object? any
    ---@return any
    function ObjectController:add(object) end
    ---@param object? any
    ---@return any
    function ObjectController:addObject(object) end
    ---@param object? any
    function ObjectController:remove(object) end
    ---@param object? any
    function ObjectController:removeObject(object) end

    ---@class tidelock.controller.list<T> : tidelock.controller.object<T>
    ---@field content tidelock.List<T>
    ---@field arrangedObjects tidelock.List<T>
    ---@field selectedObject T?
    ---@field selectionIndex integer?
    ---@field selectionIndexes tidelock.List<integer>
    ---@field avoidsEmptySelection boolean
    ---@field preservesSelection boolean
    ---@field selectsInsertedObjects boolean
    ---@field clearsFilterOnInsertion boolean
    ---@field alwaysUsesMultipleValuesMarker boolean
    ---@field filter any
    ---@field sort any
    ---@field canInsert boolean
    ---@field canSelectNext boolean
    ---@field canSelectPrevious boolean
    local ListController = {}
    ---@param object? any
    ---@param index? integer
    ---@return any
    function ListController:insert(object, index) end
    ---@param object any
    ---@param index integer
    function ListController:insertObject(object, index) end
    ---@param objects table
    ---@param index integer
    function ListController:insertObjects(objects, index) end
    ---@param objects table
    function ListController:addObjects(objects) end
    ---@param objects table
    function ListController:removeObjects(objects) end
    ---@param index integer
    function ListController:removeAt(index) end
    ---@param indexes integer[]
    function ListController:removeAtIndexes(indexes) end
    function ListController:rearrange() end
    ---@return boolean
    function ListController:selectNext() end
    ---@return boolean
    function ListController:selectPrevious() end
    function ListController:selectAll() end
    ---@param index integer?
    function ListController:setSelectionIndex(index) end
    ---@param indexes integer[]?
    function ListController:setSelectionIndexes(indexes) end
    ---@param objects table?
    function ListController:setSelectedObjects(objects) end
    ---@param indexes integer[]
    function ListController:addSelectionIndexes(indexes) end
    ---@param indexes integer[]
    function ListController:removeSelectionIndexes(indexes) end
    ---@param objects table
    function ListController:addSelectedObjects(objects) end
    ---@param objects? table
    function ListController:removeSelectedObjects(objects) end

    ---@class tidelock.controller.tree<T> : tidelock.controller.object<T>
    ---@field arrangedObjects tidelock.List
    ---@field childrenPath string?
    ---@field countPath string?
    ---@field leafPath string?
    ---@field sort any
    ---@field avoidsEmptySelection boolean
    ---@field preservesSelection boolean
    ---@field selectsInsertedObjects boolean
    ---@field alwaysUsesMultipleValuesMarker boolean
    ---@field selectionIndexPath any
    ---@field selectionIndexPaths tidelock.List
    ---@field selectedNodes tidelock.List
    ---@field canInsert boolean
    ---@field canAddChild boolean
    ---@field canInsertChild boolean
    local TreeController = {}
    ---@param object? any
    ---@param path? integer[]
    ---@return any
    function TreeController:insert(object, path) end
    ---@param object any
    ---@param path integer[]
    function TreeController:insertObject(object, path) end
    ---@param object? any
    ---@return any
    function TreeController:addChild(object) end
    ---@param object? any
    ---@return any
    function TreeController:insertChild(object) end
    ---@param path integer[]
    function TreeController:removeAt(path) end
    ---@param path integer[]
    ---@return tidelock.DataObject?
    function TreeController:nodeAt(path) end
    ---@param object any
    ---@return tidelock.DataObject?
    function TreeController:nodeOf(object) end
    ---@param path integer[]?
    function TreeController:setSelectionIndexPath(path) end
    ---@param paths integer[][]?
    function TreeController:setSelectionIndexPaths(paths) end
    ---@param objects table?
    function TreeController:setSelectedObjects(objects) end

    ---@class tidelock.controller.dictionary<T> : tidelock.controller.list<T>
    ---@field content tidelock.DataObject
    ---@field includedKeys tidelock.List<string>
    ---@field excludedKeys tidelock.List<string>
    ---@field initialKey string
    ---@field initialValue any

    ---@class tidelock.controller.settings : tidelock.Controller
    ---@field values tidelock.DataObject
    ---@field initialValues tidelock.DataObject
    ---@field appliesImmediately boolean
    ---@field hasUnappliedChanges boolean
    local SettingsController = {}
    ---@return boolean done
    ---@return string? message
    function SettingsController:save() end
    function SettingsController:revert() end
    function SettingsController:revertToInitialValues() end

    ---Makes controllers.
    controller = {}
    ---@param options? tidelock.controller.object.Options
    ---@return tidelock.controller.object
    function controller.object(options) end
    ---@param options? tidelock.controller.list.Options
    ---@return tidelock.controller.list
    function controller.list(options) end
    ---@param options? tidelock.controller.tree.Options
    ---@return tidelock.controller.tree
    function controller.tree(options) end
    ---@param options? tidelock.controller.dictionary.Options
    ---@return tidelock.controller.dictionary
    function controller.dictionary(options) end
    ---@param options? tidelock.controller.settings.Options
    ---@return tidelock.controller.settings
    function controller.settings(options) end

    """

  /// What controllers may be given when they are made.
  static func controllerOptions() -> String {
    let kinds: KeyValuePairs<String, Controller> = [
      "object": ObjectController(), "list": ListController(), "tree": TreeController(),
      "dictionary": DictionaryController(),
    ]
    var text = ""
    for (kind, controller) in kinds {
      text += "---@class tidelock.controller.\(kind).Options\n"
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
    default: break
    }
    guard let index = controller.shape.index(of: name) else { return "any" }
    let type = controller.shape.places[index].type
    if type == .any { return "any" }
    let isTable = type == .list || type == .dictionary || controller is DictionaryController
    let text = Self.name(of: type) + (isTable ? "|table" : "")
    // A path from a model or a view, which the content follows.
    return text + (name == "content" ? "|string" : "") + "|fun(...): any"
  }
}
