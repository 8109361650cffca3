import TideBindings
import TideGraph
import TideLua
import TideScript
import TideSystem
import TideViews

// Answers `:help NAME` for the program's names and the app's.
extension Session {
  /// The types of the API and of the host's additions.
  var types: APITypes { helpIndex().types }

  func help(_ name: String) throws -> ChunkResult {
    if name.isEmpty { return .values(Self.overview) }
    let topics = runtime.graph.untracked { self.topics(for: name) }
    if topics.isEmpty {
      let hint = NearestName.hint(for: name, in: namesByLength(near: name), areOrdered: false)
      throw TideError(
        .metaCommand, "nothing is known of \"\(name.inMessage)\"\(hint); :help lists what there is")
    }
    return .values(Self.lines(of: topics))
  }

  /// All names, those of a similar length first: only a limited number is compared.
  private func namesByLength(near name: String) -> [String] {
    let length = name.utf8.count
    let names = (Array(helpIndex().names) + ownNames).map { (abs($0.utf8.count - length), $0) }
    return names.sorted { $0 < $1 }.map(\.1)
  }

  private static func lines(of topics: [HelpTopic]) -> [String] {
    let most = 12
    let lines = topics.prefix(most).flatMap(\.lines)
    let rest = topics.dropFirst(most).map(\.usage)
    return rest.isEmpty ? lines : lines + ["also: " + rest.joined(separator: "; ")]
  }

  private static var overview: [String] {
    let width = MetaCommand.all.map(\.heading.count).max() ?? 0
    let commands = MetaCommand.all.map {
      $0.heading + String(repeating: " ", count: width + 2 - $0.heading.count) + $0.summary
    }
    return commands + [
      "",
      "Anything else is Lua: an expression shows its value. _ is the last value, and _1, _2 … are all "
        + "of them by their numbers.",
      ":help NAME tells of functions (bind, string.format), members (list:append), view classes and "
        + "their properties (view.label, label.text), events, styles, options, transformers "
        + "(uppercase), error codes (E0402), and of the app's models, views and classes.",
    ]
  }

  // MARK: Topics

  private func topics(for name: String) -> [HelpTopic] {
    var topics: [HelpTopic] = []
    if let command = MetaCommand.all.first(where: { ":" + $0.name == name || $0.name == name }) {
      topics.append(HelpTopic(command.heading, command.summary.asSentence))
    }
    if name.hasPrefix(":") { return topics }
    topics += helpIndex().topics(for: name)
    for topic in ownTopics(for: name) where !topics.contains(topic) { topics.append(topic) }
    return topics
  }

  /// The topics for names of the app and the session.
  private func ownTopics(for name: String) -> [HelpTopic] {
    var topics: [HelpTopic] = []
    if let usage = runtime.transformers.ownUsage(of: name) {
      topics.append(HelpTopic("| \(usage)", "A transformer of this app."))
    }
    let className = name.hasPrefix("view.") ? String(name.dropFirst(5)) : name
    if let viewClass = ownViewClass(className) { topics.append(HelpTopic(viewClass: viewClass)) }
    if let owner = HelpIndex.owner(of: name) {
      let last = String(name.dropFirst(owner.count + 1))
      let viewName = owner.hasPrefix("view.") ? String(owner.dropFirst(5)) : owner
      if let shape = ownViewClass(viewName)?.shape, let found = property(last, of: shape) {
        topics.append(found.topic(as: "view.\(viewName).\(last)", of: "view.\(viewName)"))
      }
    }
    let plain = ["models.", "views."].first { name.hasPrefix($0) }.map { name.dropFirst($0.count) }
    return topics + self.topics(ofPath: String(plain ?? name[...]))
  }

  private func ownViewClass(_ name: String) -> ViewClass? {
    if ViewClasses()[name] != nil { return nil }
    return try? runtime.viewClass(named: name)
  }

  private func property(_ name: String, of shape: Shape) -> PropertyDescription? {
    shape.index(of: name).map { shape.propertiesByIndex[$0] }
  }

  /// The topics for the model, view, class or variable at the start of a path, or for the path's
  /// value.
  private func topics(ofPath path: String) -> [HelpTopic] {
    let code = CodeBeforeCaret(path)
    guard let expression = code.expression(endingAt: code.tokens.count - 1) else {
      return methodTopic(code).map { [$0] } ?? []
    }
    switch expression {
    case .name(let name): return topics(ofRoot: name)
    case .member(let base, let name):
      return topic(ofMember: name, of: base, path).map { [$0] } ?? []
    default: return []
    }
  }

