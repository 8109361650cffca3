import TideBindings
import TideScript
import TideSystem
import TideViews

/// The names that help explains without a running app: the API and its members, Lua's library, view
/// classes, styles, transformers, options and error codes.
///
/// ```swift
/// HelpIndex.shared.topics(for: "list:append")   // one topic, "Adds at the end."
/// ```
///
/// It is built from the catalogue and the registries. A name may have several meanings: `title` is
/// a style and a property of some view classes.
package final class HelpIndex: Sendable {
  package static let shared = HelpIndex()

  /// The types of the catalogue and of host definitions.
  let types: APITypes
  private let table: [String: [HelpTopic]]

  /// - Parameter definitions: definitions of further names, in the format for editors.
  package init(definitions: String = "") {
    var index = Maker()
    index.addAPI()
    index.addViews()
    index.addStyles()
    index.addOptions()
    for name in TransformerRegistry.builtInNames { index.add(transformer: name) }
    for entry in ErrorCatalogue.entries {
      let topic = HelpTopic("\(entry.label) \(entry.name)", entry.summary)
      index.add(topic, entry.label, entry.name)
    }
    let further = APITypes(definitions)
    index.add(membersOf: Self.apiTypes)
    index.add(namesOf: further)
    types = APITypes(definitions, beside: Self.apiTypes)
    table = index.table
  }

  private static let apiTypes = APITypes(
    APICatalogue.sections.map(\.definitions).joined() + "---@class tidelock.view.view\n"
      + APISection.viewMethods
      + LuaLibrary.entries.map(\.definition).joined(separator: "\n"))

  /// Lines of help for a name, or for the names whose help has all the words.
  package func search(_ query: String) -> [String] {
    let exact = topics(for: query)
    if !exact.isEmpty { return exact.map { "\($0.usage)  \($0.summary)" } }
    let words = query.lowercased().split(whereSeparator: \.isWhitespace)
    var seen: Set<String> = []
    var lines: [String] = []
    for (name, topics) in table.sorted(by: { $0.key < $1.key }) {
      for topic in topics {
        let line = "\(topic.usage)  \(topic.summary)"
        let text = (name + " " + line).lowercased()
        guard !words.isEmpty, words.allSatisfy(text.contains), seen.insert(line).inserted else {
          continue
        }
        lines.append(line)
      }
    }
    return lines.isEmpty ? ["Nothing is known of \"\(query)\"."] : Array(lines.prefix(200))
  }

  func topics(for name: String) -> [HelpTopic] { table[name] ?? [] }

  var names: Dictionary<String, [HelpTopic]>.Keys { table.keys }

  /// The owner in a member's name: `view.label` in `view.label.text`; nil without one.
  static func owner(of name: some StringProtocol) -> String? {
    name.lastIndex { $0 == "." || $0 == ":" }.map { String(name[..<$0]) }
  }
}

extension HelpIndex {
  /// Collects topics under the names with which they are looked up.
  private struct Maker {
    private(set) var table: [String: [HelpTopic]] = [:]

    mutating func add(_ topic: HelpTopic, _ names: String...) {
      for name in names where table[name]?.contains(topic) != true {
        table[name, default: []].append(topic)
      }
    }

    // MARK: Functions and tables

    mutating func addAPI() {
      for entry in APICatalogue.entries {
        let topic = HelpTopic(entry.usage, entry.summary)
        add(topic, entry.name, "tidelock.\(entry.name)")
        // `models.name` stands for any model.
        let example = String(entry.usage.prefix { !"( {".contains($0) })
        if !entry.isFunction, !example.hasPrefix("view."), !APICatalogue.names.contains(example) {
          add(topic, example)
        }
      }
      for entry in LuaLibrary.entries { add(HelpTopic(entry.usage, entry.summary), entry.name) }
    }

    /// Adds `list:append`, also as `List.append` and by its member name alone.
    mutating func add(membersOf types: APITypes) {
      for (type, members) in types.classes.sorted(by: { $0.key < $1.key }) {
        let owner = Self.owner(of: type)
        if !members.summary.isEmpty, !type.contains(".") {
          add(HelpTopic(owner, members.summary), type)
        }
        for (name, method) in members.methods.sorted(by: { $0.key < $1.key }) {
          add(
            HelpTopic(method.text(named: "\(owner):\(name)"), method.summary),
            "\(owner):\(name)", "\(owner).\(name)", "\(type):\(name)", "\(type).\(name)", name)
        }
        for (name, fieldType) in members.fields.sorted(by: { $0.key < $1.key }) {
          let summary = members.summaries[name] ?? "A field of \(owner)."
          add(
            HelpTopic("\(owner).\(name): \(Self.plain(fieldType))", Self.sentence(summary)),
            "\(owner).\(name)", "\(type).\(name)")
        }
      }
    }

    /// Adds the names of a host: its functions and tables.
    mutating func add(namesOf types: APITypes) {
      for (name, signatures) in types.functions.sorted(by: { $0.key < $1.key }) {
        guard let signature = signatures.first else { continue }
        // A callable table has a description only in its variable.
        let summary =
          signature.summary.isEmpty ? types.variables[name] ?? "" : signature.summary
        add(HelpTopic(signature.text(named: name), summary), name)
      }
      for (name, summary) in types.variables.sorted(by: { $0.key < $1.key })
      where types.functions[name] == nil {
        add(HelpTopic(name, summary), name)
      }
    }

