package import TideBindings
import TideGraph
import TideLua

/// The named declarations of scripts, and the classes behind them.
package final class Declarations {
  let models: ModelTable
  /// Classes of anonymous objects, by the names and types of their properties.
  var shapes: [String: ScriptClass] = [:]
  /// The classes of anonymous objects with fields that have become nullable.
  var widenedShapes: Set<ObjectIdentifier> = []
  /// The number of classes of anonymous objects that were made for persisted or received objects.
  var shapesFromElsewhere = 0
  /// Classes that prompts have declared, by name.
  var promptClasses: [String: ScriptClass] = [:]
  /// Methods that the host has defined for its classes.
  var swiftMethods: [ObjectIdentifier: [String: LuaFunction]] = [:]
  var methodWatches = MethodWatches()
  var orphanedClasses = OrphanedClasses()
  /// The shared models, by name.
  var sharedModels: [String: SharedModel] = [:]
  let sharingBudget: SharingBudget
  /// Where shared models are kept; nil for nowhere.
  var sharedKeeper: (any SharedKeeper)?
  /// Restores references to rows of shared models that have not been received yet.
  var restorer: KeptModelsReader?
  /// Locations of other runtimes that have written shared values.
  var foreignLocations = ForeignLocations()
  /// By name. They survive reloads.
  package var settingsControllers: [String: SettingsController] = [:]
  /// The quota for their files.
  let settingsVolume: SettingsVolume?
  /// Models that were named without fields so far.
  var unnamedModels: [String: (keyword: String, location: SourceLocation)] = [:]
  /// View classes that paths name and that are not declared yet.
  package var unknownClasses: [ClassArgument] = []
  /// Unknown names passed to `isa` that resembled no class.
  var acceptedClassNames: Set<String> = []

  init(_ graph: Graph, _ configuration: Runtime.Configuration) {
    models = ModelTable(graph)
    sharingBudget = SharingBudget(memory: configuration.lua.memory)
    settingsVolume = configuration.settingsFolder.map {
      SettingsVolume(folder: $0, bytes: configuration.limits.settings)
    }
  }
}

// Declarations of models and classes. New ones are created. Those of a previous version are updated
// in place, so that existing references see the change.

extension Runtime {
  /// Declares a class: creates it, or updates the one of the module's previous version.
  func declareClass(
    _ name: String, _ fields: LuaTable, _ base: ScriptClass?
  ) throws -> ScriptClass {
    let declaration = try ClassDeclaration(fields, in: self, isClass: true)
    guard let module = modules.module(of: context) else {
      let made = try makeClass(name, declaration, base)
      // Databases and settings hold its objects as those of a class of the main script.
      made.module = modules.main.name
      declarations.promptClasses[name] = made
      context.own { [declarations] in
        if declarations.promptClasses[name] === made { declarations.promptClasses[name] = nil }
      }
      tellOfClasses()
      return made
    }
    if let known = formerClass(name, on: base, in: module) {
      module.classes[name] = known
      let before = known.shape.declaration
      try redeclare(known, declaration)
      known.setInitializer(declaration.initializer, self)
      try refit(objects(of: known), from: before)
      return known
    }
    let made = try makeClass(name, declaration, base)
    module.classes[name] = made
    made.module = module.name
    tellOfClasses()
    return made
  }

  /// The classes of a name: those of modules, or else that of a prompt.
  func declaredClasses(named name: String) -> [ScriptClass] {
    let found = modules.all.compactMap { $0.classes[name] }
    return found.isEmpty ? [declarations.promptClasses[name]].compactMap(\.self) : found
  }

  /// The names of all classes that modules and prompts have declared, in an arbitrary order.
  var declaredClassNames: [String] {
    modules.all.flatMap(\.classes.keys) + declarations.promptClasses.keys
  }

  /// Notifies stores and settings, which may hold objects of a class that is now available.
  func tellOfClasses() {
    for controller in declarations.settingsControllers.values { controller.classesChanged() }
    for model in declarations.sharedModels.values { model.classesChanged() }
    configuration.stores?.classesChanged(in: self)
  }

  func makeClass(
    _ name: String, _ declaration: ClassDeclaration, _ base: ScriptClass?,
    isAnonymous: Bool = false
  ) throws -> ScriptClass {
    let inherited = base?.shape.propertiesByIndex.count ?? 0
    try charge(
      Shape.bytes(propertyCount: inherited + declaration.properties.count)
        + declaration.properties.textBytes)
    let shape = Shape(name: name, properties: declaration.properties, superclass: base?.shape)
    shape.companion = ClassRetirement(shape, home)
    let methods = try defineClass(shape)
    try fill(methods, with: declaration)
    return ScriptClass(
      name: name, shape: shape, superclass: base, methods: methods,
      initializer: declaration.initializer, isAnonymous: isAnonymous)
  }

  private func fill(_ methods: LuaTable, with declaration: ClassDeclaration) throws {
    for (name, function) in declaration.methods {
      try methods.rawSet(.string(name), .function(lua.method(function)))
    }
  }

