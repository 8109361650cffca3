import TideBindings
import TideGraph
import TideLua
import TideSystem
package import TideViews

extension Runtime {
  func installStyles() throws {
    try publishTable(
      "style",
      [
        .styleDefine: { [unowned self] call in
          let name = try call.name(0, "a style's name")
          try requireWord(style: name)
          let definition = try styleDefinition(
            call.table(1), of: "style.define(\"\(name)\")")
          try charge(Weight.style + name.utf8.count)
          let sheet = styles
          let made = sheet.define(name, definition)
          _ = context.own(setEnabled: { sheet.setEnabled($0, made) }) { sheet.remove(made) }
        }
      ])
  }

  package var styles: StyleSheet { StyleSheet.of(graph) }

  /// Whether a text may name a style or a theme.
  private static func isWord(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
  }

  private func requireWord(style name: String) throws {
    guard Self.isWord(name) else {
      throw TideError(
        .badArgument,
        "the name of a style is one word of letters, digits, - and _, not \"\(name.inMessage)\"")
    }
  }

  /// Reads the definition of a style from a table, including those of states.
  private func styleDefinition(
    _ table: LuaTable, of name: String, in state: StyleDefinition.State? = nil
  ) throws -> StyleDefinition {
    let what = (state.map { "\($0.rawValue) of " } ?? "") + name
    let known = StyleDefinition.properties + (state == nil ? StyleDefinition.stateNames : [])
    var definition = StyleDefinition()
    for (key, value) in try table.entries() {
      guard case .string(let property) = key, known.contains(property) else {
        let hint = NearestName.hintOrNames(for: key.string ?? "", in: known)
        throw TideError(.unknownProperty, "\(what) has no property \(key.preview)\(hint)")
      }
      guard let inner = StyleDefinition.State(rawValue: property) else {
        try definition.set(property, self.value(from: value), of: what)
        continue
      }
      guard case .table(let part) = value else {
        throw TideError(
          .wrongType,
          "\(property) of \(what) is a table such as { bold = true }, not \(value.preview)")
      }
      definition.set(inner, try styleDefinition(part, of: name, in: inner))
    }
    return definition
  }
}

// Themes: style files in the app's folder, and Tidelock's own.
extension Runtime {
  /// The folder of theme files, below the app's.
  package static let themeFolder = "themes"

  private static func module(ofTheme name: String) -> String { "\(themeFolder).\(name)" }

  /// The theme of a name. Its file is run if it has not been run yet.
  ///
  /// - Throws: `badArgument` for an unknown theme, with the nearest name; errors of the theme's
  ///   file.
  func theme(named name: String) throws -> Theme {
    let module = Self.module(ofTheme: name)
    if Self.isWord(name) {
      if let known = modules[module], !known.isLoading { return try theme(name, of: known) }
      if file(ofModule: module) != nil {
        return try theme(name, of: perform { try load(module: module) })
      }
    }
    if Theme.names.contains(name) { return Theme(name) }
    throw TideError(
      .badArgument,
      "there is no theme \"\(name.inMessage)\": neither is it one of Tidelock's, nor is "
        + "\(Self.themeFolder)/\(name.inMessage).lua a file of the app's folder"
        + NearestName.hintOrNames(for: name, in: themeNames))
  }

  /// The available themes, in alphabetical order.
  package var themeNames: [String] {
    let files = ReadableFile.names(in: SystemPath.joined(folder, Self.themeFolder)) ?? []
    let own = files.filter { $0.hasSuffix(".lua") && !$0.hasPrefix(".") }.map {
      String($0.dropLast(4))
    }
    return Set(own).union(Theme.names).sorted()
  }

  private func theme(_ name: String, of module: Module) throws -> Theme {
    guard case .table(let table) = module.value else {
      throw TideError(
        .wrongType,
        "\(module.path) returns a table of styles, as return { muted = { textColor = \"gray\" } }, "
          + "not \(module.value.preview)", location: SourceLocation(file: module.path, line: 1))
    }
    var styles: [String: StyleDefinition] = [:]
    do {
      for (key, value) in try table.entries() {
        guard case .string(let style) = key, case .table(let part) = value else {
          throw TideError(
            .wrongType,
            "a theme maps names of styles to tables; found \(value.preview) for \(key.preview)")
        }
        try requireWord(style: style)
        styles[style] = try styleDefinition(part, of: "the style \"\(style)\"")
      }
    } catch {
      var failure = TideError(script: error)
      failure.location = SourceLocation(file: module.path, line: 1)
      throw failure
    }
    return Theme(name, file: styles)
  }

  /// Applies a theme to the app.
  func use(theme name: String) {
    do { styles.use(try theme(named: name)) } catch { list(TideError(script: error)) }
  }

  /// Applies a new version of the current theme after its module has been run.
  func themeLoaded(_ module: Module) throws {
    let name = styles.theme.name
    guard module.name == Self.module(ofTheme: name) else { return }
    let before = styles.theme
    keepUndo { [styles] in styles.use(before) }
    styles.use(try theme(name, of: module))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let style = APIEntry("style", "Names for how views look.")

  static let styleDefine = APIEntry(
    "style.define(name, look)",
    "Says how views look that have the style, until the context ends.",
    """
    @param name string
    @param look tidelock.StyleOptions
    """)
}

extension APISection {
  static let styles = APISection(
    article: "StylesAndThemes",
    entries: [.style, .styleDefine],
    types: """
      ---How the views of a style look in one state.
      ---@class tidelock.StyleStateOptions
      \(StyleDefinition.properties.map { "---@field \($0)? \($0.hasSuffix("Color") ? "string" : "boolean")\n" }.joined())
      ---@class tidelock.StyleOptions : tidelock.StyleStateOptions
      \(StyleDefinition.stateNames.map { "---@field \($0)? tidelock.StyleStateOptions\n" }.joined())
      """)
}