    /// The name of a type's value in examples: `list` for `List`, `view` for `view.view`.
    private static func owner(of type: String) -> String {
      if type == "view.view" { return "view" }
      guard let first = type.first, first.isUppercase else { return type }
      return first.lowercased() + type.dropFirst()
    }

    private static func plain(_ type: String) -> String { type.replacing("tidelock.", with: "") }

    /// A remark such as "of a row" as a sentence.
    private static func sentence(_ remark: String) -> String {
      guard let first = remark.first else { return remark }
      return first.uppercased() + remark.dropFirst() + (remark.hasSuffix(".") ? "" : ".")
    }

    // MARK: Views

    mutating func addViews() {
      let classes = ViewClasses()
      for name in classes.names.sorted() {
        guard let viewClass = classes[name] else { continue }
        add(HelpTopic(viewClass: viewClass), "view.\(name)", name)
        for property in viewClass.shape.properties {
          let topic = HelpTopic(property: property, of: viewClass)
          for known in [property.name] + property.aliases {
            add(topic, "view.\(name).\(known)", "\(name).\(known)")
          }
          // The unqualified name gets one topic for all classes that inherit the property.
          if viewClass.superclass?.shape.index(of: property.name) == nil {
            for known in [property.name] + property.aliases { add(topic, known) }
          }
        }
        for event in viewClass.events {
          let topic = HelpTopic(event: event, of: viewClass)
          add(topic, "view.\(name).\(event)", "\(name).\(event)")
          if viewClass.superclass?.events.contains(event) != true { add(topic, event) }
        }
      }
    }

    mutating func addStyles() {
      for style in StyleName.allCases {
        let look = "\(style.definition)"
        add(
          HelpTopic(
            "style = \"\(style.rawValue)\"",
            "A style, which is \(look == "nothing" ? "plain" : look) in the theme default."),
          style.rawValue)
      }
      for theme in Theme.names {
        add(
          HelpTopic("app.theme = \"\(theme)\"", "A theme, which has a look for each style."), theme)
      }
      for name in StyleDefinition.properties {
        add(
          HelpTopic(
            "style.define(name, { \(name) = … })", "A part of the look that a style defines."), name
        )
      }
      for name in StyleDefinition.stateNames {
        add(
          HelpTopic(
            "style.define(name, { \(name) = { … } })",
            "The look of views with the style in that state."), name)
      }
    }

    // MARK: Options

    mutating func addOptions() {
      add(options: Runtime.bindingOptionNames, of: "bind", written: "bind(text, { % = … })")
      add(options: Runtime.propertyOptionNames, of: "property", written: "property { % = … }")
      for controller in Runtime.controllersWithOptions {
        let name = controller.shape.name
        add(
          options: Runtime.optionNames(of: controller), of: name, written: "\(name) { % = … }")
      }
    }

    private mutating func add(options: [String], of function: String, written: String) {
      for option in options {
        add(
          HelpTopic(written.replacing("%", with: option), "An option of \(function)."),
          option, "\(function).\(option)")
      }
    }

    mutating func add(transformer name: String) {
      guard let known = TransformerRegistry.description(ofBuiltIn: name) else { return }
      add(
        HelpTopic(
          "| \(known.usage)", known.summary, example: "a.text <- b.value | \(known.example ?? name)"
        ),
        name)
    }
  }
}

extension HelpTopic {
  init(viewClass: ViewClass) {
    var summary = viewClass.summary
    let inherited = viewClass.superclass
    let own = viewClass.shape.properties.map(\.name).filter {
      inherited?.shape.index(of: $0) == nil
    }
    if let inherited { summary += " Inherits from view.\(inherited.name)." }
    if !own.isEmpty { summary += " Properties: \(own.sorted().joined(separator: ", "))." }
    let events = viewClass.events.dropFirst(inherited?.events.count ?? 0).sorted()
    if !events.isEmpty { summary += " Events: \(events.joined(separator: ", "))." }
    self.init(
      "view.\(viewClass.name) { … }", summary.trimmingFirstBlank)
  }

  init(property: PropertyDescription, of viewClass: ViewClass) {
    let summary = property.summary ?? "A property of view.\(viewClass.name)."
    self.init("view.\(viewClass.name).\(property.name): \(property.typeText)", summary)
  }

  init(event: String, of viewClass: ViewClass) {
    self.init(
      "on(view, \"\(event)\", fn)",
      "An event of view.\(viewClass.name), or of what is in it.",
      example: "view.\(viewClass.name) { on = { \(event) = function(sender, event) … end } }")
  }
}

extension PropertyDescription {
  /// The type as text for people: `number, nil`, `"start" or "end"`, `string, read only`.
  var typeText: String {
    var text = cases.map { $0.map { "\"\($0)\"" }.joined(separator: " or ") } ?? type.name
    if isNullable, type != .any { text += " or nil" }
    if isReadOnly { text += ", read only" }
    return text
  }
}

extension String {
  fileprivate var trimmingFirstBlank: String { hasPrefix(" ") ? String(dropFirst()) : self }
}

/// The help for a name: its usage, a one-sentence summary, and a small example.
struct HelpTopic: Equatable {
  /// The syntax: `list:append(...)`.
  var usage: String
  /// One sentence.
  var summary: String
  var example: String?

  init(_ usage: String, _ summary: String, example: String? = nil) {
    self.usage = usage
    self.summary = summary
    self.example = example
  }

  var lines: [String] {
    ["\(usage)  \(summary)".escapingControlsInLines]
      + (example.map { ["  for example: \($0)"] } ?? [])
  }
}