  private func topics(ofRoot name: String) -> [HelpTopic] {
    var topics: [HelpTopic] = []
    if let model = runtime.models[name] {
      topics.append(HelpTopic("models.\(name)", "A model\(Self.listing(model.shape))."))
    }
    if let view = runtime.view(withID: name) {
      topics.append(HelpTopic("views.\(name)", "A \(view.viewClass.name) that is shown."))
    }
    if let value = value(named: name), !LibraryNames.globals.contains(name) {
      topics.append(topic(of: value, named: name))
    }
    return topics
  }

  private func topic(of value: LuaValue, named name: String) -> HelpTopic {
    if let made = ClassDescription(value) {
      return HelpTopic("\(name) { … }", "A class of this app\(Self.listing(made.shape)).")
    }
    if case .function(let function) = value, let place = function.location {
      return HelpTopic(
        "\(name)(…)", "A function of \(place.chunk):\(place.line); :source \(name) shows it.")
    }
    return HelpTopic(name, "A variable: \(brief(value)).")
  }

  private static func listing(_ shape: Shape) -> String {
    let parts = shape.properties.prefix(20).map { "\($0.name): \($0.typeText)" }
    return parts.isEmpty ? "" : " with " + parts.joined(separator: ", ")
  }

  private func topic(
    ofMember name: String, of base: TypedExpression, _ path: String
  ) -> HelpTopic? {
    let owner = object(of: base)
    let label = base.path ?? "it"
    if let object = owner, let found = property(name, of: object.shape) {
      let usage = runtime.models[label] === object ? "models.\(path)" : path
      return found.topic(as: usage, of: label)
    }
    if let object = owner, runtime.methodNames(of: object).contains(name) {
      return HelpTopic("\(label):\(name)(…)", "A method of \(label).")
    }
    guard let value = known(base) else { return nil }
    if case .value(let value) = value, let made = ClassDescription(value) {
      if let found = property(name, of: made.shape) { return found.topic(as: path, of: label) }
      return made.methods.contains(name)
        ? HelpTopic("\(label):\(name)(…)", "A method of \(label).") : nil
    }
    // The catalogue describes the members of library tables.
    if case .value(.table(let table)) = value, library.name(of: table) != nil { return nil }
    guard case .value(let member)? = known(.member(base, name)) else { return nil }
    return topic(of: member, named: path)
  }

  /// The topic for a method such as `fruit:rename`, which is not a complete expression without its
  /// call.
  private func methodTopic(_ code: CodeBeforeCaret) -> HelpTopic? {
    let last = code.tokens.count - 1
    guard code.isSeparator(last - 1, ":"), let base = code.expression(endingAt: last - 2) else {
      return nil
    }
    return topic(ofMember: code.word(last), of: base, code.text)
  }

  private func object(of expression: TypedExpression) -> DataObject? {
    if case .name(let name) = expression, let object = object(named: name) { return object }
    if case .value(let value)? = known(expression) { return value.object?.dataObject }
    guard case .member(let base, let name) = expression, let owner = object(of: base),
      let index = owner.shape.index(of: name), owner.shape.propertiesByIndex[index].derive == nil,
      case .object(let next as DataObject) = owner[name]
    else { return nil }
    return next
  }

  // MARK: Names

  /// The root names that the app and the session define.
  private var ownNames: [String] {
    runtime.models.names + runtime.viewIDs + variableNames + ownVariables.map(\.name)
  }

  /// The names that help can explain and that match the typed word. Members are offered only after
  /// their owner has been typed.
  func helpNames(beginning word: Substring) -> [String] {
    let commands = MetaCommand.all.map(\.name)
    if word.isEmpty { return commands + APICatalogue.names }
    var names = helpIndex().names.filter { $0.hasPrefix(word) }
    guard let owner = HelpIndex.owner(of: word) else {
      return commands + names.filter { HelpIndex.owner(of: $0) == nil } + ownNames
        + runtime.transformers.names
    }
    names.removeAll { HelpIndex.owner(of: $0) != owner }
    let last = word.dropFirst(owner.count + 1)
    let sign = word[word.index(word.startIndex, offsetBy: owner.count)]
    var members: [String] = []
    let code = CodeBeforeCaret(owner)
    if let expression = code.expression(endingAt: code.tokens.count - 1) {
      if let object = object(of: expression) {
        members = object.shape.properties.map(\.name) + runtime.methodNames(of: object)
      } else if let value = known(expression) {
        members = self.members(of: value, beginning: last).flatMap { $0 }
      }
    }
    names += members.map { "\(owner)\(sign)\($0)" }
    return names
  }
}

extension PropertyDescription {
  fileprivate func topic(as usage: String, of owner: String) -> HelpTopic {
    HelpTopic("\(usage): \(typeText)", summary ?? "A property of \(owner).")
  }
}

extension String {
  /// A phrase of the help's table, as a sentence.
  fileprivate var asSentence: String {
    guard let first else { return self }
    return first.uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }
}
