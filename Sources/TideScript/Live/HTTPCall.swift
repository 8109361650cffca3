import TideBindings
import TideGraph
import TideLua
import TideSystem

/// A validated request of a script.
struct HTTPCall {
  var request: HTTPRequest
  var host = ""
  var port = 0
  /// The stub that replaces the server; nil for the real server.
  var stub: LuaValue?

  static let optionNames = ["body", "form", "headers", "json", "query", "redirects", "timeout"]

  private static let address = "an address"
  private static let mostHeaders = 1000

  /// In seconds, for a request that is not streamed.
  static let usualTimeout = 30.0

  init(
    _ method: String, _ url: String, _ options: CallOptions, in runtime: Runtime,
    isStream: Bool = false
  ) throws {
    var url = url
    try TextLimit.check(url, Self.address)
    if let query = try options.read("query", as: "a table of names and texts", { $0.table }) {
      let text = try Self.encoded(query, "query")
      if !text.isEmpty { url += (url.contains("?") ? "&" : "?") + text }
      try TextLimit.check(url, Self.address)
    }
    request = HTTPRequest(method, url: url)
    try readHeaders(options)
    try readBody(options, in: runtime)
    request.timeout = try options.seconds("timeout") ?? (isStream ? nil : Self.usualTimeout)
    request.mostRedirects = try options.count("redirects") ?? 10
    request.mostBytes = runtime.mostSourceBytes
    let access = runtime.configuration.lua.access
    request.admit = { access.refusal(host: $0, port: $1) }
    request.admitAddress = { access.refusal(host: $0, address: $1, port: $2) }
    (host, port) = try Self.server(of: url)
    let isAllowed = access.permits(host: host, port: port)
    stub = try runtime.stubs.request(
      method, url, isAllowed: isAllowed, host: "\(host):\(port)")
    if stub == nil, let refusal = access.refusal(host: host, port: port) {
      throw TideError(.notAllowed, refusal)
    }
  }

  /// The host and port of an address, for stubs and refusals. The HTTP library is loaded only where
  /// the network is allowed, so it cannot be used here. The client checks the real connection.
  private static func server(of url: String) throws -> (host: String, port: Int) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https", url.dropFirst(scheme.count).hasPrefix("://") else {
      throw TideError(
        .badArgument,
        "\"\(url.inMessage)\" is not a web address; write one that begins with http:// or https://")
    }
    var rest = url.dropFirst(scheme.count + 3).prefix { !"/?#\\".contains($0) }
    if let sign = rest.lastIndex(of: "@") { rest = rest[rest.index(after: sign)...] }
    var host = rest
    var port = scheme == "http" ? 80 : 443
    let end = rest.lastIndex(of: "]") ?? rest.startIndex
    if let colon = rest[end...].lastIndex(of: ":") {
      host = rest[..<colon]
      let text = rest[rest.index(after: colon)...]
      guard let number = Int(text), (1...65535).contains(number) else {
        throw TideError(.badArgument, "\"\(url.inMessage)\" has no port from 1 to 65535")
      }
      port = number
    }
    let name = host.filter { $0 != "[" && $0 != "]" }.lowercased()
    guard !name.isEmpty else {
      throw TideError(.badArgument, "\"\(url.inMessage)\" names no server")
    }
    return (name, port)
  }

  // MARK: Options

  private mutating func readHeaders(_ options: CallOptions) throws {
    let table = try options.read("headers", as: "a table of names and texts") { $0.table }
    let headers = try table?.entries() ?? []
    // Sorting them does not check the turn's clock.
    if headers.count > Self.mostHeaders {
      throw TideError(
        .badArgument,
        "the option \"headers\" has \(headers.count) headers, and \(Self.mostHeaders) are the most")
    }
    for (key, value) in headers {
      guard case .string(let name) = key, let text = Self.text(value) else {
        throw TideError(
          .badArgument,
          "the option \"headers\" is a table of names and texts, found \(key.preview) = "
            + value.preview)
      }
      request.headers.append((name, text))
    }
    request.headers.sort { $0.name < $1.name }
  }

  private mutating func readBody(_ options: CallOptions, in runtime: Runtime) throws {
    let given = try ["body", "form", "json"].filter { try !options.value($0).isNil }
    guard given.count < 2 else {
      throw TideError(.badArgument, "a request has one of the options body, form and json")
    }
    switch given.first {
    case "body":
      request.body = try options.read("body", as: "text") { value in
        switch value {
        case .string(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        default: nil
        }
      }
    case "form":
      let table = try options.read("form", as: "a table of names and texts") { $0.table }
      guard let table else { return }
      request.body = Array(try Self.encoded(table, "form").utf8)
      setType("application/x-www-form-urlencoded")
    case "json":
      guard let encode = try runtime.api.table.rawGet("json").table?["encode"].function else {
        return
      }
      switch try encode.call([options.value("json")]).first ?? .nil {
      case .string(let text): request.body = Array(text.utf8)
      case .bytes(let bytes): request.body = bytes
      default: break
      }
      setType("application/json")
    default: break
    }
    try runtime.charge(request.body?.count ?? 0)
  }

  private mutating func setType(_ type: String) {
    if request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { return }
    request.headers.append(("Content-Type", type))
  }

  private static func text(_ value: LuaValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let integer): "\(integer)"
    case .number(let number): Value.number(number).text
    case .boolean(let flag): "\(flag)"
    default: nil
    }
  }

  /// Percent-encodes names and values for a query or a form, sorted by name.
  private static func encoded(_ table: LuaTable, _ option: String) throws -> String {
    var budget = TextBudget()
    let pairs = try table.entries().map { key, value -> String in
      guard case .string(let name) = key, let text = text(value) else {
        throw TideError(
          .badArgument,
          "the option \"\(option)\" is a table of names and texts, found \(key.preview) = "
            + value.preview)
      }
      return try "\(percentEncoded(name, &budget))=\(percentEncoded(text, &budget))"
    }
    var clock = WorkClock()
    return try pairs.sorted { first, second in
      try clock.step(bytes: min(first.utf8.count, second.utf8.count))
      return first < second
    }.joined(separator: "&")
  }

  private static func percentEncoded(
    _ text: String, _ budget: inout TextBudget
  ) throws(WorkError) -> String {
    var encoded = ""
    for byte in text.utf8 {
      try budget.add(3)
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }
}

