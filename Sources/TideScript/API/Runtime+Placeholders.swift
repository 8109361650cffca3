import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// `view.placeholders("label", { text = { noSelection = "Nobody", multipleValues = "Several" } })`
  func placeholdersFunction() throws -> LuaFunction {
    try function("view.placeholders(class, placeholders)") { [unowned self] call in
      let viewClass = try viewClasses.find(call.name(0, "a view class's name"))
      for (key, value) in try call.table(1).entries() {
        guard case .string(let property) = key, let given = value.table else {
          throw TideError(
            .badArgument,
            "view.placeholders maps properties to placeholders, as text = { noSelection = \"–\" }")
        }
        let shown = try shown(given)
        try charge(shown.textBytes + property.utf8.count)
        try context.setPlaceholders(shown, of: viewClass.shape, property)
      }
    }
  }

  private func shown(_ given: LuaTable) throws -> DefaultPlaceholders {
    let known = ["null", "noSelection", "multipleValues", "notApplicable"]
    let options = try CallOptions(given, of: "view.placeholders", known)
    func value(_ name: String) throws -> Value? {
      let value = try options.value(name)
      return value.isNil ? nil : try self.value(from: value)
    }
    return DefaultPlaceholders(
      null: try value("null"), noSelection: try value("noSelection"),
      multipleValues: try value("multipleValues"), notApplicable: try value("notApplicable"))
  }
}
