import TideBindings
import TideGraph
import TideLua
import TideViews

/// The running app, as scripts see it: `app`, its theme and title, and the sender of `willQuit`.
///
/// It is no module's, so a reload leaves what it holds; a reset does not.
final class AppObject: DataObject {
  /// Nil until the API is installed.
  var home: Home?
  /// Puts into effect what the properties say; nil until one of them has been written.
  private var effect: Effect?

  private enum Property: String, CaseIterable {
    case theme, title

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private static let appShape = Shape(
    name: "app",
    properties: Property.allCases.map(description),
    swiftClasses: [ObjectIdentifier(AppObject.self)])

  private static func description(of property: Property) -> PropertyDescription {
    switch property {
    case .theme:
      var description = PropertyDescription(
        property.rawValue, .string, initial: .string(Theme.standard.name))
      description.validate = { object, value in
        try (object as? AppObject)?.admit(theme: value.text ?? "")
        return value
      }
      return description
    case .title:
      var description = PropertyDescription(property.rawValue, .string, initial: .string(""))
      description.validate = { object, value in
        (object as? AppObject)?.follow()
        return value
      }
      return description
    }
  }

  override init() { super.init(shape: Self.appShape) }

  private func text(_ property: Property) -> String { self[property.rawValue].text ?? "" }

  var theme: String { text(.theme) }
  var title: String { graph.untracked { text(.title) } }

  private func admit(theme name: String) throws {
    _ = try home?.requireRuntime().theme(named: name)
    follow()
  }

  /// Follows the properties from now on.
  private func follow() {
    if effect != nil { return }
    effect = graph.effect { [unowned self] in
      let (theme, title) = (theme, text(.title))
      guard let runtime = home?.runtime else { return }
      graph.untracked {
        runtime.scene?.setTitle(title)
        runtime.use(theme: theme)
      }
    }
  }

  /// Makes everything as it is when an app begins.
  func reset() {
    for property in Property.allCases {
      _ = try? store(
        property.index, shape.propertiesByIndex[property.index].initial.value, settling: true)
    }
  }
}

extension Runtime {
  func installApp() throws {
    ending.app.home = home
    try publish(APIEntry.app.name, luaValue(ending.app))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let app = APIEntry(
    "app",
    "The running app. `on(app, \"willQuit\", fn)` is asked before it ends; false has it stay.",
    """
    @class tidelock.App : tidelock.DataObject
    @field theme tidelock.ThemeName|string
    @field title string
    """)
}

extension APISection {
  static let app = APISection(article: "StylesAndThemes", entries: [.app])
}
