import TideBindings
import TideGraph
import TideLua
import TideSystem

extension Runtime {
  /// `http.get(url, options)` and similar functions.
  func installHTTP() throws {
    try publishTable(
      "http",
      [
        .httpRequest: { [unowned self] call in
          let options = try CallOptions(call.table(0), of: "http.request")
          let method = try options.text("method") ?? "GET"
          try TextLimit.check(method, "a method", most: 1000)
          guard let url = try options.text("url") else {
            throw call.badArgument(0, "http.request needs url = \"http://…\"")
          }
          try request(call, method.uppercased(), url, options, "http.request")
        },
        .httpGet: { [unowned self] call in try request(call, "GET", "http.get") },
        .httpPut: { [unowned self] call in try request(call, "PUT", "http.put") },
        .httpPost: { [unowned self] call in try request(call, "POST", "http.post") },
        .httpPatch: { [unowned self] call in try request(call, "PATCH", "http.patch") },
        .httpDelete: { [unowned self] call in try request(call, "DELETE", "http.delete") },
        .httpLines: { [unowned self] call in try lines(ofResponse: call) },
        .httpStub: { [unowned self] call in try stubs.stubRequests(call, in: self) },
      ])
  }

  private func request(_ call: borrowing LuaCall, _ method: String, _ name: String) throws {
    let url = try call.string(0)
    let options = try CallOptions(call, of: name)
    try request(call, method, url, options, name)
  }

  private func request(
    _ call: borrowing LuaCall, _ method: String, _ url: String, _ options: CallOptions,
    _ name: String
  ) throws {
    let made = try HTTPCall(method, url, options, in: self)
    if made.stub == nil { noteLasting(name, url) }
    if let stub = made.stub {
      let answer = try HTTPAnswer(stub, made, in: self)
      let timeout = made.request.timeout ?? .infinity
      return try wait(call, forStub: name, seconds: min(answer.delay, timeout)) { runtime in
        if answer.delay > timeout {
          throw TideError(
            HTTPFailure(.timedOut, "no whole answer came within \(timeout) s"), made.request)
        }
        if let failure = answer.failure {
          throw TideError(HTTPFailure(.other, failure), made.request)
        }
        return [try runtime.luaValue(answer.response)]
      }
    }
    let held = HeldResponse()
    try wait(call, forSource: name, holding: held) { [home] completion in
      guard let runtime = home.runtime else { return {} }
      let transfer = runtime.httpClient.start(made.request) { result in
        guard let runtime = home.runtime else { return }
        held.response = try? result.get()
        completion(
          Result {
            switch result {
            case .success(let response): return [try runtime.luaValue(response)]
            case .failure(let failure): throw TideError(failure, made.request)
            }
          })
      }
      return { transfer.cancel() }
    }
  }

  /// The client for all requests, which follow the same rules.
  var httpClient: HTTPClient {
    if let client = sources.client { return client }
    let client = HTTPClient(loop: loop)
    client.memory = memory
    sources.client = client
    return client
  }

  /// Converts a response to a script's table, whose `json` is decoded when it is first read.
  private func luaValue(_ response: HTTPResponse) throws -> LuaValue {
    let body = try admittedText(response.body, of: "the body from \(response.url.inMessage)")
    let headers = try lua.table()
    for (name, value) in response.headers {
      // Repeated headers are joined, as the standard prescribes.
      let held = try headers.rawGet(.string(name)).string
      try headers.rawSet(.string(name), .string(held.map { "\($0), \(value)" } ?? value))
    }
    let table = try lua.table([
      "status": .integer(response.status), "headers": .table(headers),
      "body": body, "url": .string(response.url),
    ])
    return try responseMaker().call([.table(table)]).first ?? .nil
  }

  private func responseMaker() throws -> LuaFunction {
    if let maker = sources.responseMaker { return maker }
    guard let decode = try api.table.rawGet("json").table?["decode"].function else {
      throw TideError(.unexpected, "json is not there")
    }
    let made = try lua.function(from: Self.responses).call([.function(decode)]).first
    guard let maker = made?.function else { throw TideError(.unexpected, "no responses") }
    sources.responseMaker = maker
    return maker
  }

