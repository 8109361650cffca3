import TideBindings
import TideLua

extension Runtime {
  /// The marker values: `null`, and placeholders of controllers and transformers.
  func installMarkers() throws {
    try publish("null", luaValue(Marker.null))
    try publish("unchanged", luaValue(Marker.unchanged))
    try publish("otherwise", luaValue(Marker.otherwise))
    try publish("NoSelection", luaValue(Marker.noSelection))
    try publish("MultipleValues", luaValue(Marker.multipleValues))
    try publish("NotApplicable", luaValue(Marker.notApplicable))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let null = marker("null", "Stands for nil in lists.")
  static let unchanged = marker("unchanged", "What a transformer gives to write nothing.")
  static let otherwise = marker(
    "otherwise", "The key of a transformer's result for all other values.")
  static let noSelection = marker(
    "NoSelection", "What a controller shows where nothing is selected.")
  static let multipleValues = marker(
    "MultipleValues", "What a controller shows where the selected differ.")
  static let notApplicable = marker(
    "NotApplicable", "What a controller shows where a path leads nowhere.")

  private static func marker(_ name: Signature, _ help: String) -> APIEntry {
    APIEntry(name, help, "@type tidelock.Marker")
  }
}

extension APISection {
  static let markers = APISection(
    article: "Rows",
    entries: [.null, .unchanged, .otherwise, .noSelection, .multipleValues, .notApplicable],
    types: "---@class tidelock.Marker\n")
}
