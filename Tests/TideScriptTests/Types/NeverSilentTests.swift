import TideBindings
import TideGraph
import TideLua
import TideStore
import TideViews
import Testing

@testable import TideScript

/// The promise that no mistake goes by in silence, tried with every mistake that can be made from
/// the definitions of the API: what is new there is tried by itself.
@Suite struct `Nothing is taken in silence` {
  /// What is taken on purpose although its type does not say so, by function and argument, option
  /// or property, with the reason.
  private static let permitted: [String: String] = [
    "context name = nil": "what may be left out in the middle may be nil",
    "context options = nil": "what may be left out in the middle may be nil",
    "view restorationIdentifier": "the message calls it id, of which it is another name",
  ]

  /// What right arguments alone do not make work, each with the reason.
  private static let unready: [String: String] = [
    "context.clear": "there has to be such a context",
    "context.enable": "there has to be such a context",
    "context.disable": "there has to be such a context",
    "http.request": "there has to be an address", "http.get": "there has to be an address",
    "http.put": "there has to be an address", "http.post": "there has to be an address",
    "http.patch": "there has to be an address", "http.delete": "there has to be an address",
    "http.lines": "there has to be an address",
    "file.rename": "the file has to be there yet",
    "json.decode": "the text has to be JSON",
    "require": "there has to be such a module",
    "undo.manager": "there have to be models to follow",
    "session.keep": "there has to be an open database",
    "tidelock.Binding:remove": "the binding has to have the trigger",
    "tidelock.Store:migrate": "the texts have to be SQL",
    "tidelock.Store:forget": "the property must be declared no more",
    "tidelock.Store:run": "the text has to be SQL", "tidelock.Store:list": "the text has to be SQL",
    "tidelock.Store:row": "the text has to be SQL",
    "tidelock.Store:value": "the text has to be SQL",
    "tidelock.Store:write": "the object has to be a row of a list",
    "tidelock.Program:kill": "the name has to be a signal's",
    "tidelock.controller.object:newObject": "the controller has to know how to make an object",
    "tidelock.controller.tree:addChild": "the tree has to have children",
    "tidelock.controller.tree:insertChild": "the tree has to have children",
    "tidelock.view.view:move": "the view has to have a superview",
    "tidelock.view.view:replace": "the view has to have a superview",
  ]

  private static let grammar = Result { try APIGrammar() }

  // MARK: Running

  private static let prelude = """
    local function F() end
    model "m" { n = 1, k = 1, text = "" }
    file.stub { n = "n", ["n/n"] = "n" }
    process.stub { n = "n" }
    stdin.stub "n"
    local K = class "K" { n = 0 }
    local function O()
      return object { n = 1, name = "x", go = F, commitEditing = F, discardEditing = F }
    end
    local function L() return list { object { n = 1 }, object { n = 2 } } end
    local function V() return view.column { view.label { id = "n" } } end
    local answers = {}
    local function try(fn)
      local ok, message = pcall(fn)
      answers[#answers + 1] = ok and "" or tostring(message)
    end
    """

  /// What each piece of code raised, nil where it raised nothing; each stands on a line of its own.
  private func answers(to codes: [String]) throws -> [String?] {
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = VirtualClock()
    configuration.print = { _ in }
    configuration.takesStubs = true
    configuration.addStores()
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    let lines = codes.map { code in
      code.contains("local ") || code.contains(" = ") && !code.contains("(")
        ? "try(function() \(code) end)" : "try(function() return \(code) end)"
    }
    let text =
      Self.prelude + "\n" + lines.joined(separator: "\n")
      + "\nreturn table.concat(answers, '\\1')"
    let answers = try runtime.evaluate(text, as: String.self)
    return answers.split(separator: "\u{1}", omittingEmptySubsequences: false).map {
      $0.isEmpty ? nil : String($0)
    }
  }

