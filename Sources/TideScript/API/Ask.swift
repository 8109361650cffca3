import TideBindings
import TideGraph
import TideLua
import TideViews

// `ask { … }` and its variants: dialogs that wait for an answer.
extension Runtime {
  func installQuestions() throws {
    try publishTable(
      "ask", calling: "ask(options)", { [unowned self] call in try ask(call) },
      [
        .askText: { [unowned self] call in try askText(call) },
        .askChoice: { [unowned self] call in try askChoice(call) },
      ])
  }

  private func ask(_ call: borrowing LuaCall) throws {
    let options = try CallOptions(call.table(1), of: "ask")
    let question = try question(options, of: "ask", buttons: ["OK"])
    try wait(call, in: "ask", for: question) { _, answer in
      [.string(question.buttons[answer.button])]
    }
  }

  private func askText(_ call: borrowing LuaCall) throws {
    let options = try CallOptions(call.table(0), of: "ask.text")
    var question = try question(options, of: "ask.text", buttons: ["OK", "Cancel"])
    question.input = .text(
      value: try options.text("value") ?? "", placeholder: try options.text("placeholder") ?? "",
      isSecret: try options.flag("secure") ?? false)
    question.letLastButtonDismiss()
    try wait(call, in: "ask.text", for: question) { [question] runtime, answer in
      let text = answer.text ?? ""
      try runtime.charge(text.utf8.count)
      return [.string(text), .string(question.buttons[answer.button])]
    }
  }

  private func askChoice(_ call: borrowing LuaCall) throws {
    let options = try CallOptions(call.table(0), of: "ask.choice")
    var question = try question(options, of: "ask.choice", buttons: ["OK", "Cancel"])
    let choice = try choice(options)
    let index = try options.integer("selectedIndex")
    if let index, index < 1 || index > choice.count {
      throw TideError(
        .badArgument,
        "the option \"selectedIndex\" of ask.choice is 1 to \(choice.count), not \(index)")
    }
    question.input = .choice(
      items: .object(choice.list), selected: (index ?? (choice.count > 0 ? 1 : nil))?.position)
    question.letLastButtonDismiss()
    try wait(call, in: "ask.choice", for: question) { [question] runtime, answer in
      guard let item = answer.item, let value = try choice.item(item, runtime) else {
        return [.nil]
      }
      return [value, .integer(item.number), .string(question.buttons[answer.button])]
    }
  }

  // MARK: Reading

  private func question(
    _ options: CallOptions, of name: String, buttons: [String]
  ) throws -> Question {
    var question = Question(buttons: buttons)
    question.title = try options.text("title") ?? ""
    question.text = try options.text("text") ?? ""
    let wanted = "a list of 1 to \(Self.mostButtons) texts"
    if let titles = try options.read("buttons", as: wanted, { try Self.titles($0) }) {
      question.buttons = titles
    }
    if let title = try options.text("default") {
      guard let index = question.buttons.firstIndex(of: title) else {
        let hint = NearestName.hintOrNames(for: title, in: question.buttons, areOrdered: false)
        throw TideError(
          .badArgument, "\"\(title.inMessage)\" is no button of \(name)\(hint)")
      }
      question.defaultButton = index
    }
    return question
  }

  private static let mostButtons = 20

  private static func titles(_ value: LuaValue) throws -> [String]? {
    guard let table = value.table, try table.isSequence else { return nil }
    let count = try table.rawCount
    guard (1...mostButtons).contains(count) else { return nil }
    var titles: [String] = []
    for index in 1...count {
      guard case .string(let title) = try table.rawGet(.integer(index)) else { return nil }
      titles.append(title)
    }
    return titles
  }

  /// The items of `ask.choice`.
  private struct Choice {
    let list: ValueList
    /// The items as the script has passed them; nil for a list of the engine, which may change.
    let given: [LuaValue]?

    var count: Int { list.count }

    func item(_ index: Int, _ runtime: Runtime) throws -> LuaValue? {
      guard let given else {
        return try list.graph.untracked { try list[index].map { try runtime.luaValue($0) } }
      }
      return given.indices.contains(index) ? given[index] : nil
    }
  }

  private func choice(_ options: CallOptions) throws -> Choice {
    let wanted = "a list of texts or of objects that have a title or a name"
    let choice = try options.read("items", as: wanted) { value -> Choice? in
      if case .object(let object) = value, let list = object.dataObject as? ValueList {
        return Choice(list: list, given: nil)
      }
      guard let table = value.table, try table.isSequence else { return nil }
      let count = try table.rawCount
      try admitRows(count)
      let items = try (0..<count).map { try table.rawGet(.integer($0 + 1)) }
      var titles: [Value] = []
      for item in items {
        guard let title = try title(of: item) else { return nil }
        titles.append(title)
      }
      return Choice(list: ValueList(titles), given: items)
    }
    guard let choice else {
      throw TideError(.badArgument, "ask.choice needs the option \"items\": \(wanted)")
    }
    return choice
  }

  private func title(of item: LuaValue) throws -> Value? {
    switch item {
    case .string, .integer, .number, .object: return try value(from: item)
    case .table(let table):
      for name in ["title", "name", "text", "label"] {
        if case .string(let title) = try table.rawGet(.string(name)) { return .string(title) }
      }
      return nil
    default: return nil
    }
  }
}

extension Question {
  /// Makes the last of several buttons the one that dismisses the dialog.
  fileprivate mutating func letLastButtonDismiss() {
    if buttons.count > 1, defaultButton != buttons.count - 1 {
      dismissingButton = buttons.count - 1
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let ask = APIEntry(
    "ask", usage: "ask { text = \"Save?\", buttons = { \"Save\", \"Discard\" } }",
    "Asks a person in a dialog and waits; gives the title of the button, or nil when dismissed.",
    """
    @class tidelock.Ask
    @overload fun(options: tidelock.AskOptions): string?
    """)

  static let askText = APIEntry(
    "ask.text(options)", usage: "ask.text { text = \"Name?\", value = name }",
    "Asks for a text and waits; gives it and the title of the button, or nil when dismissed.",
    """
    @param options tidelock.AskTextOptions
    @return string? text
    @return string? button
    """)

  static let askChoice = APIEntry(
    "ask.choice(options)", usage: "ask.choice { text = \"Which?\", items = fruits }",
    "Has a person choose an item and waits; gives it, its index and the title of the button.",
    """
    @param options tidelock.AskChoiceOptions
    @return any item
    @return integer? index
    @return string? button
    """)
}

extension APISection {
  static let questions = APISection(
    article: "Asking",
    entries: [.ask, .askText, .askChoice],
    types: """
      ---@class tidelock.AskOptions
      ---@field title? string
      ---@field text? string
      ---@field buttons? string[]
      ---@field default? string

      ---@class tidelock.AskTextOptions : tidelock.AskOptions
      ---@field value? string
      ---@field placeholder? string
      ---@field secure? boolean

      ---@class tidelock.AskChoiceOptions : tidelock.AskOptions
      ---@field items any[]|tidelock.List
      ---@field selectedIndex? integer
      """)
}
