import TideBindings
import TideLua
import TideScript
import TideViews

/// Lists the candidates of a namespace.
struct CandidateList {
  private let app: AppIndex
  private let names: KnownNames
  private let inference: TypeInference
  private let describer: Describer

  init(_ app: AppIndex, _ names: KnownNames) {
    self.app = app
    self.names = names
    inference = app.inference
    describer = Describer(app, names)
  }

  /// - Parameter script: the script that would require the listed modules.
  func candidates(in namespace: Namespace, for script: Script) -> [Candidate] {
    switch namespace {
    case .variables, .local: globals
    case .library(let table): library(table)
    case .models: models
    case .ids: ids
    case .viewClasses: viewClasses
    case .classes: objectClasses + viewClasses.filter { $0.kind == .viewClass }
    case .contexts: contexts
    case .modelsOrContexts: models + contexts
    case .transformers: transformers
    case .styles: styles
    case .themes: Theme.names.map { Candidate(name: $0, kind: .style) }
    case .modules: modules(of: script)
    case .events(let viewClass): events(of: viewClass)
    case .appEvents: Runtime.appEvents.map { Candidate(name: $0, kind: .event) }
    case .keys: Self.keys.map { Candidate(name: $0, kind: .value) }
    case .properties(let owner, let isMethod): members(of: owner, isMethod: isMethod)
    case .viewFields(let viewClass, let isBindTo): fields(of: viewClass, isBindTo)
    case .roots(let roots): self.roots(roots)
    case .viewRoots(let viewClass, let roots):
      self.roots(roots) + properties(ofView: viewClass) + operators(forLists: false)
    case .pathOperators: operators(forLists: true)
    case .options(let function, let known):
      known.map { describer.option($0, of: function) }
    case .cases(let cases): cases.map { Candidate(name: $0, kind: .value) }
    case .arrows:
      Arrow.allCases.map {
        Candidate(
          name: $0.rawValue, kind: .operation, documentation: Describer.arrows[$0] ?? "")
      }
    case .field, .unknownProperties: []
    }
  }

  private static let keys =
    [
      "Enter", "Tab", "Escape", "Space", "Backspace", "Delete", "Insert", "Up", "Down", "Left",
      "Right", "Home", "End", "PageUp", "PageDown", "Ctrl-", "Alt-", "Shift-",
    ] + (1...12).map { "F\($0)" }

  // MARK: Names of the app

  private var models: [Candidate] {
    app.symbols.shapes.keys.sorted().map { describer.model($0) }
  }

  private var ids: [Candidate] {
    app.symbols.ids.keys.sorted().map { describer.id($0) }
  }

  private var viewClasses: [Candidate] {
    (names.viewClasses.names + app.symbols.components.keys).sorted().map { describer.viewClass($0) }
      + Runtime.viewMakers.map {
        Candidate(
          name: $0, kind: .function, documentation: APICatalogue.help(for: "view.\($0)") ?? "")
      }
  }

  private var objectClasses: [Candidate] {
    app.symbols.classes.sorted().map {
      Candidate(name: $0, kind: .viewClass, detail: "a class of this app")
    }
  }

  private var contexts: [Candidate] {
    app.symbols.contexts.sorted().map {
      Candidate(name: $0, kind: .value, detail: "a context of this app")
    }
  }

  private var transformers: [Candidate] {
    let own = app.symbols.transformers.keys.sorted().map {
      Candidate(name: $0, kind: .transformer, detail: "of this app")
    }
    return own + TransformerRegistry.builtInUsages.map { describer.transformer(usage: $0) }
  }

  private var styles: [Candidate] {
    app.symbols.styles.sorted().map { Candidate(name: $0, kind: .style, detail: "of this app") }
      + StyleName.allCases.map {
        Candidate(name: $0.rawValue, kind: .style, detail: "\($0.definition)")
      }
  }

  private func modules(of script: Script) -> [Candidate] {
    var found: Set<String> = ["tidelock"]
    let own = app.finder.identity(of: script.source.path)
    for home in app.homes(of: script) {
      let folder = app.finder.identity(of: home)
      let others = app.scripts.filter { !$0.isSpec }.map(\.source.path)
      for file in others + ScriptFiles.nearby(home) + app.finder.unsaved(below: home) {
        let file = app.finder.identity(of: file)
        guard file != own, let name = ScriptFiles.moduleName(of: file, in: folder) else { continue }
        found.insert(name)
      }
    }
    found.formUnion(Runtime.libraryNames)
    return found.sorted().map { Candidate(name: $0, kind: .module) }
  }