  /// Declares a model: creates it, or updates the one of that name and keeps its values.
  func declareModel(_ name: String, _ fields: LuaTable) throws -> DataObject {
    if models.isFromHost(name) {
      throw TideError(.duplicate, "the host program has a model \"\(name)\" already")
    }
    try models.claim(name, for: modules.module(of: context), at: location, settles: letGo)
    let declaration = try ClassDeclaration(fields, in: self, isClass: false)
    let fingerprints = try fingerprints(of: fields)
    if let known = graph.untracked({ models.declared(name) }) {
      try redeclare(known, declaration, fingerprints)
      if models.isHidden(name) {
        models.put(known, as: name)
        keepUndo { [models] in models.hide(name) }
      }
      noteMember(known)
      resolveNames(bearing: name)
      return known
    }
    let scriptClass = try makeClass(name, declaration, nil)
    scriptClass.fingerprints = fingerprints
    let model = ScriptObject(scriptClass)
    noteMaking(of: model)
    model.modelName = name
    loader.rollback?.newModels.insert(ObjectIdentifier(model))
    models.put(model, as: name)
    keepUndo { [models] in models.put(nil, as: name) }
    noteMember(model)
    resolveNames(bearing: name)
    return model
  }

  /// A new main script may declare a model of a module that it no longer requires.
  private func letGo(_ other: Module, _ error: TideError) throws {
    guard let rollback = loader.rollback, rollback.hidesOldViews,
      !modules.reachable(from: "").contains(other.name)
    else { throw error }
    rollback.takenModels.append((other, error))
    rollback.keep { [models] in models.claimAgain(by: other) }
  }

  /// Updates a model. Values are kept unless the declared default has changed.
  private func redeclare(
    _ model: ScriptObject, _ declaration: ClassDeclaration, _ fingerprints: [String: Int]
  ) throws {
    let scriptClass = model.scriptClass
    let before = scriptClass.shape.declaration, known = scriptClass.fingerprints
    loader.rollback?.formerProperties[ObjectIdentifier(model)] = Set(
      scriptClass.shape.properties.map(\.name))
    try redeclare(scriptClass, declaration)
    scriptClass.fingerprints = fingerprints
    keepUndo { scriptClass.fingerprints = known }
    try refit([model], from: before)
    try graph.untracked {
      for (index, property) in scriptClass.shape.propertiesByIndex.enumerated()
      where !property.isRetired && property.derive == nil && before.has(index) {
        if known[property.name] == fingerprints[property.name],
          try keepValue(of: model, at: index)
        {
          loader.rollback?.kept += 1
        } else {
          try takeDefault(of: model, at: index)
          loader.rollback?.reset += 1
        }
      }
    }
  }

  private func takeDefault(of model: ScriptObject, at index: Int) throws {
    let property = model.shape.propertiesByIndex[index]
    if property.isReadOnly {
      // The journal does not record properties that scripts cannot write.
      let held = model.slot(index).load()
      keepUndo { _ = try? model.store(index, held, settling: true) }
    }
    _ = try model.store(index, property.initial.value, settling: true)
  }

  /// Keeps the value of a property that was declared again. Returns false if the value no longer
  /// fits.
  private func keepValue(of model: ScriptObject, at index: Int) throws -> Bool {
    let property = model.shape.propertiesByIndex[index], held = model.slot(index).load()
    if let feed = FeedList.make(from: property.initial.value),
      let former = FeedList.make(from: held)
    {
      // The function of the former feed has ended with its script.
      let wasFetching = former.isFetching
      try feed.succeed(former)
      // A fetch in progress ends with the old version.
      if wasFetching { loader.rollback?.onCommit { feed.fetchMore() } }
      _ = try model.store(index, .object(feed), settling: true)
      return true
    }
    let fitting: Value
    do {
      fitting = try property.converted(held)
    } catch {
      listMisfit(of: model, property, error)
      return false
    }
    _ = try model.store(index, fitting, settling: true)
    do {
      let admitted = try model.admitted(index, fitting)
      if admitted != fitting { _ = try model.store(index, admitted, settling: true) }
    } catch {
      listKeptData(TideError(keptValueOf: "\(model.label).\(property.name)", error))
    }
    return true
  }

  /// Lists that a property's value was replaced by its default.
  private func listMisfit(
    of object: ScriptObject, _ property: PropertyDescription, _ error: TideError
  ) {
    var error = error
    error.code = .conversion
    error.message += "; it holds \(property.initial.value.literal) now"
    listKeptData(TideError(keptValueOf: "\(object.label).\(property.name)", error))
  }

  // MARK: Updating in place

