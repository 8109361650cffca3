import TestFolders
import TideSystem
import Testing

@Suite struct `The Model Context Protocol` {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      model "fruit" { name = "fig", count = 0 }
      return view.column {
        view.field { id = "name", bindTo = { text = "<> fruit.name" } },
        view.button { id = "add", title = "Add", on = { touchUpInside = function()
          models.fruit.count = models.fruit.count + 1 end } },
        view.list { id = "list", items = list { "a" } },
        view.button { id = "leave", title = "Leave", on = { touchUpInside = function() exit(3) end } },
      }
      """, to: "app.lua")
  }

  /// The answers to lines, by the ids of requests.
  private func answers(
    _ lines: [String], _ options: [String] = []
  ) throws -> [Int: JSONValue] {
    let outcome = try Program.run(
      ["mcp", "--start", "run app.lua"] + options, in: folder,
      input: lines.map { $0 + "\n" }.joined())
    #expect(outcome.status == .exited(0), "\(outcome)")
    var found: [Int: JSONValue] = [:]
    for line in outcome.outputLines {
      let message = try JSONValue(parsing: Array(line.utf8))
      #expect(message["jsonrpc"].string == "2.0")
      found[message["id"].int ?? -1] = message
    }
    return found
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  private func text(_ answer: JSONValue?) -> String {
    answer?["result"]["content"][0]["text"].string ?? ""
  }

  @Test func `begins with the version that both know`() throws {
    let found = try answers([
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"1999"}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    ])
    #expect(found[1]?["result"]["protocolVersion"].string == "2024-11-05")
    #expect(found[2]?["result"]["protocolVersion"].string == "2025-11-25")
    #expect(found[3]?["result"] == [:])
    #expect(found.count == 3)
  }

  @Test func `acts in the app and looks into it`() throws {
    let found = try answers([
      call(1, "act", #"{"verbs":["tap add","type name s"]}"#),
      call(2, "get", #"{"path":"fruit"}"#), call(3, "evaluate", #"{"code":"1 + 1"}"#),
      call(4, "set", #"{"path":"fruit.count","value":"7"}"#),
      call(5, "why", #"{"path":"fruit.name"}"#),
      call(6, "wait", #"{"expression":"fruit.count == 7"}"#), call(7, "tree"), call(8, "capture"),
      call(9, "reload_status"), call(10, "reference", #"{"query":"list:append"}"#),
      call(11, "check"), call(12, "reference", #"{"query":"verbs"}"#),
      call(13, "reference", #"{"query":"doubleClick"}"#),
    ])
    #expect(text(found[1]).hasSuffix("type name s: done"))
    #expect(text(found[2]) == #"{"count":1,"name":"figs"}"#)
    #expect(text(found[3]) == "2")
    #expect(text(found[4]) == "7")
    #expect(text(found[5]).contains("(drive)"))
    #expect(text(found[6]) == "It is true.")
    #expect(text(found[7]).contains(#""id":"add""#))
    #expect(text(found[8]).contains("[ Add ]"))
    #expect(text(found[9]).contains("app.lua"))
    #expect(text(found[10]).hasPrefix("list:append"))
    #expect(text(found[11]) == "Nothing was found.")
    #expect(text(found[12]).contains("tap ID [MODIFIERS]  Clicks a view. A verb of act.\n"))
    #expect(text(found[13]).hasPrefix("doubleClick ID [MODIFIERS]  Clicks a view twice."))
  }

  @Test(arguments: [
    ("frob", "{}", "there is no tool"), ("get", "{}", "needs \"path\""),
    ("get", #"{"path":1}"#, "of type string"), ("tree", #"{"x":1}"#, "takes no \"x\""),
    ("act", #"{"verbs":["tapp add"]}"#, "did you mean \"tap\"?"),
    ("act", #"{"verbs":["tap ad"]}"#, "did you mean \"add\"?"),
    ("get", #"{"path":"fruit.nme"}"#, "did you mean \"name\"?"),
    ("capture", #"{"format":"gif"}"#, "text, svg or png"),
    ("wait", #"{"expression":"false or fruit.count > 9","timeout":0}"#, "fruit.count = 0"),
  ])
  func `a wrong call says what is right`(tool: String, arguments: String, says: String) throws {
    let answer = try answers([call(1, tool, arguments)])[1]
    let said = answer?["error"]["message"].string ?? text(answer)
    #expect(said.contains(says), "\(said)")
    #expect(answer?["error"].isNull == false || answer?["result"]["isError"].bool == true)
  }

  @Test(arguments: ["act", "set", "evaluate", "wait", "test"])
  func `what may change something is refused where only looking is allowed`(tool: String) throws {
    let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#
    let found = try answers(
      [call(1, tool), list, call(3, "get", #"{"path":"fruit:frob()"}"#)], ["--read-only"])
    #expect(found[1]?["error"]["message"].string?.contains("--read-only") == true)
    let names = found[2]?["result"]["tools"].array?.compactMap { $0["name"].string }
    #expect(names?.contains(tool) == false)
    #expect(found[3]?["result"]["isError"].bool == true)
  }

  @Test func `long answers have pages`() throws {
    let code = #"{"code":"string.rep('x', 100000)"}"#
    let found = try answers([
      call(1, "evaluate", code),
      call(2, "evaluate", #"{"code":"string.rep('x', 100000)","page":4}"#),
    ])
    #expect(text(found[1]).hasSuffix("(page 1 of 4)"))
    #expect(text(found[1]).utf8.count < 40_000)
    #expect(text(found[2]).hasSuffix("x\"\n(page 4 of 4)"))
  }

  @Test func `resources are the app's scripts and no other files`() throws {
    func read(_ id: Int, _ uri: String) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"resources/read","params":{"uri":"\#(uri)"}}"#
    }
    let path = folder.path
    let found = try answers([
      #"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, read(2, "file://\(path)/app.lua"),
      read(3, "file:///etc/passwd"), read(4, "file://\(path)/../app.lua"),
      read(5, "tidelock://errors"), read(6, "tidelock://articles/HotReload"),
      read(7, "tidelock://reference"), read(8, "tidelock://articles/../HotReload"),
    ])
    let uris = found[1]?["result"]["resources"].array?.compactMap { $0["uri"].string } ?? []
    #expect(uris.filter { $0.hasPrefix("file:") } == ["file://\(path)/app.lua"])
    #expect(Set(uris).isSuperset(of: ["tidelock://errors", "tidelock://reference"]))
    #expect(uris.count == Set(uris).count)
    #expect(found[2]?["result"]["contents"][0]["text"].string?.hasPrefix("model") == true)
    #expect(found[3]?["error"]["code"].int == -32002)
    #expect(found[4]?["error"]["code"].int == -32002)
    #expect(found[5]?["result"]["contents"][0]["text"].string?.contains("E0402") == true)
    #expect(
      found[6]?["result"]["contents"][0]["text"].string?.hasPrefix("# Hot reload\n") == true)
    #expect(found[7]?["result"]["contents"][0]["text"].string?.contains("`computed(") == true)
    #expect(found[8]?["error"]["code"].int == -32002)
  }

  @Test func `an article is described by its title and its first sentence`() throws {
    let list = try answers([#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#])
    let articles = list[1]?["result"]["resources"].array?.filter {
      $0["uri"].string?.hasPrefix("tidelock://articles/") == true
    }
    #expect((articles?.count ?? 0) > 40)
    for article in articles ?? [] {
      #expect(article["name"].string?.isEmpty == false)
      #expect(article["description"].string?.hasSuffix(".") == true, "\(article)")
    }
  }

  @Test func `a client of a later version names it in each request`() throws {
    func request(_ id: Int, _ method: String, _ parameters: String = "", version: String) -> String
    {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(parameters)"_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","io.modelcontextprotocol/clientCapabilities":{}}}}"#
    }
    let get = #""name":"get","arguments":{"path":"fruit.count"},"#
    let found = try answers([
      request(1, "server/discover", version: "2026-07-28"),
      request(2, "tools/list", version: "2026-07-28"),
      request(3, "tools/call", get, version: "2026-07-28"),
      request(4, "resources/read", #""uri":"file:///etc/passwd","#, version: "2026-07-28"),
      request(5, "ping", version: "2026-07-28"), request(6, "server/discover", version: "1999"),
      #"{"jsonrpc":"2.0","id":7,"method":"server/discover"}"#,
      call(8, "get", #"{"path":"fruit.count"}"#),
    ])
    #expect(found[1]?["result"]["supportedVersions"][0].string == "2026-07-28")
    for id in 1...3 { #expect(found[id]?["result"]["resultType"].string == "complete", "\(id)") }
    #expect(found[2]?["result"]["cacheScope"].string == "private")
    #expect(text(found[3]) == "0")
    #expect(found[4]?["error"]["code"].int == -32602)
    #expect(found[5]?["error"]["code"].int == -32601)
    #expect(found[6]?["error"]["code"].int == -32022)
    #expect(found[6]?["error"]["data"]["supported"].array?.contains("2025-11-25") == true)
    #expect(found[7]?["error"]["code"].int == -32601)
    #expect(text(found[8]) == "0")
    #expect(found[8]?["result"]["resultType"].isNull == true)
  }

  @Test func `pages are cut between characters`() throws {
    let found = try answers(
      (1...3).map {
        call($0, "evaluate", #"{"code":"'x' .. string.rep('é', 40000)","page":\#($0)}"#)
      })
    let whole = (1...3).map { text(found[$0]).split(separator: "\n").first ?? "" }.joined()
    #expect(whole == "\"x" + String(repeating: "é", count: 40_000) + "\"")
  }

  @Test func `10,000 rows have pages, and 10,000 requests answers`() throws {
    folder.write(
      """
      local rows, titles = list {}, list {}
      for i = 1, 10000 do
        rows:append(object { name = "row " .. i })
        titles:append("row " .. i)
      end
      model "rows" { all = rows }
      return view.list { id = "list", items = titles }
      """, to: "app.lua")
    let pings = (100..<10_100).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"ping"}"# }
    let found = try answers(
      [call(1, "get", #"{"path":"rows.all"}"#), call(2, "get", #"{"path":"rows.all","page":2}"#)]
        + pings + [call(3, "tree"), call(4, "act", #"{"verbs":["select list 10000"]}"#)])
    #expect(text(found[1]).contains("(page 1 of "))
    #expect(text(found[2]).contains("(page 2 of "))
    for id in 1...4 { #expect(text(found[id]).utf8.count < 33_000) }
    #expect(text(found[4]) == "select list 10000: done")
    #expect(found.count == 10_004)
  }

  @Test func `an app that ends is found again once it was started anew`() throws {
    let found = try answers([
      call(1, "act", #"{"verbs":["tap leave"]}"#), call(2, "get", #"{"path":"fruit.count"}"#),
      #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    ])
    #expect(found[2]?["result"]["isError"].bool == true)
    #expect(text(found[2]).contains("no app") || text(found[2]).contains("has ended"))
    #expect(found[3]?["result"] == [:])
  }

  @Test func `a message without an end is refused, and ends the server`() throws {
    let outcome = try Program.run(
      ["mcp"], in: folder, environment: ["XDG_RUNTIME_DIR": folder.path],
      input: String(repeating: "x", count: 5 << 20))
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("-32700"))
    #expect(outcome.output.contains("at most 4 MiB"))
  }

  @Test(arguments: ["doctor", "", "run 'app.lua"])
  func `an app is started by run or serve`(words: String) throws {
    let outcome = try Program.run(["mcp", "--start", words], in: folder)
    #expect(outcome.status == .exited(64), "\(outcome)")
    #expect(outcome.errors.contains("--start"))
  }

  @Test func `what is no message is answered, and the next one is served`() throws {
    let found = try answers([
      "garbage", "[1]", #"{"id":2}"#, #"{"jsonrpc":"2.0","id":3,"method":"frob"}"#,
      call(4, "get", #"{"path":"fruit.count"}"#),
    ])
    #expect(found[-1]?["error"]["code"].int == -32700)
    #expect(found[2]?["error"]["code"].int == -32600)
    #expect(found[3]?["error"]["code"].int == -32601)
    #expect(text(found[4]) == "0")
  }

  @Test func `a wait that is cancelled has no answer`() throws {
    let found = try answers([
      call(1, "wait", #"{"expression":"fruit.count == 1","timeout":1000}"#),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
      call(2, "get", #"{"path":"fruit.count"}"#),
    ])
    #expect(found[1] == nil)
    #expect(text(found[2]) == "0")
  }
}
