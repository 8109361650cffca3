import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// `controller.settings { name = "window", initialValues = { theme = "dark" } }`
  ///
  /// Modules and reloads share the controller of a name.
  func settings(_ options: LuaTable?) throws -> SettingsController {
    let what = "controller.settings"
    let options = try CallOptions(options, of: what, Self.settingsOptionNames)
    let name = try settingsName(options.value("name"))
    let initial = try initialValues(options.value("initialValues"))
    let controller: SettingsController
    if let made = declarations.settingsControllers[name] {
      controller = made
      for key in initial.unsortedKeys { controller.initialValues.set(key, initial[key]) }
    } else {
      try charge(Weight.list * 4)
      let folder = configuration.settingsFolder
      controller = SettingsController(
        path: folder.map { "\($0)/\(name).json" }, initialValues: initial,
        volume: declarations.settingsVolume,
        classes: ScriptSettingsClasses(home), isKept: configuration.keepsSettings)
      declarations.settingsControllers[name] = controller
    }
    for option in ["appliesImmediately", "editable"] {
      if let flag = try options.flag(option) { try controller.set(option, .boolean(flag)) }
    }
    return controller
  }

  static let settingsOptionNames = ["name", "initialValues", "appliesImmediately", "editable"]

  private func settingsName(_ value: LuaValue) throws -> String {
    if value.isNil { return "settings" }
    // The name becomes part of a file name and must not lead out of the folder.
    guard case .string(let name) = value, !name.isEmpty, name.utf8.count <= 64,
      name.utf8.allSatisfy({
        $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else {
      throw TideError(
        .badArgument,
        "the name of settings is made of letters, digits, - and _, 64 at most; not \(value.preview)"
      )
    }
    return name
  }

  private func initialValues(_ value: LuaValue) throws -> DictionaryObject {
    switch value {
    case .nil: return DictionaryObject()
    case .table(let table) where try table.isSequence && table.rawCount == 0:
      return DictionaryObject()
    case .table(let table):
      if case .object(let made as DictionaryObject) = try initialValue(.table(table)) {
        return made
      }
    case .object(let object):
      if let dictionary = object.dataObject as? DictionaryObject { return dictionary }
    default: break
    }
    throw CallOptions.wrong(
      "initialValues", of: "controller.settings", "a table of names and values", value)
  }

  /// A value in the form that it has after a round trip through a file: nested tables as lists and
  /// dicts.
  private func initialValue(_ value: LuaValue, depth: Int = 0) throws -> Value {
    guard case .table(let table) = value, try !hasMetatable(table) else {
      return try self.value(from: value)
    }
    guard depth < 100 else {
      throw TideError(.depth, "the table nests more than 100 deep, or contains itself")
    }
    try charge(Weight.list)
    if try table.isSequence {
      return .object(
        ValueList(try table.sequence().map { try self.initialValue($0, depth: depth + 1) }))
    }
    return .object(try makeDictionary(table) { try self.initialValue($0, depth: depth + 1) })
  }

  func addSettingsMethods(to methods: LuaTable) throws {
    try method(methods, "save()") { [unowned self] call in
      let controller = try settingsController(call)
      try tell(call) { try controller.save() }
    }
    try method(methods, "revert()") { [unowned self] call in
      try settingsController(call).revert()
    }
    try method(methods, "revertToInitialValues()") { [unowned self] call in
      try settingsController(call).revertToInitialValues()
    }
  }

  private func settingsController(_ call: borrowing LuaCall) throws -> SettingsController {
    guard let controller = call.object(0)?.dataObject as? SettingsController else {
      throw call.wrongType(0, "settings controller")
    }
    return controller
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }
}