  /// Updates the properties and methods of a class.
  func redeclare(_ known: ScriptClass, _ declaration: ClassDeclaration) throws {
    if graph.isEvaluating, known.shape.isOther(declaring: declaration.properties) {
      throw TideError(
        .duplicate,
        "\(known.name) cannot get other properties while a value is being found: declare it outside "
          + "of computed values and transformers")
    }
    let before = known.shape.declaration
    let methods = try known.methods.entries()
    keepUndo { [unowned self] in
      known.shape.declaration = before
      try? nameProperties(of: known.shape)
      try? clear(known.methods)
      for (name, method) in methods { try? known.methods.rawSet(name, method) }
    }
    try charge(
      Shape.bytes(propertyCount: known.shape.propertiesByIndex.count + declaration.properties.count)
        + declaration.properties.textBytes)
    known.shape.redeclare(declaration.properties)
    (known.shape.companion as? ClassRetirement)?.weigh(known.shape)
    if known.shape.declaration.names != before.names { try nameProperties(of: known.shape) }
    try clear(known.methods)
    try fill(known.methods, with: declaration)
  }

  private func clear(_ methods: LuaTable) throws {
    for (name, _) in try methods.entries() { try methods.rawSet(name, .nil) }
  }

  private func nameProperties(of shape: Shape) throws {
    guard lua.isClassDefined(shape.number) else { return }
    try lua.redefineClass(shape.number, properties: shape.declaration.names)
  }

  /// All objects of a class.
  private func objects(of scriptClass: ScriptClass) -> [ScriptObject] {
    var found: [ScriptObject] = []
    graph.forEachBlock { block in
      if let object = block as? ScriptObject, object.shape === scriptClass.shape {
        found.append(object)
      }
    }
    return found
  }

  /// Updates objects whose class was declared again.
  private func refit(_ objects: [ScriptObject], from before: Shape.Declaration) throws {
    var moved: [ScriptObject] = []
    for object in objects where object.valueCount < object.shape.propertiesByIndex.count {
      let old = object.header
      graph.relocate(object, valueCount: object.shape.propertiesByIndex.count)
      lua.moved(old, to: object.header)
      moved.append(object)
    }
    if !moved.isEmpty { graph.followRelocations(of: moved) }
    var misfits: Set<Int> = []
    for object in objects { try refit(object, from: before, &misfits) }
  }

  /// - Parameter misfits: indexes of properties whose values are already reported as unfit.
  private func refit(
    _ object: ScriptObject, from before: Shape.Declaration, _ misfits: inout Set<Int>
  ) throws {
    for (index, property) in object.shape.propertiesByIndex.enumerated() {
      let slot = object.slot(index)
      if property.isRetired {
        if before.has(index) {
          loader.rollback?.onCommit { [self] in empty(slot, of: object, index) }
        }
        continue
      }
      guard before.has(index) else {
        // A rejected version may have left a value there.
        graph.renew(slot)
        object.admit(property, at: slot)
        object.begin(property, at: slot)
        continue
      }
      object.admit(property, at: slot)
      guard let derive = property.derive else {
        if !before.admits(index, as: property) { try fit(object, index, &misfits) }
        continue
      }
      let known = graph.body(of: slot) as? ScriptComputed
      guard let known, let new = derive(object) as? ScriptComputed else { continue }
      let function = known.function
      known.function = new.function
      loader.rollback?.note(graph.invalidate(slot))
      keepUndo { [unowned self] in
        known.function = function
        loader.rollback?.note(graph.invalidate(slot))
      }
    }
    // The object may be released by then, since the new version may have dropped the last
    // reference.
    keepUndo { [weak object] in
      guard let object else { return }
      for (index, property) in object.shape.propertiesByIndex.enumerated() where !property.isRetired
      {
        object.admit(property, at: object.slot(index))
      }
    }
  }

  /// Converts an object's value to a property that was declared again. The values of models are
  /// converted elsewhere. Of several objects with unfit values, only the first is reported.
  private func fit(_ object: ScriptObject, _ index: Int, _ misfits: inout Set<Int>) throws {
    if object.modelName != nil { return }
    let property = object.shape.propertiesByIndex[index]
    let held = graph.untracked { object.slot(index).load() }
    do {
      let fitting = try property.converted(held)
      if fitting != held { _ = try object.store(index, fitting, settling: true) }
    } catch let error as TideError {
      if misfits.insert(index).inserted { listMisfit(of: object, property, error) }
      try takeDefault(of: object, at: index)
    }
  }

  /// Clears the slot of a removed property. Bindings that used it have failed.
  private func empty(_ slot: Slot, of object: ScriptObject, _ index: Int) {
    table.failBindings(
      of: object, index: index, object.unknownProperty(object.shape.propertiesByIndex[index].name))
    graph.write(slot, .null)
  }
}

extension ScriptClass {
  fileprivate func setInitializer(_ function: LuaFunction?, _ runtime: Runtime) {
    let before = initializer
    initializer = function
    runtime.keepUndo { [self] in initializer = before }
  }
}

extension TideError {
  /// The error for a kept value that does not fit the new declaration of its property.
  fileprivate init(keptValueOf path: String, _ error: any Error) {
    let cause = error as? TideError
    self.init(
      cause?.code ?? .refused, "the value kept for \(path): \(cause?.message ?? "\(error)")",
      location: cause?.location, path: path)
  }
}
