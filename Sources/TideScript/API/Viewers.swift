import TideBindings
import TideGraph
import TideLua

/// Somebody who looks at an app, as scripts see them by `viewer`.
package final class Viewer: Sendable, Equatable {
  /// The name by which they were let in; empty where none is known, as at a terminal.
  package let name: String
  /// The address that their page comes from; empty at a terminal.
  package let address: String
  /// The language that their browser asks for; empty where it does not say.
  package let locale: String

  package init(name: String = "", address: String = "", locale: String = "") {
    self.name = name
    self.address = address
    self.locale = locale
  }

  /// Nobody of whom anything is known.
  package static let unknown = Viewer()

  package static func == (one: Viewer, other: Viewer) -> Bool {
    one === other
      || one.name == other.name && one.address == other.address && one.locale == other.locale
  }
}

/// Whose turn it is, as scripts see them: `viewer`.
///
///     a page's act ──▶ its person ──▶ the tasks that it begins, whenever they go on
///
/// It belongs to no module, and a reset leaves it alone: the people are the same.
final class ViewerObject: DataObject {
  /// The locale of who does not say one.
  var locale = ""

  private enum Property: String, CaseIterable {
    case name, address, locale

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private static let viewerShape = Shape(
    name: "viewer",
    properties: Property.allCases.map {
      PropertyDescription($0.rawValue, .string, initial: .string(""), isReadOnly: true)
    },
    swiftClasses: [ObjectIdentifier(ViewerObject.self)])

  override init() { super.init(shape: Self.viewerShape) }

  var person = Viewer.unknown {
    didSet { if person != oldValue { show() } }
  }

  fileprivate func show() {
    put(.name, person.name)
    put(.address, person.address)
    put(.locale, person.locale.isEmpty ? locale : person.locale)
  }

  private func put(_ property: Property, _ text: String) {
    _ = try? store(property.index, .string(text), settling: true)
  }
}

extension Runtime {
  /// Whose turn it is, which scripts read as `viewer`.
  package var viewer: Viewer {
    get { ending.viewer.person }
    set { ending.viewer.person = newValue }
  }

  func installViewers() throws {
    ending.viewer.locale = configuration.initialLocale
    ending.viewer.show()
    try publish(APIEntry.viewer.name, luaValue(ending.viewer))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let viewer = APIEntry(
    "viewer", "The person whose turn it is: who has acted last, or begun the task that goes on.",
    """
    @class tidelock.Viewer : tidelock.DataObject
    @field name string
    @field address string
    @field locale string
    """)
}

extension APISection {
  static let viewers = APISection(article: "ServingOthers", entries: [.viewer])
}
