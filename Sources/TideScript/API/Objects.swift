import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installObjects() throws {
    try define(.object) { [unowned self] call in
      try call.return(luaValue(makeObject(call.table(0))))
    }
    try define(.property) { [unowned self] call in
      let declaration = try PropertyDeclaration(options: call.table(0), in: self)
      try call.return(luaValue(declaration))
    }
    try define(.computed) { [unowned self] call in
      let setter = call.isNil(1) ? nil : try call.function(1)
      let declaration = PropertyDeclaration(get: try call.function(0), set: setter)
      try call.return(luaValue(declaration))
    }
    // The second argument is checked first, since it may be the fields.
    try define(.model) { [unowned self] call in
      if call.tag(0) == LuaTag.table {
        throw TideError(
          .badArgument, "a model has a name: model \"name\" { … }; without one write object { … }")
      }
      let name = try call.name(0, "a model's name")
      try admitText(name.utf8.count)
      try Self.refuseFields(call, of: "model", name)
      try Self.modelForm.refuseMore(call, from: 1)
      call.return(
        try takingFields(of: name, by: "model") { [unowned self] in try declareModel($0, $1) })
    }
    try define(.class) { [unowned self] call in
      if call.tag(0) == LuaTag.table {
        throw TideError(.badArgument, "a class has a name: class \"Name\" { … }")
      }
      let name = try call.name(0, "a class's name")
      try admitText(name.utf8.count)
      try Self.refuseFields(call, of: "class", name)
      let base = call.isNil(1) ? nil : call.userdata(1, as: ScriptClass.self)
      if !call.isNil(1) && base == nil { throw call.wrongType(1, "class") }
      call.return(
        .function(
          try function(Signature("class \(name)", "fields")) { [unowned self] call in
            let made = try declareClass(name, call.table(0), base)
            try call.return(luaValue(of: made))
          }))
    }
    try define(.isa) { [unowned self] call in
      let object = call.object(0)?.dataObject
      if let wanted = call.userdata(1, as: ScriptClass.self) {
        return call.return((object as? ScriptObject)?.scriptClass.inherits(from: wanted) ?? false)
      }
      guard call.tag(1) == LuaTag.string else { throw call.wrongType(1, "class or its name") }
      let name = try call.name(1, "a class's name")
      let isOne = object.map { Self.isObject($0, ofClassNamed: name) } ?? false
      if !isOne { try refuseMisspelt(className: name, of: object) }
      call.return(isOne)
    }
    try define(.ref) { [unowned self] call in
      let transformers = try call.values(from: 2).flatMap {
        try self.makeTransformers($0, for: "ref")
      }
      try charge(Self.size(properties: 1))
      let made = try ValueReference(
        object(call, 0), call.name(1, "a path"), transformers: transformers)
      try call.return(luaValue(.object(made)))
    }
    try define(.properties) { [unowned self] call in
      let object = try object(call, 0)
      var next = 0
      let iterator = try function(named: "next") { [unowned self] call in
        guard next < object.shape.properties.count else { return call.return(.nil) }
        let property = object.shape.propertiesByIndex[next]
        next += 1
        call.return(property.name)
        try call.return(luaValue(object.value(of: property.name)))
        call.return(property.type.name)
      }
      call.return(.function(iterator))
    }
    try installModelTable()
    try installClassMetatable()
  }

  private static let modelForm: Signature = "model(name)"

  /// The function that takes the fields after `model "name"`. An error is listed if no fields
  /// follow.
  func takingFields(
    of name: String, by keyword: String,
    _ declare: @escaping (String, LuaTable) throws -> DataObject
  ) throws -> LuaValue {
    declarations.unnamedModels[name] = (keyword, location ?? SourceLocation(file: path, line: 0))
    return .function(
      try function(Signature("\(keyword) \(name)", "fields")) { [unowned self] call in
        declarations.unnamedModels[name] = nil
        try call.return(luaValue(declare(name, call.table(0))))
      })
  }

  /// The message for an assignment `models.name = …`, which `check` also reports.
  package static func assignedModel(_ name: String) -> String {
    "models are declared, not assigned: model \"\(name)\" {…}"
  }

  private func installModelTable() throws {
    let metatable = try lua.table(["__name": "models", "__metatable": false])
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "models") { [unowned self] call in
          let name = try name(call, of: "models")
          guard let model = models[name] else { throw models.unknown(name) }
          try call.return(luaValue(model))
        }))
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "models") { call in
          let name = try call.stringIfAny(1)?.inMessage ?? "name"
          throw TideError(.readOnly, Self.assignedModel(name))
        }))
    try metatable.rawSet(
      "__pairs",
      .function(
        function(named: "pairs") { [unowned self] call in
          let names = models.names
          var next = 0
          let iterator = try function(named: "next") { [unowned self] call in
            guard next < names.count, let model = models[names[next]] else {
              return call.return(.nil)
            }
            call.return(names[next])
            next += 1
            try call.return(luaValue(model))
          }
          call.return(.function(iterator))
        }))
    let table = try lua.table()
    try table.protect(with: metatable)
    try publish("models", .table(table))
  }

  /// Throws if the fields are passed in the first call. They belong in a second call, which is
  /// easily forgotten.
  private static func refuseFields(
    _ call: borrowing LuaCall, of word: String, _ name: String
  ) throws(TideError) {
    guard call.tag(1) == LuaTag.table else { return }
    throw TideError(
      .badArgument, "the fields follow the name without a comma: \(word) \"\(name)\" { … }")
  }

  private func installClassMetatable() throws {
    let table = api.metatables.scriptClass
    try table.rawSet(
      "__call",
      .function(
        callable("class(...)") { [unowned self] call in
          guard let scriptClass = call.userdata(0, as: ScriptClass.self) else { return }
          for extra in 2..<max(2, call.count) where !call.isNil(extra) {
            let name = scriptClass.name.inMessage
            throw LuaError(
              .runtime,
              "bad argument #\(extra) to '\(name)' (one too many: \(name)(fields) takes one argument)"
            )
          }
          guard call.isNil(1) || call.tag(1) == LuaTag.table else {
            // The class itself is an implicit first argument.
            throw LuaError(
              .runtime,
              "bad argument #1 to '\(scriptClass.name)' (table expected, got \(call.typeName(1)))")
          }
          let fields = call.isNil(1) ? nil : try call.table(1)
          try call.return(luaValue(make(scriptClass, fields)))
        }))
    try table.rawSet(
      "__index",
      .function(
        function(named: "class") { call in
          guard let scriptClass = call.userdata(0, as: ScriptClass.self) else { return }
          let key = try call.value(1)
          var current: ScriptClass? = scriptClass
          while let known = current {
            let method = try known.methods.rawGet(key)
            if !method.isNil { return call.return(method) }
            // `init` is not a method, because objects do not have it.
            if key.name == "init", let initializer = known.initializer {
              return call.return(.function(initializer))
            }
            current = known.superclass
          }
          let names = try scriptClass.methods.entries().compactMap(\.key.string)
          throw TideError(
            .unknownProperty,
            "\(scriptClass.name) has no method \(key.preview)"
              + NearestName.hintOrNames(for: key.name ?? "", in: names))
        }))
    try table.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { call in
          call.return("class \(call.userdata(0, as: ScriptClass.self)?.name ?? "?")")
        }))
  }

  func luaValue(of scriptClass: ScriptClass) throws -> LuaValue {
    .userdata(try lua.userdata(for: scriptClass, metatable: api.metatables.scriptClass))
  }

  // MARK: Making

  /// Makes an object of a class, sets fields, and runs its `init`.
  func make(_ scriptClass: ScriptClass, _ fields: LuaTable?) throws -> ScriptObject {
    try charge(Self.size(properties: scriptClass.shape.properties.count))
    let object = ScriptObject(scriptClass)
    noteMaking(of: object)
    try perform(batching: true) {
      if let fields { try fill(object, from: fields) }
      var ancestor: ScriptClass? = scriptClass
      while let current = ancestor {
        if let initializer = current.initializer {
          try initializer.call([luaValue(object)])
          break
        }
        ancestor = current.superclass
      }
    }
    noteMember(object)
    return object
  }

  private func fill(_ object: ScriptObject, from fields: LuaTable) throws {
    for (key, value) in try fields.entries() {
      guard case .string(let name) = key else {
        throw TideError(.wrongType, "fields have names; found the key \(key.preview)")
      }
      guard let index = object.shape.index(of: name) else { throw object.unknownProperty(name) }
      try assign(value, to: object, index)
    }
  }

  /// Makes an anonymous object. Objects with the same fields share a class.
  ///
  /// Its initial values are kept as defaults for properties that get nil from a binding. Rows of
  /// lists, of which there may be millions, do not keep them.
  func makeObject(_ fields: LuaTable, isRow: Bool = false) throws -> DataObject {
    let declaration = try ClassDeclaration(fields, in: self, isClass: false)
    try charge(Self.size(properties: declaration.properties.count))
    let signature = declaration.signature
    let object = ScriptObject(try anonymousClass(declaration, signature))
    noteMaking(of: object)
    if signature == nil {
      noteMember(object)
      return object
    }
    for (index, property) in declaration.properties.enumerated() {
      _ = try object.store(index, property.initial.value, settling: false)
    }
    if !isRow, let defaults = declaration.scalars {
      try charge(32 + defaults.count * MemoryLayout<Value>.stride)
      object.defaults = defaults
    }
    noteMember(object)
    return object
  }

  /// Whether scripts keep an object alive, because they have made it.
  static func isScriptOwned(_ block: Block) -> Bool {
    block is ScriptObject || block is ValueList || block is DictionaryObject || block is View
      || block is LiveObject
      || block is ListGroup || block is ValueReference || block is Controller
      || block is ControllerPart
  }
}

