import TideBindings
import TideLua
import TideScript

/// The models, classes, components and ids that an app's scripts declare with literals.
struct AppTypes {
  struct Field {
    let name: String
    let type: String
    /// The lines of the comment above it, or else at the end of its line.
    var comment: [String] = []
  }

  /// A class of the definitions: a model, a class of a script, or an object in one of these.
  struct Class {
    let name: String
    var parent = "tidelock.DataObject"
    var fields: [Field]
    var comment: [String] = []
  }

  struct Component {
    let name: String
    let fields: [Field]
    let events: [String]
    var comment: [String] = []
  }

  private(set) var models: [String] = []
  private(set) var classes: [Class] = []
  private(set) var components: [Component] = []
  private(set) var ids: [(name: String, viewClass: String?)] = []

  init() {}

  /// Reads scripts.
  init(_ paths: [String]) throws {
    let files = try ScriptFiles.files(at: paths)
    try self.init { work in
      for path in files {
        try Self.judge(work.add(path), in: work)
      }
    }
  }

  init(text: String) throws {
    try self.init { work in
      try Self.judge(work.add(text, path: "app.lua"), in: work)
    }
  }

  /// Throws the error of a script that cannot be read.
  private static func judge(_ outcome: Workspace.Outcome, in work: Workspace) throws {
    switch outcome {
    case .failed(let problem): throw problem.error
    case .read(let index): if let failure = work.scripts[index].failure { throw failure.error }
    }
  }

  private init(_ read: (inout Workspace) throws -> Void) throws {
    let names = try KnownNames()
    var work = Workspace(names: names, syntax: try SyntaxCheck())
    try read(&work)
    work.addRequired()
    var symbols = SymbolTable()
    for script in work.scripts where !script.isSpec {
      symbols.formUnion(script.symbols)
      collect(script, names)
    }
    models = Set(models).sorted()
    classes.sort { $0.name < $1.name }
    components.sort { $0.name < $1.name }
    ids = symbols.ids.filter { $0.key.isLuaName }.sorted { $0.key < $1.key }.map { id, classes in
      (id, classes.count == 1 ? classes.first ?? nil : nil)
    }
  }

  private mutating func collect(_ script: Script, _ names: KnownNames) {
    let inference = TypeInference(api: names.api, assigned: script.symbols.globals)
    let comments = SourceComments(script.source)
    var types = DeclaredTypes(inference, comments)
    var made: [Component] = []
    SyntaxWalker(visit: { expression, _ in
      guard case .call(let callee, let arguments) = expression.kind else { return }
      let comment = comments.above(expression.range.lowerBound)
      if let declaration = inference.declaration(expression) {
        let name = declaration.name.text
        guard let fields = declaration.fields, name.isLuaName else { return }
        types.add(
          "model.\(name)", fields.fields ?? [], comment,
          parent: declaration.keyword == "shared" ? "tidelock.SharedModel" : nil)
      } else if case .call(let inner, let names) = callee.kind,
        inference.function(inner) == "class",
        let name = names.first?.string?.text, name.isLuaName
      {
        let parent = names.count > 1 ? types.className(of: names[1]) : nil
        types.add("class.\(name)", arguments.first?.fields ?? [], comment, parent: parent)
      } else if inference.function(callee) == "view.component",
        let name = arguments.first?.string?.text, name.isLuaName
      {
        let options = arguments.dropFirst().first?.fields ?? []
        made.append(
          Component(
            name: name,
            fields: types.fields(
              options["properties"]?.fields ?? [], of: "tidelock.view.\(name)"),
            events: (options["events"]?.fields ?? []).compactMap { $0.value.string?.text }
              .filter(\.isLuaName),
            comment: comment))
      }
    }).walk(script.statements)
    for found in types.classes { add(found) }
    for component in made where !components.contains(where: { $0.name == component.name }) {
      components.append(component)
    }
  }

  /// Adds a class. A model that is declared several times has the fields of all declarations.
  private mutating func add(_ found: Class) {
    if found.name.hasPrefix("model."), case let name = found.name.dropFirst(6), !name.contains(".")
    {
      models.append(String(name))
    }
    guard let index = classes.firstIndex(where: { $0.name == found.name }) else {
      return classes.append(found)
    }
    let known = Set(classes[index].fields.map(\.name))
    classes[index].fields += found.fields.filter { !known.contains($0.name) }
    if classes[index].comment.isEmpty { classes[index].comment = found.comment }
  }
}

extension String {
  /// Whether the string can follow a dot in a script.
  var isLuaName: Bool { LuaState.isName(self) }
}
