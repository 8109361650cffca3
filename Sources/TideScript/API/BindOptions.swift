import TideBindings
import TideGraph
import TideLua

extension Runtime {
  package static let bindingOptionNames = [
    "transform", "initial", "null", "fallback", "noSelection", "multipleValues", "notApplicable",
    "format", "delay", "throttle", "trigger", "when", "restore", "validate", "continuous",
    "validatesImmediately",
    "deliver", "enabled", "roots", "name", "observe",
  ]

  /// Reads the options of `bind`, or those in `bindTo`, which include the path.
  func bindingOptions(
    _ given: LuaTable, ofView isOfView: Bool = false
  ) throws -> (options: BindingOptions, roots: [String: DataObject]) {
    var options = BindingOptions()
    var roots: [String: DataObject] = [:]
    let names = isOfView ? Self.bindingOptionNames + ["path"] : Self.bindingOptionNames
    for (key, value) in try given.entries() {
      let name = try CallOptions.name(key, of: "bind", names)
      if name == "roots" { roots = try self.roots(value) }
      // Read by the caller.
      if name == "path" { continue }
      try take(name, value, into: &options)
    }
    let texts = options.textBytes + roots.keys.reduce(0) { $0 + $1.utf8.count }
    try charge(options.weight + texts)
    options.held = table.hold(texts)
    return (options, roots)
  }

  private func take(
    _ name: String, _ value: LuaValue, into options: inout BindingOptions
  ) throws {
    switch name {
    case "initial": options.initial = try flag(name, value)
    case "enabled": options.isEnabled = try flag(name, value)
    case "continuous": options.isContinuous = try flag(name, value)
    case "validatesImmediately": options.validatesImmediately = try flag(name, value)
    case "restore": options.restoresValue = try flag(name, value)
    case "null": options.null = try self.value(from: value)
    case "fallback": options.fallback = try self.value(from: value)
    case "noSelection": options.noSelection = try self.value(from: value)
    case "multipleValues": options.multipleValues = try self.value(from: value)
    case "notApplicable": options.notApplicable = try self.value(from: value)
    case "delay": options.delay = try seconds(name, value)
    case "throttle": options.throttle = try seconds(name, value)
    case "name": options.name = try text(name, value)
    case "format": options.format = try text(name, value)
    case "transform":
      options.transformers += try makeTransformers(
        value, for: "the option \"transform\" of bind")
    case "trigger": options.triggers = try triggers(value)
    case "when": options.when = try condition(value)
    case "validate": options.validate = judge(try bindFunction(name, value))
    case "observe": options.observe = writeObserver(try bindFunction(name, value))
    case "deliver":
      switch try text(name, value) {
      case "settle": options.delivery = .settle
      case "frame": options.delivery = .frame
      default: throw wrongOption(name, "\"settle\" or \"frame\"", value)
      }
    default: break
    }
  }

  private func flag(_ option: String, _ value: LuaValue) throws -> Bool {
    guard let flag = value.boolean else { throw wrongOption(option, "true or false", value) }
    return flag
  }

  private func text(_ option: String, _ value: LuaValue) throws -> String {
    guard case .string(let text) = value else { throw wrongOption(option, "a string", value) }
    return text
  }

  private func seconds(_ option: String, _ value: LuaValue) throws -> Double {
    let seconds: Double? =
      switch value {
      case .integer(let integer): Double(integer)
      case .number(let number): number
      default: nil
      }
    guard let seconds, seconds >= 0, seconds.isFinite else {
      throw wrongOption(option, "a number of seconds, 0 or more", value)
    }
    return seconds
  }

  private func bindFunction(_ option: String, _ value: LuaValue) throws -> LuaFunction {
    guard let function = value.function else { throw wrongOption(option, "a function", value) }
    return try kept(function)
  }

  private func roots(_ value: LuaValue) throws -> [String: DataObject] {
    guard let table = value.table else {
      throw wrongOption("roots", "a table of names and data objects", value)
    }
    var roots: [String: DataObject] = [:]
    for (key, value) in try table.entries() {
      guard case .string(let name) = key, let object = value.object?.dataObject else {
        throw wrongOption("roots", "a table of names and data objects", value)
      }
      roots[name] = object
    }
    return roots
  }

  private func triggers(_ value: LuaValue) throws -> [Trigger] {
    switch value {
    case .userdata(let userdata):
      if let trigger = userdata.object as? Trigger { return [trigger] }
    case .table(let table):
      return try table.elements(of: "the option \"trigger\" of bind").flatMap { element in
        if case .table = element {
          throw wrongOption("trigger", "a trigger or a list of them", element)
        }
        return try triggers(element)
      }
    default: break
    }
    throw wrongOption("trigger", "a trigger, as trigger.change gives, or a list of them", value)
  }

  private func condition(_ value: LuaValue) throws -> BindingOptions.Condition {
    if case .string(let path) = value { return .path(path) }
    guard let given = value.function else {
      throw wrongOption("when", "a function or a path from the left object", value)
    }
    let function = try kept(given)
    return .function { [home] in
      try home.requireRuntime().derive { try function.call([]).first?.isTruthy ?? false }
    }
  }

  private func wrongOption(_ name: String, _ expected: String, _ value: LuaValue) -> TideError {
    CallOptions.wrong(name, of: "bind", expected, value)
  }

  private func writeObserver(_ function: LuaFunction) -> (DataObject?, Value, Value) -> Void {
    let site = CallSite(in: context)
    return { [owner = self.home] object, value, source in
      guard let runtime = owner.runtime else { return }
      runtime.callBack(at: site) {
        let change = try runtime.lua.table(["source": runtime.luaValue(source)])
        try function.call([
          object.map { try runtime.luaValue($0) } ?? .nil, runtime.luaValue(value), .table(change),
        ])
      }
    }
  }
}
