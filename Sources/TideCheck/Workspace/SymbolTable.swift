import TideViews
import TideScript

/// The role of a script in its app, judging by its text.
enum ScriptRole {
  /// An app's main script: it shows a view, or has the name that main scripts have.
  case main
  /// A module: it returns a table, a function or a class.
  case module
  case unknown
}

/// The declarations and mentions in the text of one script, or of all scripts of an app.
struct SymbolTable {
  /// Which expressions give the names of one kind.
  enum Unknown: Int {
    /// All are literals.
    case none
    /// Some are variables or members, whose values may be any string or key of the script.
    case passed
    /// Some are computed.
    case computed
  }

  struct Model {
    let name: String
    /// The offset of its name.
    let offset: Int
    /// Whether the value of the declaration is used.
    var isTaken: Bool
    /// Whether it has an effect even if nothing mentions it.
    var isActive: Bool
    /// Whether it is declared in every run of the script: in its main body, and unconditionally.
    var isCertain = false
  }

  /// A view class that the script defines.
  struct Component {
    var properties: LiteralShape
    var events: Set<String>
    var isOpen: Bool
  }

  var globals: Set<String> = []
  /// Globals that the main body of a script assigns, or that are assigned to `_G`.
  var declaredGlobals: Set<String> = []
  /// Globals that expressions read.
  var readGlobals: Set<String> = []
  /// Globals whose existence is tested: `if jit then`.
  var probed: Set<String> = []
  /// Whether the script may define globals whose names are not in the text.
  var makesGlobals = false
  /// Members that the script adds to tables: `string.trim`, or `string.*` for a computed name.
  var addedMembers: Set<String> = []
  /// The values of global variables; nil if several statements assign to one.
  var globalValues: [String: LuaExpression?] = [:]
  /// The names that properties of objects may have because the script contains them: keys, and
  /// strings of one word that are not paths.
  var writtenNames: Set<String> = []
  /// The names that are keys of tables.
  var writtenKeys: Set<String> = []
  /// The owners of assigned members, by the members' names.
  var assignedMembers: [String: [LuaExpression]] = [:]
  /// The properties that statements assign to, or that a literal binding may write to.
  var replacedNames: Set<String> = []
  /// The properties that a literal binding or a reference may write to.
  var boundNames: Set<String> = []
  /// The properties that are declared as objects of any class: `property { type = "object" }`.
  var objectProperties: Set<String> = []
  /// The declarations of classes by name; nil if several classes have the name.
  var classDeclarations: [String: LuaExpression?] = [:]
  /// The declarations of controllers, resources and similar objects, by the names that paths use;
  /// nil if several have the name.
  var named: [String: LuaExpression?] = [:]
  /// The plain tables of the script's variables.
  var tables = LocalTables()
  /// The SQL statements that create the tables of databases.
  var schema = SchemaTexts()
  /// The names and offsets of the declarations of transformers and ids.
  var transformerPlaces: [(name: String, offset: Int)] = []
  var idPlaces: [(name: String, offset: Int)] = []
  /// The ids that scripts read: `views.title`.
  var mentionedIDs: Set<String> = []
  var usesAllViews = false
  /// Whether views may get other data objects than their initial ones.
  var changesDataObjects = false
  var models: [Model] = []
  var shapes: [String: LiteralShape] = [:]
  var unknownModels = Unknown.none
  /// Whether the script iterates over all models.
  var usesAllModels = false
  var mentionedModels: Set<String> = []
  /// The classes of the views with an id; nil for an unknown class.
  var ids: [String: Set<String?>] = [:]
  var unknownIDs = Unknown.none
  /// The transformers, and whether each has a reverse.
  var transformers: [String: Bool] = [:]
  var unknownTransformers = Unknown.none
  var components: [String: Component] = [:]
  var unknownComponents = Unknown.none
  /// The names of classes of objects.
  var classes: Set<String> = []
  var unknownClasses = Unknown.none
  /// The names of contexts that scripts open.
  var contexts: Set<String> = []
  var unknownContexts = Unknown.none
  /// The notifications that scripts post, and those that they observe.
  var postedNotifications: Set<String> = []
  var observedNotifications: Set<String> = []
  var unknownNotifications = Unknown.none
  /// The names of defined styles.
  var styles: Set<String> = []
  var unknownStyles = Unknown.none
  /// The themes that scripts set by name: `app.theme = "night"`.
  var themes: Set<String> = []
  /// The number of occurrences of each word in the strings of the script.
  var words: [String: Int] = [:]
  /// The same for words without a dot before them, such as the first step of a path.
  var roots: [String: Int] = [:]
  /// Strings and keys that consist of one word.
  var texts: Set<String> = []
  /// Strings in tables, such as the titles of views, without those in specs.
  var shownTexts: Set<String> = []
  var requires: [(name: String, offset: Int, call: LuaExpression)] = []
  /// The literal beginnings of module names that calls of `require` compute: `require("pages." ..
  /// x)`.
  var computedRequires: Set<String> = []
  var requiresUnknown: Bool { !computedRequires.isEmpty }
  var role = ScriptRole.unknown
  /// Strings that may name a script.
  var files: Set<String> = []

