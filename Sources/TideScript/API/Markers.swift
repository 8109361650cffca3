import TideBindings
import TideLua

extension Runtime {
  /// The values that stand for none, or for more than one.
  func installMarkers() throws {
    try publish("null", luaValue(Marker.null))
    try publish("unchanged", luaValue(Marker.unchanged))
    try publish("NoSelection", luaValue(Marker.noSelection))
    try publish("MultipleValues", luaValue(Marker.multipleValues))
    try publish("NotApplicable", luaValue(Marker.notApplicable))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let null = APIEntry(
    "null",
    "Stands for nil in lists.",
    """
    @type tidelock.Marker
    """)

  static let unchanged = APIEntry(
    "unchanged",
    "What a transformer gives to write nothing.",
    """
    @type tidelock.Marker
    """)

  static let noSelection = APIEntry(
    "NoSelection",
    "What a controller shows where nothing is selected.",
    """
    @type tidelock.Marker
    """)

  static let multipleValues = APIEntry(
    "MultipleValues",
    "What a controller shows where the selected differ.",
    """
    @type tidelock.Marker
    """)

  static let notApplicable = APIEntry(
    "NotApplicable",
    "What a controller shows where a path leads nowhere.",
    """
    @type tidelock.Marker
    """)
}

extension APISection {
  static let markers = APISection(
    article: "Rows",
    entries: [.null, .unchanged, .noSelection, .multipleValues, .notApplicable],
    types: "---@class tidelock.Marker\n")
}
