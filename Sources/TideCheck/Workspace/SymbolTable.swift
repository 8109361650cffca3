import TideViews
import TideScript

/// What a script is for, as its text tells.
enum ScriptRole {
  /// An app's main script: it shows a view, or has the name that main scripts have.
  case main
  /// A module: it returns a table, a function or a class.
  case module
  case unknown
}

/// What the text of one script, or of all scripts of an app, declares and mentions.
struct SymbolTable {
  /// How much is known about the names of one kind that expressions give.
  enum Unknown: Int {
    /// All are literals.
    case none
    /// Some are passed on: they may be any text or key of the script.
    case passed
    /// Some are computed.
    case computed
  }

  struct Model {
    let name: String
    /// The offset of its name.
    let offset: Int
    /// Whether something uses the value of the declaration.
    var isTaken: Bool
    /// Whether it has an effect even if nothing mentions it.
    var isActive: Bool
    /// Whether it is declared whenever the script runs: in its own body, and without condition.
    var isCertain = false
  }

  /// A view class that the script defines.
  struct Component {
    var properties: LiteralShape
    var events: Set<String>
    var isOpen: Bool
  }

  var globals: Set<String> = []
  /// Those that the body of a script assigns, or that `_G` gets.
  var declaredGlobals: Set<String> = []
  /// Those that expressions read.
  var readGlobals: Set<String> = []
  /// Globals whose existence is tested: `if jit then`.
  var probed: Set<String> = []
  /// Whether globals are made that the text does not name.
  var makesGlobals = false
  /// Entries that the script adds to tables: `string.trim`; `string.*` where it does not name them.
  var addedMembers: Set<String> = []
  /// The values of global variables; nil if several statements assign to one.
  var globalValues: [String: LuaExpression?] = [:]
  /// Names that properties of objects may have, because the script contains them: keys, and strings
  /// of one word that are not paths.
  var writtenNames: Set<String> = []
  /// Those that are keys of tables.
  var writtenKeys: Set<String> = []
  /// What statements assign members of a name to.
  var assignedMembers: [String: [LuaExpression]] = [:]
  /// The properties that statements assign to, or that a binding written out may write to.
  var replacedNames: Set<String> = []
  /// The properties that a binding written out, or a reference, may write to.
  var boundNames: Set<String> = []
  /// The properties that are declared as objects of any kind: `property { type = "object" }`.
  var objectProperties: Set<String> = []
  /// The declarations of classes by name; nil if several share it.
  var classDeclarations: [String: LuaExpression?] = [:]
  /// The declarations of controllers, resources and the like by the names that paths use; nil if
  /// several share the name.
  var named: [String: LuaExpression?] = [:]
  /// The plain tables of the script's variables.
  var tables = LocalTables()
  /// The SQL that makes the tables of databases.
  var schema = SchemaTexts()
  /// Where transformers are declared, and ids given, with their names.
  var transformerPlaces: [(name: String, offset: Int)] = []
  var idPlaces: [(name: String, offset: Int)] = []
  /// The ids that scripts ask for: `views.title`.
  var mentionedIDs: Set<String> = []
  var usesAllViews = false
  /// Whether views get other data objects than they are made with.
  var changesDataObjects = false
  var models: [Model] = []
  var shapes: [String: LiteralShape] = [:]
  var unknownModels = Unknown.none
  /// Whether the script goes over all models.
  var usesAllModels = false
  var mentionedModels: Set<String> = []
  /// The classes of the views with an id; nil for a class that is not known.
  var ids: [String: Set<String?>] = [:]
  var unknownIDs = Unknown.none
  /// Whether each has a reverse.
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
  /// The names that styles are defined under.
  var styles: Set<String> = []
  var unknownStyles = Unknown.none
  /// The themes that scripts set by name: `app.theme = "night"`.
  var themes: Set<String> = []
  /// How often each word stands in the texts of the script.
  var words: [String: Int] = [:]
  /// The same for words without a dot before them, such as the first step of a path.
  var roots: [String: Int] = [:]
  /// Texts and keys that are one word.
  var texts: Set<String> = []
  /// Texts that tables hold, such as the titles of views. Those of specs are left out.
  var shownTexts: Set<String> = []
  var requires: [(name: String, offset: Int, call: LuaExpression)] = []
  /// What the names of modules begin with that calls of `require` compute: `require("pages." .. x)`.
  var computedRequires: Set<String> = []
  var requiresUnknown: Bool { !computedRequires.isEmpty }
  var role = ScriptRole.unknown
  /// Texts that may name a script.
  var files: Set<String> = []

  /// Adds the symbols of another script of the app.
  ///
  /// The role, required modules and named files are left out: they decide which scripts belong to
  /// the app.
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

  /// Accepts names that are not declared anywhere, because a script has a syntax error.
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

  /// Whether a name of a kind may be given by an expression.
  func mayBe(_ name: String, _ unknown: Unknown) -> Bool {
    switch unknown {
    case .none: false
    case .passed: texts.contains(name)
    case .computed: true
    }
  }
}

extension SymbolTable {
  /// Notes a global that the script makes on purpose.
  mutating func declareGlobal(_ name: String) {
    globals.insert(name)
    declaredGlobals.insert(name)
  }
}

extension SymbolTable.Unknown {
  /// Notes an expression that gives a name.
  mutating func rise(to expression: LuaExpression) {
    switch expression.kind {
    case .name, .member, .index: if self == .none { self = .passed }
    default: self = .computed
    }
  }
}