  /// Adds the symbols of another script of the app.
  ///
  /// The role, the required modules and the named files are not merged: they determine which
  /// scripts belong to the app.
  mutating func formUnion(_ other: SymbolTable) {
    globals.formUnion(other.globals)
    declaredGlobals.formUnion(other.declaredGlobals)
    readGlobals.formUnion(other.readGlobals)
    shownTexts.formUnion(other.shownTexts)
    probed.formUnion(other.probed)
    globalValues.merge(other.globalValues) { _, _ in nil }
    writtenNames.formUnion(other.writtenNames)
    writtenKeys.formUnion(other.writtenKeys)
    boundNames.formUnion(other.boundNames)
    objectProperties.formUnion(other.objectProperties)
    classDeclarations.merge(other.classDeclarations) { _, _ in nil }
    assignedMembers.merge(other.assignedMembers, uniquingKeysWith: +)
    replacedNames.formUnion(other.replacedNames)
    named.merge(other.named) { _, _ in nil }
    schema.formUnion(other.schema)
    tables.formUnion(other.tables)
    transformerPlaces += other.transformerPlaces
    idPlaces += other.idPlaces
    mentionedIDs.formUnion(other.mentionedIDs)
    usesAllViews = usesAllViews || other.usesAllViews
    changesDataObjects = changesDataObjects || other.changesDataObjects
    makesGlobals = makesGlobals || other.makesGlobals
    addedMembers.formUnion(other.addedMembers)
    models += other.models
    for (name, shape) in other.shapes { shapes[name, default: LiteralShape()].formUnion(shape) }
    unknownModels = max(unknownModels, other.unknownModels)
    usesAllModels = usesAllModels || other.usesAllModels
    mentionedModels.formUnion(other.mentionedModels)
    ids.merge(other.ids) { $0.union($1) }
    unknownIDs = max(unknownIDs, other.unknownIDs)
    transformers.merge(other.transformers) { $0 || $1 }
    unknownTransformers = max(unknownTransformers, other.unknownTransformers)
    components.merge(other.components) { first, second in
      var both = first
      both.properties.formUnion(second.properties)
      both.events.formUnion(second.events)
      both.isOpen = first.isOpen || second.isOpen
      return both
    }
    unknownComponents = max(unknownComponents, other.unknownComponents)
    classes.formUnion(other.classes)
    unknownClasses = max(unknownClasses, other.unknownClasses)
    contexts.formUnion(other.contexts)
    unknownContexts = max(unknownContexts, other.unknownContexts)
    postedNotifications.formUnion(other.postedNotifications)
    observedNotifications.formUnion(other.observedNotifications)
    unknownNotifications = max(unknownNotifications, other.unknownNotifications)
    styles.formUnion(other.styles)
    unknownStyles = max(unknownStyles, other.unknownStyles)
    themes.formUnion(other.themes)
    words.merge(other.words, uniquingKeysWith: +)
    roots.merge(other.roots, uniquingKeysWith: +)
    texts.formUnion(other.texts)
  }

  /// Accepts undeclared names, because a script has a syntax error.
  mutating func admitUnknownNames() {
    makesGlobals = true
    unknownModels = .computed
    unknownIDs = .computed
    unknownTransformers = .computed
    unknownComponents = .computed
    unknownStyles = .computed
    unknownClasses = .computed
    unknownContexts = .computed
    unknownNotifications = .computed
    usesAllModels = true
    usesAllViews = true
    changesDataObjects = true
    for name in shapes.keys { shapes[name]?.isOpen = true }
  }

  private func max(_ first: Unknown, _ second: Unknown) -> Unknown {
    first.rawValue < second.rawValue ? second : first
  }

  /// Whether a table of the library may have an entry that the script adds.
  func adds(_ name: String, to table: String) -> Bool {
    addedMembers.contains("\(table).\(name)") || addedMembers.contains("\(table).*")
  }

  /// Whether a name of some kind may be the value of an expression.
  func mayBe(_ name: String, _ unknown: Unknown) -> Bool {
    switch unknown {
    case .none: false
    case .passed: texts.contains(name)
    case .computed: true
    }
  }
}

extension SymbolTable {
  /// Records a global that the script defines on purpose.
  mutating func declareGlobal(_ name: String) {
    globals.insert(name)
    declaredGlobals.insert(name)
  }
}

extension SymbolTable.Unknown {
  /// Records an expression that gives a name.
  mutating func rise(to expression: LuaExpression) {
    switch expression.kind {
    case .name, .member, .index: if self == .none { self = .passed }
    default: self = .computed
    }
  }
}
