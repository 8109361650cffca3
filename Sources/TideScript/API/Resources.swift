import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// `resource(fn, options)`, `stream(fn, options)`
  func installResources() throws {
    try define(.resource) { [unowned self] call in
      let function = try kept(call.function(0))
      let options = try CallOptions(call, of: "resource")
      var plan = try plan(options)
      plan.every = try options.seconds("every")
      plan.keep = try options.seconds("keep", orNone: true)
      plan.condition = try condition(options)
      let initial = try value(from: options.value("initial"))
      try charge(Weight.task + Self.size(properties: 4))
      try loop.admitTimer(among: configuration.limits.timers)
      var key = try options.rowKey()
      if case .function(let function)? = key { key = .function(try kept(function)) }
      let resource = Resource(initial, key: key, in: self)
      try begin(resource, resource.prepare(function, plan), named: options.name())
      try call.return(luaValue(resource))
    }
    try define(.stream) { [unowned self] call in
      let function = try kept(call.function(0))
      let options = try CallOptions(call, of: "stream")
      var plan = try plan(options)
      plan.condition = try condition(options)
      try charge(Weight.task + Weight.list)
      let list = StreamList(limit: try options.limit())
      let stream = ScriptStream(list, in: self)
      list.source = stream
      try begin(stream, stream.prepare(function, plan), named: options.name())
      try call.return(luaValue(list))
    }
  }

  private func plan(_ options: CallOptions) throws -> Fetching.Plan {
    var plan = Fetching.Plan()
    plan.timeout = try options.seconds("timeout")
    if let retry = try options.read(
      "retry", as: "a table such as { times = 3, delay = 1 }",
      {
        $0.table
      })
    {
      let retry = try CallOptions(retry, of: "retry", ["times", "delay"])
      plan.retries = try retry.count("times") ?? 3
      plan.retryDelay = try retry.seconds("delay") ?? 1
    }
    return plan
  }

  /// A function, or a path that begins with the name of a model.
  private func condition(_ options: CallOptions) throws -> (() throws -> Bool)? {
    let wanted = "a function or a path such as \"settings.live\""
    return try options.read("when", as: wanted) { value -> (() throws -> Bool)? in
      if let function = value.function {
        let function = try kept(function)
        return { [home] in
          try home.requireRuntime().derive { try function.call([]).first?.isTruthy ?? false }
        }
      }
      guard case .string(let text) = value else { return nil }
      let steps = try Path(text).steps
      guard let first = steps.first?.propertyName else { return nil }
      return { [home] in
        let runtime = try home.requireRuntime()
        guard let root = runtime.models[first] else { return false }
        let value = try PathReader.read(steps.dropFirst(), from: root).value
        return value != .null && value != .boolean(false)
      }
    }
  }

  /// `resource:refresh()` and similar methods.
  func addFetchingMethods(to methods: LuaTable, of shape: Shape) throws {
    if shape === Resource.resourceShape {
      try method(methods, "refresh()") { [unowned self] call in
        try resource(call).fetching?.refresh()
      }
      try method(methods, "cancel()") { [unowned self] call in
        try resource(call).fetching?.stop()
      }
    }
    if shape === StreamList.streamShape {
      try method(methods, "refresh()") { [unowned self] call in try source(call)?.refresh() }
      try method(methods, "cancel()") { [unowned self] call in try source(call)?.cancel() }
    }
  }

  private func resource(_ call: borrowing LuaCall) throws -> Resource {
    guard let resource = call.object(0)?.dataObject as? Resource else {
      throw call.wrongType(0, "resource")
    }
    return resource
  }

  private func source(_ call: borrowing LuaCall) throws -> (any StreamSource)? {
    guard let stream = call.object(0)?.dataObject as? StreamList else {
      throw call.wrongType(0, "stream")
    }
    return stream.source as? any StreamSource
  }
}

extension CallOptions {
  /// A number of seconds, greater than 0, or with `orNone` at least 0.
  func seconds(_ name: String, orNone: Bool = false) throws -> Double? {
    let least = orNone ? "0 or more" : "more than 0"
    return try read(name, as: "a number of seconds, \(least)") { value in
      let seconds: Double
      switch value {
      case .integer(let integer): seconds = Double(integer)
      case .number(let number): seconds = number
      default: return nil
      }
      guard seconds.isFinite, orNone ? seconds >= 0 : seconds > 0 else { return nil }
      return seconds
    }
  }

  /// A whole number from 0 on.
  func count(_ name: String) throws -> Int? {
    try read(name, as: "a whole number, 0 or more") { value in
      if case .integer(let integer) = value, integer >= 0 { integer } else { nil }
    }
  }

  /// The most items of a stream.
  func limit() throws -> Int? {
    try read("limit", as: "a whole number of items, 1 or more") { value in
      if case .integer(let integer) = value, integer >= 1 { integer } else { nil }
    }
  }

  /// A name for paths.
  func name() throws -> String? {
    try read("name", as: "a name, as a model has one") { value in
      if case .string(let name) = value, !name.isEmpty { name } else { nil }
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let resource = APIEntry(
    "resource(fn, options)", usage: "resource(fn [, options])",
    "A data object whose `value` a function fetches, again when what it read changes.",
    """
    @param fn fun(): any
    @param options? tidelock.ResourceOptions
    @return tidelock.Resource
    """)

  static let stream = APIEntry(
    "stream(fn, options)", usage: "stream(fn [, options])",
    "A list into which a function pushes items as they come.",
    """
    @param fn fun(push: fun(...: any): boolean)
    @param options? tidelock.StreamOptions
    @return tidelock.Stream
    """)
}

extension APISection {
  static let resources = APISection(
    article: "LiveData",
    entries: [.resource, .stream],
    types: """
      ---@class tidelock.Resource : tidelock.DataObject
      ---@field value any
      ---@field error string?
      ---@field loading boolean
      ---@field updated number? in seconds since the epoch
      local Resource = {}
      ---Fetches the value anew.
      function Resource:refresh() end
      ---Ends what is being fetched.
      function Resource:cancel() end

      ---@class tidelock.Stream : tidelock.List
      ---@field error string?
      ---@field loading boolean
      ---@field received integer
      local Stream = {}
      ---Begins the stream anew.
      function Stream:refresh() end
      ---Ends the stream.
      function Stream:cancel() end

      ---@class tidelock.RetryOptions
      ---@field times? integer
      ---@field delay? number

      ---@class tidelock.ResourceOptions
      ---@field name? string
      ---@field initial? any
      ---@field every? number
      ---@field when? tidelock.RootPath|fun(): any
      ---@field timeout? number
      ---@field retry? tidelock.RetryOptions
      ---@field keep? number
      ---@field key? string|fun(row: any): any

      ---@class tidelock.StreamOptions
      ---@field name? string
      ---@field limit? integer
      ---@field when? tidelock.RootPath|fun(): any
      ---@field timeout? number
      ---@field retry? tidelock.RetryOptions
      """)
}