// MARK: Classes by name

extension Runtime {
  private static func isObject(_ object: DataObject, ofClassNamed name: String) -> Bool {
    if let object = object as? ScriptObject { return object.scriptClass.inherits(from: name) }
    if let view = object as? View {
      return view.viewClass.inherits(from: ViewOperator.className(name))
    }
    return classNames(of: object).contains(name)
  }

  /// The class names of an object of Swift or of the engine, its own class first.
  private static func classNames(of object: DataObject) -> [String] {
    let classes = sequence(first: Mirror(reflecting: object), next: \.superclassMirror)
    return [object.shape.name] + classes.map { "\($0.subjectType)" }
  }

  /// Throws if a name is unknown but similar to a known class name. Other unknown names are
  /// accepted, since the class may be declared later.
  private func refuseMisspelt(className name: String, of object: DataObject?) throws {
    if declarations.acceptedClassNames.contains(name) { return }
    let known = viewClasses[ViewOperator.className(name)] != nil || views.components[name] != nil
    let declares = declaresClass(name)
    if known || declares || models.contains(name) { return accept(className: name) }
    var names = declaredClassNames + models.names
    names += object is View || object == nil ? viewClassNames : []
    if let object, !(object is View) { names += Self.classNames(of: object) }
    let hint = NearestName.hint(for: name, in: names, areOrdered: false)
    if hint.isEmpty {
      if NearestName.find(name, in: viewClassNames) == nil { accept(className: name) }
      return
    }
    throw TideError(.badArgument, "there is no class \"\(name.inMessage)\"\(hint)")
  }

