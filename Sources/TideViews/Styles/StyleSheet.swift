package import TideBindings
package import TideGraph

/// The styles of one app, by name. If a name has several definitions, the first of these applies:
///
///     the app's theme file, `style.define`, the built-in theme, the built-in style
///
/// Of several definitions by `style.define`, the latest active one applies. A scene redraws all its
/// views when `version` has changed since the last drawing.
package final class StyleSheet: AppAttachment {
  private var own: [String: [Definition]] = [:]
  package private(set) var theme = Theme.standard
  package private(set) var version = 0
  private var richTexts = RichTexts()
  private unowned let table: BindingTable

  private init(_ table: BindingTable) { self.table = table }

  /// A definition made by `style.define`, which ends with its context.
  package final class Definition {
    fileprivate let name: String
    fileprivate let content: StyleDefinition
    fileprivate var isEnabled = true

    fileprivate init(_ name: String, _ content: StyleDefinition) {
      self.name = name
      self.content = content
    }
  }

  /// The style sheet of a graph.
  package static func of(_ graph: Graph) -> StyleSheet {
    let table = BindingTable.of(graph)
    if let known = table.styles as? StyleSheet { return known }
    let made = StyleSheet(table)
    table.styles = made
    return made
  }

  /// The current definition of a name; nil for an unknown name.
  package func definition(_ name: String) -> StyleDefinition? {
    theme.file[name] ?? own[name]?.last(where: \.isEnabled)?.content ?? theme.builtIn[name]
      ?? StyleName(rawValue: name)?.definition
  }

  func definition(_ name: StyleName) -> StyleDefinition {
    definition(name.rawValue) ?? name.definition
  }

  /// All names, sorted.
  package var names: [String] {
    let defined = own.filter { $0.value.contains(where: \.isEnabled) }.keys
    return Set(StyleName.allCases.map(\.rawValue)).union(defined).union(theme.file.keys).sorted()
  }

  /// The rich text with a content; equal contents share one object while it is alive.
  package func richText(_ content: RichText.Content) -> RichText {
    richTexts.text(content, in: table)
  }

  // MARK: Changes

  package func define(_ name: String, _ content: StyleDefinition) -> Definition {
    let made = Definition(name, content)
    own[name, default: []].append(made)
    version += 1
    return made
  }

  package func remove(_ definition: Definition) {
    // Contexts end the latest definitions first.
    if let index = own[definition.name]?.lastIndex(where: { $0 === definition }) {
      own[definition.name]?.remove(at: index)
    }
    if own[definition.name]?.isEmpty == true { own[definition.name] = nil }
    version += 1
  }

  package func setEnabled(_ isEnabled: Bool, _ definition: Definition) {
    definition.isEnabled = isEnabled
    version += 1
  }

  package func use(_ theme: Theme) {
    if theme == self.theme { return }
    self.theme = theme
    version += 1
  }

  package func endApp() {
    own = [:]
    richTexts = RichTexts()
    theme = .standard
    version += 1
  }

  // MARK: Names in `style`

  /// The names in a text, separated by spaces, or in a list.
  ///
  /// - Throws: `wrongType` for any other value, and `badArgument` for an unknown name, with the
  ///   nearest name.
  func names(
    in value: Value, of view: String, property: String = "style"
  ) throws(TideError) -> [String] {
    var names: [String] = []
    switch value {
    case .null: break
    case .string(let text):
      for word in text.split(separator: " ") { names.append(try known(String(word))) }
    case .object(let list as any ListObject):
      for index in 0..<list.trackedCount {
        guard case .string(let word)? = list.trackedElement(at: index) else {
          throw Self.mismatch(list.trackedElement(at: index) ?? .null, of: view, property)
        }
        names.append(try known(word))
      }
    default: throw Self.mismatch(value, of: view, property)
    }
    return names
  }

  /// - Throws: `badArgument` for an unknown name, with the nearest name.
  package func known(_ name: String) throws(TideError) -> String {
    if definition(name) != nil { return name }
    throw TideError(
      .badArgument,
      "there is no style \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: names))")
  }

  private static func mismatch(
    _ value: Value, of view: String, _ property: String
  ) -> TideError {
    TideError(
      .wrongType,
      "\(view).\(property) is a text with names, or a list of them, not \(value.typeName) \(value.preview)"
    )
  }
}
