import TideBindings
import TideViews
import TideScript

/// Definitions of the Lua API, and of an app's own models and views, in the format of
/// lua-language-server: a Lua file that is never run.
///
/// ```swift
/// print(try TypeDefinitions().text)
/// print(try TypeDefinitions(app: ["."]).text)     // with its models, components and ids
/// ```
///
/// View classes, events and transformers come from the registries. An app's own names come from the
/// literals in its scripts, as `ScriptCheck` reads them. The scripts are not run.
package struct TypeDefinitions {
  /// The definitions, for a file that editors read.
  package let text: String

  /// Reads an app's scripts, and adds their models, classes and components to the definitions.
  ///
  /// - Parameters:
  ///   - paths: scripts and folders with scripts; none for the API alone.
  ///   - specs: the vocabulary of the test runner, if specs are edited as well.
  /// - Throws: an error if a script cannot be read.
  package init(app paths: [String] = [], specs: SpecVocabulary? = nil) throws {
    try self.init(paths.isEmpty ? AppTypes() : AppTypes(paths), specs)
  }

  /// Reads an app that consists of a single text.
  package init(appText: String, specs: SpecVocabulary? = nil) throws {
    try self.init(AppTypes(text: appText), specs)
  }

  /// The part that is the same for every app: functions, and the classes of their results.
  static var apiText: String {
    let kinds = APICatalogue.sections.map(\.definitions).joined() + controllerOptions() + common
    let names = ["Event", "Transformer", "Style", "Theme"].map {
      "---@alias tidelock.\($0)Name string\n\n"
    }
    return names.joined() + roles + kinds + "---@class tidelock.view.view\n"
      + APISection.viewMethods
  }

  /// The types of strings that name something, which editors treat as plain strings.
  private static var roles: String {
    let roles = NameRole.allCases.filter { !$0.isListed }
    return roles.map { "---Names \($0.summary).\n---@alias \($0.type) string\n\n" }.joined()
  }

  /// Every global of the API, sorted.
  package static func globalNames() throws -> [String] { try KnownNames().api.sorted() }

  private init(_ types: AppTypes, _ specs: SpecVocabulary?) throws {
    var text = """
      ---@meta
      -- Written by `tidelock types`. Nothing of it runs; lua-language-server reads it.


      """
    text += Self.alias("tidelock.TransformerName", TransformerRegistry().names)
    text += Self.eventNames(types.components)
    text += Self.alias("tidelock.StyleName", StyleName.allCases.map(\.rawValue))
    text += Self.alias("tidelock.ThemeName", Theme.names)
    text += Self.roles
    for section in APICatalogue.sections { text += section.definitions }
    text += Self.controllerOptions()
    text += Self.views(types.components)
    text += specs?.definitions ?? ""
    text += Self.models(types)
    text += Self.ids(types.ids)
    text += try Self.api()
    self.text = text
  }

  /// A type that allows only some strings.
  static func alias(_ name: String, _ cases: [String]) -> String {
    "---@alias \(name)\n" + cases.map { "---| \"\($0)\"\n" }.joined() + "\n"
  }

  private static func models(_ types: AppTypes) -> String {
    var text = ""
    for made in types.classes {
      text += comment(made.comment) + "---@class \(made.name) : \(made.parent)\n"
      text += made.fields.map(field).joined() + "\n"
    }
    text += "---@class tidelock.Models\n"
    for model in types.models { text += "---@field \(model) model.\(model)\n" }
    if types.models.isEmpty { text += "---@field [string] any\n" }
    return text + "\n"
  }

  /// The lines of a comment, for the line before its declaration.
  static func comment(_ lines: [String]) -> String { lines.map { "---\($0)\n" }.joined() }

  /// A field, followed by its comment.
  static func field(_ field: AppTypes.Field) -> String {
    let words = field.comment.filter { !$0.isEmpty }.joined(separator: " ")
    return "---@field \(field.name) \(field.type)\(words.isEmpty ? "" : " \(words)")\n"
  }

  private static func ids(_ ids: [(name: String, viewClass: String?)]) -> String {
    var text = "---@class tidelock.Views\n"
    for id in ids { text += "---@field \(id.name) tidelock.view.\(id.viewClass ?? "view")\n" }
    if ids.isEmpty { text += "---@field [string] any\n" }
    return text + "\n"
  }

  /// The table that contains every name of the API.
  private static func api() throws -> String {
    let names = try KnownNames().api.subtracting(["tidelock"]).sorted()
    let entries = names.map { "  \($0) = \($0),\n" }.joined()
    return "---Every name of the API, whatever a script's own variables are called.\n"
      + "tidelock = {\n\(entries)}\n"
  }
}

extension APITypes {
  /// The types of the whole API.
  static let shared = APITypes(TypeDefinitions.apiText)
}