  /// Remembers an accepted name, to skip the next search. The number of names is limited, since a
  /// script may use any.
  private func accept(className name: String) {
    if declarations.acceptedClassNames.count < 1000, name.utf8.count < 256 {
      declarations.acceptedClassNames.insert(name)
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let model = APIEntry(
    "model(name)", usage: "model \"name\" { … }", takesMore: true,
    "A named data object, kept across reloads: `model \"fruit\" { name = \"fig\" }`.",
    """
    @class tidelock.Group<T> : tidelock.DataObject
    @field key any
    @field items tidelock.List<T>
    @param name string
    @return fun(fields: table): tidelock.DataObject
    """)

  static let models = APIEntry(
    "models", usage: "models.name",
    "The models by name, wherever they were declared.",
    """
    @type tidelock.Models
    """)

  static let object = APIEntry(
    "object(fields)", usage: "object { … }",
    "An anonymous data object.",
    """
    @param fields table
    @return tidelock.DataObject
    """)

  static let `class` = APIEntry(
    "class(name, base)", usage: "class \"Name\" { … }",
    """
    A constructor of data objects: `class "Person" { first = "" }`; class("Name", Base) \
    inherits.
    """,
    """
    @param name string
    @param base? tidelock.Class
    @return fun(fields: table): tidelock.Class
    """)

  static let isa = APIEntry(
    "isa(object, class)", usage: "isa(o, Class)",
    "Whether an object is of a class.",
    """
    @param object any
    @param class tidelock.Class|tidelock.ClassName
    @return boolean
    """)

  static let property = APIEntry(
    "property(options)", usage: "property { default =, type = }",
    "A declared property.",
    """
    @param options tidelock.PropertyOptions
    @return any
    """)

  static let computed = APIEntry(
    "computed(get, set)", usage: "computed(get [, set])",
    "A property that follows what its function reads.",
    """
    @param get fun(self: any): any
    @param set? fun(self: any, value: any)
    @return any
    """)

  static let properties = APIEntry(
    "properties(object)", usage: "properties(o)",
    "An iterator of name, value and type.",
    """
    @param object tidelock.DataObject
    @return fun(): string, any, string
    """)

  static let ref = APIEntry(
    "ref(object, path, ...)", usage: "ref(o, path, …)",
    "A data object whose `value` stands in for a property, transformed.",
    """
    @param object tidelock.DataObject|tidelock.List
    @param path tidelock.ObjectPath
    @param ... tidelock.Transform
    @return tidelock.Ref
    """)
}

extension APISection {
  static let objects = APISection(
    article: "ObjectsAndModels",
    entries: [
      .model,
      .models,
      .object,
      .class,
      .isa,
      .property,
      .computed,
      .properties,
      .ref,
    ],
    types: """
      ---A thing with named, observable properties.
      ---@class tidelock.DataObject
      ---@field [string] any

      ---@alias tidelock.Type "string"|"number"|"integer"|"boolean"|"object"|"list"|"dict"|"any"

      ---@class tidelock.PropertyOptions
      ---@field default? any
      ---@field type? tidelock.Type
      ---@field nullable? boolean
      ---@field readonly? boolean
      ---@field enum? string[]
      ---@field validate? fun(self: any, value: any): any, string?
      ---@field description? string
      ---@field message? string|fun(value: any): string what people are told who enter what it cannot hold
      ---@field invalid? string|fun(value: any): string the same for what cannot be read as its type
      ---@field required? string|fun(value: any): string the same where nothing was entered
      ---@field merge? boolean whether concurrent writes of a shared text are merged

      ---Stands in for a property of another object.
      ---@class tidelock.Ref : tidelock.DataObject
      ---@field value any

      ---A constructor of data objects: `class "Person" { first = "" }`.
      ---@class tidelock.Class
      ---@overload fun(fields?: table): tidelock.DataObject
      """)
}