extension TideError {
  /// The error of a failed request.
  init(_ failure: HTTPFailure, _ request: HTTPRequest) {
    let code: Code =
      switch failure.kind {
      case .notAllowed: .notAllowed
      case .timedOut: .timeout
      case .noMemory: .scriptMemory
      case .badURL, .badRequest, .unsupportedScheme: .badArgument
      default: .source
      }
    self.init(
      code, "\(request.method.inMessage) \(request.url.inMessage): \(failure.message)",
      cause: failure)
  }
}

/// A stub's response.
struct HTTPAnswer {
  var response = HTTPResponse(status: 200, headers: [], body: [], url: "")
  var failure: String?
  /// In seconds of the virtual clock.
  var delay = 0.0

  /// - Parameter given: text, a table, or a function that takes the request and returns one of
  ///   these.
  init(_ given: LuaValue, _ call: HTTPCall, in runtime: Runtime) throws {
    response.url = call.request.url
    var given = given
    if case .function(let function) = given {
      given = try function.call([.table(Self.request(call.request, in: runtime))]).first ?? .nil
    }
    switch given {
    case .string(let text): response.body = Array(text.utf8)
    case .bytes(let bytes): response.body = bytes
    case .table(let table):
      let options = try CallOptions(
        table, of: "a stub of http", ["body", "delay", "error", "headers", "json", "status"])
      response.status = try options.integer("status") ?? 200
      response.body = Array((try options.text("body") ?? "").utf8)
      for (key, value) in try options.read("headers", as: "a table", { $0.table })?.entries() ?? []
      {
        if let name = key.string, let text = value.string {
          response.headers.append((name.lowercased(), text))
        }
      }
      if try !options.value("json").isNil,
        let encode = try runtime.api.table.rawGet("json").table?["encode"].function
      {
        response.body = Array((try encode.call([options.value("json")]).first?.string ?? "").utf8)
        response.headers.append(("content-type", "application/json"))
      }
      failure = try options.text("error")
      delay = try options.seconds("delay", orNone: true) ?? 0
    default:
      throw TideError(
        .badArgument,
        "a stub of http gives text or { status =, headers =, body =, json =, error =, delay = }, not "
          + given.preview)
    }
  }

  private static func request(_ request: HTTPRequest, in runtime: Runtime) throws -> LuaTable {
    let headers = try runtime.lua.table()
    for (name, value) in request.headers {
      try headers.rawSet(.string(name.lowercased()), .string(value))
    }
    return try runtime.lua.table([
      "method": .string(request.method), "url": .string(request.url), "headers": .table(headers),
      "body": request.body.map { Runtime.luaText($0) } ?? .nil,
    ])
  }
}
