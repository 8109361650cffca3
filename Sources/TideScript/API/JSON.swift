import TideBindings
import TideLua
import TideViews

extension Runtime {
  /// `json.decode(text)` and `json.encode(value)`: the library's functions, extended to the app's
  /// objects. A task that decodes a long text lets the app continue in between.
  func installJSON() throws {
    guard let library = try lua.globals["json"].table else { return }
    let lower = LuaValue.function(
      try function(named: "json.encode") { [unowned self] call in
        refusals(call) { try plainTable(call) }
      })
    let pause = LuaValue.function(
      try function(named: "json.decode") { [unowned self] call in try letGoOn(call) })
    let options = LuaValue.function(
      try function(named: "json.encode") { [unowned self] call in
        refusals(call) { try writing(call) }
      })
    let refuse = LuaValue.function(
      try function(named: "json.decode") { call in
        let error = TideError(.json, try call.string(1))
        // The calling function knows the script's location.
        throw LuaError(
          .host, error.message, at: LuaLocation(prefix: try call.string(0)), cause: error)
      })
    guard let slices = try library["slices"].function, let adapt = try library["adapt"].function
    else { return }
    let long = try lua.function(from: Self.decodingInSlices).call(
      [.function(slices), luaValue(Marker.null), pause, .integer(Self.slice), refuse])
    let made = try adapt.call(
      [luaValue(Marker.null), lower, options, long.first ?? .nil, .integer(Self.slice), refuse])
    let table = try lua.table()
    for (entry, function) in zip([APIEntry.jsonDecode, .jsonEncode], made) {
      try table.rawSet(.string(entry.memberName), function)
    }
    try publish("json", .table(sealed(table, as: "json")))
  }

  /// Bytes decoded without a pause, in about two milliseconds.
  private static let slice = 1 << 18

  private static let decodingInSlices = """
    return function(slices, null, pause, bytes, refuse)
      return function(text)
        local step = slices(text, null, bytes, refuse)
        while true do
          local isWhole, value = step()
          if isWhole then return value end
          pause()
        end
      end
    end
    """

  /// Lets the app continue if the call may wait.
  private func letGoOn(_ call: borrowing LuaCall) throws {
    if call.canSuspend { try wait(call, in: "json.decode", seconds: 0) }
  }

  /// Passes an error to the library as a third result, to be raised at the script's call.
  private func refusals(_ call: borrowing LuaCall, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      call.return(LuaValue.nil)
      call.return(false)
      call.return(TideError(script: error).message)
    }
  }

  /// Returns the options of `encode`: the indentation, and whether keys are sorted.
  private func writing(_ call: borrowing LuaCall) throws {
    let options = try CallOptions(call.isNil(0) ? nil : call.table(0), of: "json.encode")
    let indent = try options.read("indent", as: "a number of spaces up to 16, or text of blanks") {
      (value) -> String? in
      switch value {
      case .integer(let count) where (0...16).contains(count): String(repeating: " ", count: count)
      case .string(let text) where text.allSatisfy { " \t".contains($0) } && text.count <= 16: text
      default: nil
      }
    }
    let sorts = try options.flag("sort") ?? true
    call.return(indent.map { .string($0) } ?? LuaValue.nil)
    call.return(sorts)
  }

  /// Returns a table with an object's contents, and whether it is written in braces.
  private func plainTable(_ call: borrowing LuaCall) throws {
    guard case .object(let object) = try value(from: call.value(0)) else {
      throw TideError(.badArgument, "\(try call.value(0).preview) cannot be written as JSON")
    }
    switch object {
    case is View:
      throw TideError(.badArgument, "a view cannot be written as JSON")
    case let marker as Marker where marker === Marker.null: call.return(LuaValue.nil)
    case let list as ValueList:
      let table = try lua.table()
      for (index, value) in list.values.enumerated() {
        try table.rawSet(.integer(index + 1), value.isNil ? luaValue(Marker.null) : luaValue(value))
      }
      call.return(.table(table))
    case let dictionary as DictionaryObject:
      let table = try lua.table()
      for key in dictionary.unsortedKeys {
        try table.rawSet(luaValue(key.value), luaValue(dictionary[key]))
      }
      call.return(.table(table))
      call.return(true)
    case let object as DataObject where object is ScriptObject || !object.shape.properties.isEmpty:
      let table = try lua.table()
      for (name, value) in object.storedValues {
        try table.rawSet(.string(name), luaValue(value))
      }
      call.return(.table(table))
      call.return(true)
    default:
      throw TideError(
        .badArgument, "\(try call.value(0).preview) cannot be written as JSON")
    }
  }
}

extension LuaLocation {
  /// The location at the start of an interpreter's message, such as `app.lua:3: `; nil if there is
  /// none.
  fileprivate init?(prefix: String) {
    let parts = prefix.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 2, let line = Int(parts[parts.count - 2]) else { return nil }
    self.init(chunk: parts.dropLast(2).joined(separator: ":"), line: line)
  }
}

// MARK: Catalogue

extension APIEntry {
  static let json = APIEntry("json", usage: "json.decode(text)", "Reads and writes JSON.")

  static let jsonDecode = APIEntry(
    "json.decode(text)",
    "Makes tables of JSON; null becomes `null`.",
    """
    @param text string
    @return any
    """)

  static let jsonEncode = APIEntry(
    "json.encode(value, options)", usage: "json.encode(value [, {indent, sort}])",
    "Writes a value, with objects, lists and dicts in it, as JSON.",
    """
    @param value any
    @param options? tidelock.JSONOptions
    @return string
    """)
}

extension APISection {
  static let json = APISection(
    article: "LiveData",
    entries: [.json, .jsonDecode, .jsonEncode],
    types: """
      ---@class tidelock.JSONOptions
      ---@field indent? integer|string
      ---@field sort? boolean
      """)
}
