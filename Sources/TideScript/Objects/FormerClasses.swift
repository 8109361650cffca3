import TideBindings
import TideLua

/// Classes that no module declares any more. While objects of them exist, a later declaration of
/// the name adopts them.
struct OrphanedClasses {
  private var entries: [OrphanedClass] = []

  func first(where matches: (ScriptClass) -> Bool) -> ScriptClass? {
    entries.lazy.compactMap(\.scriptClass).first(where: matches)
  }

  mutating func add(_ scriptClass: ScriptClass) {
    entries.removeAll { $0.scriptClass == nil }
    entries.append(OrphanedClass(scriptClass))
  }

  mutating func remove(_ scriptClass: ScriptClass) {
    entries.removeAll { $0.scriptClass === scriptClass }
  }
}

/// A class that no module declares any more.
package struct OrphanedClass {
  fileprivate private(set) weak var scriptClass: ScriptClass?

  fileprivate init(_ scriptClass: ScriptClass) { self.scriptClass = scriptClass }
}

extension Runtime {
  /// The existing class that a declaration updates. That is the class of the module's previous
  /// version; or else a class of another module that the reload removes, or whose new text no
  /// longer declares it; or else an orphaned class.
  func formerClass(_ name: String, on base: ScriptClass?, in module: Module) -> ScriptClass? {
    func isFree(_ known: ScriptClass) -> Bool {
      known.superclass === base
        && loader.rollback?.movedClasses.contains(ObjectIdentifier(known)) != true
    }
    if let known = module.formerClasses.removeValue(forKey: name), isFree(known) { return known }
    let orphan = declarations.orphanedClasses.first { $0.name == name && isFree($0) }
    guard let known = classOfOtherModule(name, than: module, where: isFree) ?? orphan else {
      return nil
    }
    if known === orphan {
      declarations.orphanedClasses.remove(known)
      keepUndo { [declarations] in declarations.orphanedClasses.add(known) }
    }
    loader.rollback?.movedClasses.insert(ObjectIdentifier(known))
    let home = known.module
    known.module = module.name
    keepUndo { known.module = home }
    tellOfClasses()
    return known
  }

  /// A class of another module that the version being loaded no longer declares there.
  private func classOfOtherModule(
    _ name: String, than module: Module, where isFree: (ScriptClass) -> Bool
  ) -> ScriptClass? {
    guard let rollback = loader.rollback else { return nil }
    // Modules that the reload runs again, and then those that it does not touch.
    let others = rollback.leaving + modules.all.filter { $0.former == nil }
    for other in others where other.name != module.name {
      guard let known = other.classes[name], isFree(known) else { continue }
      let successor = modules[other.name]
      let isUntouched = successor === other
      if !isUntouched, let successor, successor.formerClasses[name] !== known { continue }
      if departs(other.name, rollback) || (!isUntouched && !declares(class: name, in: other)) {
        return known
      }
    }
    return nil
  }

  /// Whether the old version of the app requires a module, and the one being loaded does not, judging
  /// by the texts of scripts that have not run to their end.
  private func departs(_ name: String, _ rollback: Rollback) -> Bool {
    // Only a new version of the main script removes modules.
    guard rollback.former[""] != nil,
      Self.reaches(name, { (rollback.former[$0] ?? self.modules[$0])?.required ?? [] })
    else { return false }
    let names = Set(modules.all.map(\.name)).union(rollback.former.keys)
    return !Self.reaches(name) { each in
      if let module = modules[each] {
        if !module.isMain && !module.isLoading { return module.required }
        let text = module.text ?? ""
        return module.required.union(names.filter { ScriptFile.requires($0, in: text) })
      }
      guard let former = rollback.former[each] else { return [] }
      guard !former.isGiven, let text = try? ScriptFile.read(former.path) else {
        return former.required
      }
      return names.filter { ScriptFile.requires($0, in: text) }
    }
  }

  /// Whether the main script requires a module, directly or indirectly.
  private static func reaches(_ name: String, _ required: (String) -> Set<String>) -> Bool {
    var found: Set<String> = []
    var work = [""]
    while let next = work.popLast() {
      if next == name { return true }
      if found.insert(next).inserted { work += required(next) }
    }
    return false
  }

  // MARK: Orphans

  /// Records the classes of ended modules that no module declares any more.
  package func orphanClasses(of ended: [Module]) -> [OrphanedClass] {
    let declared = Set(modules.all.flatMap { $0.classes.values.map(ObjectIdentifier.init) })
    var found: [OrphanedClass] = []
    for module in ended {
      for (_, known) in module.classes.sorted(by: { $0.key < $1.key })
      where !declared.contains(ObjectIdentifier(known)) {
        declarations.orphanedClasses.add(known)
        found.append(OrphanedClass(known))
      }
      // What an ended module has returned must not keep objects of its classes.
      module.value = .nil
    }
    return found
  }

  /// The number of objects of each class, without classes that have none.
  package func objects(of orphaned: [OrphanedClass]) -> [(className: String, count: Int)] {
    if orphaned.isEmpty { return [] }
    // Objects that scripts no longer refer to do not count.
    lua.collectGarbage()
    var counts: [ObjectIdentifier: Int] = [:]
    let classes = orphaned.compactMap(\.scriptClass)
    for known in classes { counts[ObjectIdentifier(known.shape)] = 0 }
    if classes.isEmpty { return [] }
    graph.forEachBlock { block in
      if let object = block as? ScriptObject { counts[ObjectIdentifier(object.shape)]? += 1 }
    }
    return classes.compactMap { known in
      guard let count = counts[ObjectIdentifier(known.shape)], count > 0 else { return nil }
      return (known.name, count)
    }
  }
}