  /// Tries wrong calls, and says of each that goes by in silence, or whose error names too little.
  private func check(_ calls: [WrongCall]) throws {
    if calls.isEmpty { return }
    let first = Self.prelude.split(separator: "\n").count + 1
    let answers = try answers(to: calls.map(\.code))
    #expect(answers.count == calls.count)
    var faults: [String] = []
    for (number, (call, answer)) in zip(calls, answers).enumerated()
    where !isPermitted(call) {
      guard let answer else {
        faults.append("silent: \(call.code)   [\(call.key)]")
        continue
      }
      let lacking = call.names.filter { !answer.contains($0) }
      if !answer.contains(":\(first + number): ") {
        faults.append("no place: \(call.code): \(answer)")
      } else if !lacking.isEmpty {
        faults.append("does not name \(lacking): \(call.code): \(answer)")
      } else if let meant = call.meant, meant.count > 3,
        !answer.contains("did you mean \"")
      {
        faults.append("no nearest name: \(call.code): \(answer)")
      }
    }
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))")
  }

  private func isPermitted(_ call: WrongCall) -> Bool {
    if Self.permitted[call.key] != nil { return true }
    return call.kind.map { Self.permitted["\(call.key) = \($0)"] != nil } ?? false
  }

  // MARK: Functions

  @Test func `arguments and options of functions`() throws {
    let calls = WrongCalls(grammar: try Self.grammar.get())
    #expect(calls.grammar.functions.count > 60)
    for function in calls.grammar.functions + [try #require(calls.grammar.exit)] {
      try check(
        calls.calls(of: .init(function: function, text: function.name, label: function.name)))
    }
  }

  /// What a method is called on.
  private static let receivers = [
    "tidelock.List": "L()", "tidelock.Handle": "effect(F)", "tidelock.Task": "spawn(F)",
    "tidelock.Binding": "bind(\"n -> n\", O(), O())", "tidelock.view.view": "V()",
    "tidelock.Controller": "controller.list { content = L() }",
    "tidelock.controller.object": "controller.object { content = O() }",
    "tidelock.controller.list": "controller.list { content = L() }",
    "tidelock.controller.tree": "controller.tree { content = L() }",
    "tidelock.controller.settings": "controller.settings {}",
    "tidelock.Program": "process.start(\"n\")", "tidelock.Resource": "resource(F)",
    "tidelock.Stream": "stream(F)", "tidelock.Store": "store.open(\"n\")",
    "tidelock.UndoManager": "undo.manager { O() }",
    "fetchMore": "feed { fetch = function() return {} end }",
    "scrollTo": "view.list {}", "expand": "view.tree {}", "collapse": "view.tree {}",
    "submit": "view.form {}", "reset": "view.form {}",
  ]

  @Test func `arguments and options of methods`() throws {
    let calls = WrongCalls(grammar: try Self.grammar.get())
    for name in calls.grammar.classes.keys.sorted() {
      for method in calls.grammar.classes[name]?.methods ?? [] {
        let receiver = try #require(
          Self.receivers[method.name] ?? Self.receivers[name], "what is a \(name)?")
        try check(
          calls.calls(
            of: .init(
              function: method, text: "\(receiver):\(method.name)",
              label: "\(name):\(method.name)")))
      }
    }
  }

  @Test func `names of members`() throws {
    let calls = WrongCalls(grammar: try Self.grammar.get())
    let receivers = Self.receivers.filter { $0.key.hasPrefix("tidelock.") }
    for (name, receiver) in receivers.sorted(by: { $0.key < $1.key }) {
      // Of lists only feeds have all that the type tells of.
      let receiver = name == "tidelock.List" ? Self.receivers["fetchMore"] ?? "" : receiver
      #expect(calls.grammar.classes[name] != nil, "there is no \(name)")
      try check(calls.members(of: name, receiver))
    }
  }

  @Test func `what is called rightly works`() throws {
    let calls = WrongCalls(grammar: try Self.grammar.get())
    var codes: [(key: String, code: String)] = []
    for function in calls.grammar.functions {
      codes += calls.rightCalls(
        of: .init(function: function, text: function.name, label: function.name)
      ).map { (function.name, function.name.hasPrefix("ask") ? Self.unanswered($0) : $0) }
    }
    for (name, found) in calls.grammar.classes.sorted(by: { $0.key < $1.key }) {
      for method in found.methods {
        let receiver = Self.receivers[method.name] ?? Self.receivers[name] ?? "O()"
        codes += calls.rightCalls(
          of: .init(function: method, text: "\(receiver):\(method.name)", label: "")
        ).map { ("\(name):\(method.name)", $0) }
      }
    }
    let answers = try answers(to: codes.map(\.code))
    for ((key, code), answer) in zip(codes, answers) where Self.unready[key] == nil {
      #expect(answer == nil, "\(code): \(answer ?? "")   [\(key)]")
    }
  }

  /// A call that waits for a person, of whom there is none: what it raises before it waits.
  private static func unanswered(_ code: String) -> String {
    """
    local raised local task = spawn(function() local ok, message = pcall(function() \(code) end) \
    raised = not ok and message end) local first = raised task:cancel() if first then error(first) end
    """
  }

  // MARK: Views

  @Test func `properties and events of view classes`() throws {
    let views = WrongViews(grammar: try Self.grammar.get())
    #expect(views.grammar.views.count > 25)
    for name in views.grammar.views { try check(views.calls(of: name)) }
  }

  @Test func `names of keys`() throws {
    let names = Key.keyNames + ["Ctrl-Shift-Tab", "Alt-Home", "Ctrl-PageUp"]
    try check(
      names.map { name in
        let wrong = WrongCalls.misspelling(of: name, not: Set(names))
        return WrongCall(
          code: "view.column { keys = { [\"\(wrong)\"] = F } }", names: ["\"\(wrong)\""],
          meant: name, key: name)
      })
  }

  @Test func `names of styles`() throws {
    let names = StyleName.allCases.map(\.rawValue)
    try check(
      names.flatMap { name in
        let wrong = WrongCalls.misspelling(of: name, not: Set(names))
        return [
          "view.label { style = \"\(wrong)\" }",
          "view.label { style = { \"bold\", \"\(wrong)\" } }",
          "local v = view.label {}; v.style = \"bold \(wrong)\"",
        ].map {
          WrongCall(code: $0, names: ["style", "\"\(wrong)\""], meant: name, key: name)
        }
      })
  }
}