  private func events(of viewClass: String?) -> [Candidate] {
    var found: Set<String> = []
    let known = viewClass.flatMap { names.viewClasses[$0] }
    if let known {
      found.formUnion(known.events)
    } else if let component = viewClass.flatMap({ app.symbols.components[$0] }) {
      found = component.events.union(ViewClass.column.events)
    }
    if known?.holdsSubviews != false {
      for name in names.viewClasses.names { found.formUnion(names.viewClasses[name]?.events ?? []) }
      for component in app.symbols.components.values { found.formUnion(component.events) }
    }
    return found.sorted().map { Candidate(name: $0, kind: .event) }
  }

  // MARK: Variables

  private var globals: [Candidate] {
    let own = app.symbols.globals.sorted().map {
      Candidate(name: $0, kind: .variable, detail: "a global variable of this app")
    }
    let known = names.globals.subtracting(app.symbols.globals).sorted()
    return own + known.map { describer.library($0) }
      + LuaState.keywords.sorted().map { Candidate(name: $0, kind: .keyword) }
  }

  private func library(_ table: String) -> [Candidate] {
    (names.members[table] ?? []).sorted().map { name in
      describer.library(table == "tidelock" ? name : "\(table).\(name)", as: name)
    }
  }

  // MARK: Members

  private func members(of owner: InferredType, isMethod: Bool) -> [Candidate] {
    switch owner {
    case .model, .object, .held, .table:
      guard let shape = inference.shape(of: owner) else { return [] }
      return shape.names.sorted().map { describer.property($0, of: shape) }
    case .view(let viewClass):
      let methods = names.values.viewMethods.sorted().map { describer.member($0, of: "view.view") }
      return isMethod ? methods : properties(ofView: viewClass) + methods
    case .list: return names.values.list.sorted().map { describer.member($0, of: "List") }
    case .controller(let kind, _):
      return (names.values.controllers[kind] ?? []).sorted().map {
        describer.member($0, of: "controller.\(kind)")
      }
    case .userdata(let kind):
      let type = kind.prefix(1).uppercased() + kind.dropFirst()
      return (names.values.userdata[kind] ?? []).sorted().map { describer.member($0, of: type) }
    case .instance(let type):
      return names.types.members(of: type).sorted().map { describer.member($0, of: type) }
    case .store: return names.values.store.sorted().map { describer.member($0, of: "Store") }
    case .text:
      return isMethod ? library("string") : []
    case .constructor, .array, .plain: return []
    }
  }

  private func properties(ofView viewClass: String?) -> [Candidate] {
    guard let viewClass else { return [] }
    if let component = app.symbols.components[viewClass] {
      let own = component.properties.names.sorted().map {
        describer.property($0, of: component.properties)
      }
      return own + properties(of: .column)
    }
    return names.viewClasses[viewClass].map { properties(of: $0) } ?? []
  }

  private func properties(of viewClass: ViewClass) -> [Candidate] {
    viewClass.shape.properties.sorted { $0.name < $1.name }.map { describer.viewProperty($0) }
  }

  private func fields(of viewClass: String, _ isBindTo: Bool) -> [Candidate] {
    let properties = properties(ofView: viewClass)
    if isBindTo { return properties }
    let tables = ["bindTo", "on", "keys"].map {
      Candidate(name: $0, kind: .option, documentation: Describer.viewTables[$0] ?? "")
    }
    return tables + properties
  }

  // MARK: Paths

  private func roots(_ roots: LiteralShape) -> [Candidate] {
    roots.names.sorted().map { describer.property($0, of: roots) } + models + ids
      + KnownMembers.rootNames.map { describer.library($0) }
  }

  /// The operators that may follow a list or a view.
  func operators(after owner: InferredType) -> [Candidate] {
    switch owner {
    case .list:
      CollectionOperator.allCases.map {
        Candidate(name: "@" + $0.rawValue, kind: .operation)
      }
    case .view: operators(forLists: false)
    default: []
    }
  }

  private func operators(forLists: Bool) -> [Candidate] {
    let views = [
      "@superview", "@rootview", "@cell", "@superviewWithTag", "@superviewWithRestorationID",
      "@superviewWithClass", "@subviews", "@subviewWithTag", "@subviewWithRestorationID",
      "@subviewWithClass",
    ]
    let lists = forLists ? CollectionOperator.allCases.map { "@" + $0.rawValue } : []
    return (lists + views).map { Candidate(name: $0, kind: .operation) }
  }
}
