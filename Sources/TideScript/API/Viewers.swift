import TideBindings
import TideGraph
import TideLua

/// A person who uses an app, as scripts read it from `viewer`.
package final class Viewer: Sendable, Equatable {
  /// The person's login name; empty if unknown, as in a terminal.
  package let name: String
  /// The address of the person's page; empty at a terminal.
  package let address: String
  /// The preferred language of the person's browser; empty if unknown.
  package let locale: String

  package init(name: String = "", address: String = "", locale: String = "") {
    self.name = name
    self.address = address
    self.locale = locale
  }

  /// An unknown person.
  package static let unknown = Viewer()

  /// Names are compared by their bytes: two names that only look the same belong to two people.
  package static func == (one: Viewer, other: Viewer) -> Bool {
    one === other
      || one.name.utf8.elementsEqual(other.name.utf8) && one.address == other.address
        && one.locale == other.locale
  }
}

/// The object behind `viewer`: the person whose act is being handled.
///
///     a page's act ──▶ its person ──▶ its tasks, timers and delayed bindings, whenever they run
///     the program ──▶ the owner of a private session, or nobody
///
/// It belongs to no module, and survives a reset, since the people stay the same.
final class ViewerObject: DataObject {
  /// The locale of a person without one.
  var locale = ""
  /// The person on whose behalf the program itself runs: the owner of a private session, or else
  /// unknown.
  var owner = Viewer.unknown

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

  // A task of Ann's continues after Bob has acted:
  //
  //     Bob │ Ann, stretch 1 │ Bob
  //         begin            end     effects that ran in stretch 1 run again for Bob;
  //                                  all others skip both switches

  /// The number of the current stretch for a person who is not the last to act; 0 outside.
  private(set) var stretch = 0
  private var lastStretch = 0
  /// During a switch of `viewer`, the number of the stretch that ends; 0 at the beginning of one.
  private var switching: Int?

  struct Switch {
    fileprivate let person: Viewer
    fileprivate let stretch: Int
  }

  /// Begins a stretch for another person.
  func begin(_ other: Viewer) -> Switch {
    let former = Switch(person: person, stretch: stretch)
    lastStretch += 1
    stretch = lastStretch
    change(to: other, ending: 0)
    return former
  }

  func end(_ former: Switch) {
    let ended = stretch
    stretch = former.stretch
    change(to: former.person, ending: ended)
  }

  private func change(to other: Viewer, ending: Int) {
    let outer = switching
    switching = ending
    defer { switching = outer }
    person = other
  }

  /// Whether `viewer` is only being switched, so that the result of an effect's last run is still
  /// right.
  fileprivate func isUnaffected(_ stretchOfRun: Int) -> Bool {
    guard let switching else { return false }
    return switching == 0 || switching != stretchOfRun
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
  /// The person whom scripts read as `viewer`. Set it to the person for whom the program runs.
  package var viewer: Viewer {
    get { ending.viewer.person }
    set {
      ending.viewer.owner = newValue
      ending.viewer.person = newValue
    }
  }

  /// Records the acting person, until another person acts.
  package func noteActing(_ person: Viewer) { ending.viewer.person = person }

  /// Whether an effect can skip a run because `viewer` is only being switched. Its dependencies
  /// stay.
  ///
  /// - Parameter stretch: the stretch of its last run; nil if it has not run yet.
  func skipsRun(of slot: Slot, afterRunIn stretch: Int?) -> Bool {
    guard let stretch, ending.viewer.isUnaffected(stretch) else { return false }
    for source in graph.sources(of: slot) { graph.track(source) }
    return true
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
    "viewer", "The person whose act is handled, or whose act began the task or timer that runs.",
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
