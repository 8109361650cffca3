import TideBindings
import TideGraph
import TideLua
import TideViews

/// The running app, as scripts see it: `app`, its theme and title, and the sender of `willQuit`.
///
/// It belongs to no module, so a reload keeps its values, and a reset drops them.
final class AppObject: DataObject {
  /// Nil until the API is installed.
  var home: Home?
  /// Applies the properties; nil until one of them has been written.
  private var effect: Effect?

  private enum Property: String, CaseIterable {
    case theme, locale, title

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
    case .locale:
      var description = PropertyDescription(
        property.rawValue, .string, initial: .string(FormatLocale.english.identifier))
      description.validate = { object, value in
        let identifier = FormatLocale.identifier(of: value.text ?? "")
        try (object as? AppObject)?.admit(locale: identifier)
        return .string(identifier)
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

  private func admit(locale: String) throws {
    follow()
    guard FormatLocale.named(locale) == nil, let runtime = home?.runtime else { return }
    let hint = NearestName.hint(for: locale, in: FormatLocale.identifiers)
    runtime.list(
      TideError(
        .badArgument,
        "nothing is known of the locale \"\(locale.inMessage)\": numbers, dates and plurals are "
          + "written as in English\(hint)", location: runtime.location))
  }

  /// Sets the initial locale, which may be unknown.
  func begin(locale: String) {
    put(.locale, locale)
    home?.runtime?.language.use(locale)
  }

  private func put(_ property: Property, _ text: String) {
    _ = try? store(property.index, .string(text), settling: true)
  }

  /// Applies the properties from now on.
  private func follow() {
    if effect != nil { return }
    effect = graph.effect { [unowned self] in
      let (theme, locale, title) = (theme, text(.locale), text(.title))
      guard let runtime = home?.runtime else { return }
      graph.untracked {
        runtime.scene?.setTitle(title)
        runtime.language.use(locale)
        runtime.use(theme: theme)
      }
    }
  }

  fileprivate var values: [String] {
    get { graph.untracked { Property.allCases.map(text) } }
    set {
      for (property, text) in zip(Property.allCases, newValue) { put(property, text) }
    }
  }

  /// Restores the initial values.
  func reset() {
    put(.theme, Theme.standard.name)
    put(.title, "")
    begin(locale: home?.runtime?.configuration.initialLocale ?? FormatLocale.english.identifier)
  }
}

extension Runtime {
  /// Returns a function that restores the current values of the app's properties.
  package func appRestorer() -> () -> Void {
    let app = ending.app
    let before = app.values
    return { app.values = before }
  }

  func installApp() throws {
    ending.app.home = home
    ending.app.begin(locale: configuration.initialLocale)
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
    @field locale string
    @field title string
    """)
}

extension APISection {
  static let app = APISection(article: "StylesAndThemes", entries: [.app])
}
