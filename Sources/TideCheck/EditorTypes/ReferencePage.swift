import TideBindings
import TideScript
import TideViews

/// The reference of all names that scripts see, as an article: functions, view classes with their
/// properties and events, options, styles and transformers.
///
/// It is generated from the catalogue and the registries, so it matches the program.
package enum ReferencePage {
  package static var text: String {
    var text = """
      # Reference

      Every name that scripts see, made from what the program has. `tidelock types` gives editors the same, \
      `:help NAME` at the prompt a line of it, and <doc:Errors> lists the error codes.

      ## Functions and tables

      All are globals, and entries of `tidelock`.


      """
    for section in APICatalogue.sections {
      text += "### <doc:\(section.article)>: \(names(of: section))\n\n"
      text += table(["how it is written", "what it does", "since"])
      for entry in section.entries {
        text += row([code(entry.usage), entry.summary, entry.since])
      }
      text += "\n"
    }
    text += views() + options() + namedTexts()
    text += styles()
    text +=
      "## Transformers\n\nBehind `|` in a binding. <doc:Transformers> says what each does.\n\n"
    return text + list(TransformerRegistry.builtInUsages)
  }

  private static func names(of section: APISection) -> String {
    let tables = section.entries.filter { !$0.name.contains(".") }
    return tables.map { code($0.name) }.joined(separator: ", ")
  }

  // MARK: Views

  private static func views() -> String {
    let classes = ViewClasses()
    var text =
      "## Views\n\nA class has what the one that it inherits from has, too. See <doc:Views>.\n\n"
    for viewClass in classes.names.sorted().compactMap({ classes[$0] }) {
      let parent = viewClass.superclass
      text += "### view.\(viewClass.name)\n\n"
      if let parent { text += "Inherits from `\(parent.name)`.\n\n" }
      let properties = viewClass.shape.properties.filter {
        parent?.shape.index(of: $0.name) == nil
      }
      if !properties.isEmpty {
        text += table(["property", "type", ""])
        for property in properties.sorted(by: { $0.name < $1.name }) {
          let type = property.cases?.joined(separator: ", ") ?? property.type.name
          let notes = [
            property.isNullable ? "may be nil" : nil, property.isReadOnly ? "read only" : nil,
          ]
          text += row([code(property.name), type, notes.compactMap(\.self).joined(separator: ", ")])
        }
        text += "\n"
      }
      let events = viewClass.events.dropFirst(parent?.events.count ?? 0)
      if !events.isEmpty { text += "Events: " + list(events.sorted()) }
    }
    return text
  }

  // MARK: Styles

  private static func styles() -> String {
    var text =
      "## Styles\n\nNames in a view's `style`, beside those that an app defines. See <doc:StylesAndThemes>.\n\n"
    text += table(["style", "what it says in the theme `default`"])
    for name in StyleName.allCases {
      text += row([code(name.rawValue), "\(name.definition)"])
    }
    return text + "\nThemes: " + list(Theme.names)
      + "A definition has: " + list(StyleDefinition.properties + StyleDefinition.stateNames)
  }

  // MARK: Options

  private static func options() -> String {
    var text = "## Options\n\n" + table(["function", "options"])
    text += row([code("bind"), words(Runtime.bindingOptionNames)])
    text += row([code("property"), words(Runtime.propertyOptionNames)])
    for controller in Runtime.controllersWithOptions {
      text += row([code(controller.shape.name), words(Runtime.optionNames(of: controller))])
    }
    return text + "\n"
  }

  // MARK: Texts

  /// The roles of names in strings, and the parameters and options that take them.
  private static func namedTexts() -> String {
    var text =
      "## Texts that name something\n\nThe checker and editors know what they name, and a renaming finds them.\n\n"
    text += table(["a text that is", "is taken by"])
    for role in NameRole.allCases {
      let takers = takers(of: role)
      if !takers.isEmpty { text += row([role.summary, words(takers)]) }
    }
    return text + "\n"
  }

  private static func takers(of role: NameRole) -> [String] {
    let types = APITypes.shared
    func names(_ type: String) -> Bool { types.names(role, in: type) }
    var found: Set<String> = []
    for (function, signatures) in types.functions {
      for parameter in signatures.flatMap(\.parameters) {
        if names(parameter.type) { found.insert("\(function)(\(parameter.name))") }
        guard let options = types.className(of: parameter.type), types.isOptions(options) else {
          continue
        }
        for (name, type) in types.fields(of: options) where names(type) {
          found.insert("\(function) { \(name) }")
        }
        if let element = types.classes[options]?.element, names(element) {
          found.insert("\(function) { … }")
        }
      }
    }
    for (name, made) in types.classes {
      for (method, signature) in made.methods
      where signature.parameters.contains(where: { names($0.type) }) {
        found.insert("\(name):\(method)")
      }
    }
    return found.sorted()
  }

  // MARK: Markdown

  private static func code(_ text: String) -> String { "`\(text)`" }
  private static func words(_ names: [String]) -> String { names.map(code).joined(separator: ", ") }
  private static func list(_ names: [String]) -> String { words(names) + "\n\n" }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }

  private static func table(_ heads: [String]) -> String {
    row(heads) + row(heads.map { _ in "---" })
  }
}