  private static let responses = """
    return function(decode)
      local setmetatable, rawget, rawset, pcall, error, tostring =
        setmetatable, rawget, rawset, pcall, error, tostring
      local function look(response, key)
        if key ~= "json" then return nil end
        local ok, value = pcall(decode, rawget(response, "body"))
        if not ok then
          error("the answer of " .. tostring(rawget(response, "url")) .. ", status "
            .. tostring(rawget(response, "status")) .. ", is not JSON: " .. tostring(value), 2)
        end
        rawset(response, "json", value)
        return value
      end
      local metatable = { __index = look, __name = "response", __metatable = false }
      return function(response) return setmetatable(response, metatable) end
    end
    """

  private func lines(ofResponse call: borrowing LuaCall) throws {
    let url = try call.string(0)
    let options = try CallOptions(call, of: "http.lines")
    let method = try options.text("method") ?? "GET"
    let list = StreamList(limit: try options.limit())
    let name = try options.name()
    let made = try HTTPCall(
      method.uppercased(), url, options, in: self, isStream: true)
    try charge(Weight.task + Weight.list)
    list.source = HTTPStream(LineFeed(list, in: self), made, in: self)
    try begin(list, named: name)
    try call.return(luaValue(list))
  }
}

/// Retains a response until the script has its copy.
private final class HeldResponse {
  var response: HTTPResponse?
}

/// A runtime's external resources, created on first use.
struct SourceState {
  var client: HTTPClient?
  var responseMaker: LuaFunction?
  /// The process's standard input.
  var input: InputReader?
  /// The table of open databases.
  var stores: AnyObject?
}

// MARK: Catalogue

extension APIEntry {
  static let http = APIEntry(
    "http", usage: "http.get(url)", "Asks servers, where that is allowed.")

  static let httpRequest = APIEntry(
    "http.request(request)", usage: "http.request { url =, method = }",
    "Waits for a server's response.",
    """
    @param request tidelock.Request
    @return tidelock.Response
    """)
  static let httpGet = http("get", "Waits for what is at an address.")
  static let httpPut = http("put", "Puts something at an address.")
  static let httpPost = http("post", "Sends something to an address.")
  static let httpPatch = http("patch", "Changes what is at an address.")
  static let httpDelete = http("delete", "Removes what is at an address.")

  private static func http(_ method: String, _ help: String) -> APIEntry {
    APIEntry(
      "http.\(method)(url, options)", usage: "http.\(method)(url [, options])", help,
      """
      @param url string
      @param options? tidelock.RequestOptions
      @return tidelock.Response
      """)
  }

  static let httpLines = APIEntry(
    "http.lines(url, options)", usage: "http.lines(url [, options])",
    "A stream of a response's lines, or of the events that a server sends.",
    """
    @param url string
    @param options? tidelock.ResponseLinesOptions
    @return tidelock.Stream
    """)
  static let httpStub = APIEntry(
    "http.stub(answers)", usage: "http.stub { [url] = { json = … } }",
    "In a spec: answers in place of servers.",
    """
    @param answers table<string, string|table|function>
    """)
}

extension APISection {
  static let http = APISection(
    article: "LiveData",
    entries: [
      .http, .httpRequest, .httpGet, .httpPut, .httpPost, .httpPatch, .httpDelete, .httpLines,
      .httpStub,
    ],
    types: """
      ---@class tidelock.RequestOptions
      ---@field body? string
      ---@field form? table<string, string>
      ---@field json? any
      ---@field headers? table<string, string>
      ---@field query? table<string, string>
      ---@field redirects? integer how many are followed, 10 by default
      ---@field timeout? number 30 seconds by default

      ---@class tidelock.Request : tidelock.RequestOptions
      ---@field url string
      ---@field method? string

      ---@class tidelock.ResponseLinesOptions : tidelock.RequestOptions
      ---@field method? string
      ---@field name? string
      ---@field limit? integer

      ---@class tidelock.Response
      ---@field status integer
      ---@field headers table<string, string> names in lower case
      ---@field body string
      ---@field json any
      ---@field url string
      """)
}
