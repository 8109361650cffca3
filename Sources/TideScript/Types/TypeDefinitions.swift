import TideBindings

/// Definitions of the Lua API, and of an app's own models and views, as lua-language-server reads
/// them: a Lua file in which nothing runs.
///
/// ```swift
/// print(try TypeDefinitions().text)
/// print(try TypeDefinitions(app: ["."]).text)     // with its models, components and ids
/// ```
///
/// View classes, events and transformers are those of the registries. An app's own names come from
/// what it writes out, as `ScriptCheck` sees it; its scripts are not run.
public struct TypeDefinitions {
  public let text: String

  /// - Parameter app: scripts and folders with scripts.
  ///
  /// Throws what keeps a script from being read.
  public init(app paths: [String] = []) throws {
    try self.init(paths.isEmpty ? AppTypes() : AppTypes(paths))
  }

  /// The same for an app that is one text.
  package init(appText: String) throws { try self.init(AppTypes(text: appText)) }

  /// Every global of the API, sorted.
  package static func globalNames() throws -> [String] { try ScriptNames().api.sorted() }

  private init(_ types: AppTypes) throws {
    var text = """
      ---@meta
      -- Written by `tidelock types`. Nothing of it runs; lua-language-server reads it.


      """
    text += Self.alias("tidelock.TransformerName", TransformerRegistry().names)
    text += Self.eventNames(types.components)
    text += Self.objects
    text += Self.bindings
    text += Self.views(types.components)
    text += Self.runtime
    text += Self.models(types.models)
    text += Self.ids(types.ids)
    text += try Self.api()
    self.text = text
  }

  /// A type that is one of some texts.
  static func alias(_ name: String, _ cases: [String]) -> String {
    "---@alias \(name)\n" + cases.map { "---| \"\($0)\"\n" }.joined() + "\n"
  }

  private static func models(_ models: [AppTypes.Model]) -> String {
    var text = ""
    for model in models {
      text += "---@class model.\(model.name) : tidelock.DataObject\n"
      for field in model.fields { text += "---@field \(field.name) \(field.type)\n" }
      text += "\n"
    }
    text += "---@class tidelock.Models\n"
    for model in models { text += "---@field \(model.name) model.\(model.name)\n" }
    if models.isEmpty { text += "---@field [string] any\n" }
    return text + "\n"
  }

  private static func ids(_ ids: [(name: String, viewClass: String?)]) -> String {
    var text = "---@class tidelock.Views\n"
    for id in ids { text += "---@field \(id.name) tidelock.view.\(id.viewClass ?? "view")\n" }
    if ids.isEmpty { text += "---@field [string] any\n" }
    return text + "\n"
  }

  /// The table that holds every name of the API once more.
  private static func api() throws -> String {
    let names = try ScriptNames().api.subtracting(["tidelock"]).sorted()
    let entries = names.map { "  \($0) = \($0),\n" }.joined()
    return "---Every name of the API, whatever a script's own variables are called.\n"
      + "tidelock = {\n\(entries)}\n"
  }
}
