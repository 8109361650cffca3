import TideBindings
import TideGraph

/// Merges the shapes of the plain tables in an array: a field that some rows lack is nil in them.
struct SharedShape {
  private var first: ScriptClass?
  /// Whether all rows so far have the same shape, as in most arrays.
  private(set) var isUniform = true
  /// The rows that were made from plain tables.
  private(set) var rows: [Int] = []

  mutating func add(_ object: DataObject, at row: Int) {
    guard let object = object as? ScriptObject, object.scriptClass.isAnonymous else { return }
    rows.append(row)
    if first == nil { first = object.scriptClass }
    if first !== object.scriptClass { isUniform = false }
  }

  /// Merges the properties of several shapes. A property with conflicting types becomes `any`.
  static func merged(_ shapes: [Shape]) -> [PropertyDescription] {
    var merged: [String: PropertyDescription] = [:]
    var counts: [String: Int] = [:]
    for property in shapes.flatMap(\.propertiesByIndex) where !property.isRetired {
      counts[property.name, default: 0] += 1
      guard var known = merged[property.name] else {
        merged[property.name] = property
        continue
      }
      known.isNullable = known.isNullable || property.isNullable
      if known.type != property.type { known.type = .any }
      merged[property.name] = known
    }
    return merged.values.sorted { $0.name < $1.name }.map { property in
      var property = property
      if counts[property.name] != shapes.count { property.isNullable = true }
      property.initial = .null
      return property
    }
  }
}

extension Runtime {
  /// Makes rows again in their merged shape. Rows with functions or declared properties keep their
  /// own.
  func share(_ shared: SharedShape, in rows: [Value]) throws -> [Value] {
    var classes: [ObjectIdentifier: (found: ScriptClass, isPlain: Bool)] = [:]
    var objects: [(row: Int, object: ScriptObject)] = []
    for row in shared.rows {
      guard case .object(let object as ScriptObject) = rows[row] else { continue }
      let found = object.scriptClass
      let isPlain = classes[ObjectIdentifier(found)]?.isPlain ?? isOnlyFields(found)
      classes[ObjectIdentifier(found)] = (found, isPlain)
      if isPlain { objects.append((row, object)) }
    }
    let shapes = classes.values.filter(\.isPlain).map(\.found.shape)
    if shapes.count < 2 { return rows }
    var declaration = ClassDeclaration()
    declaration.properties = SharedShape.merged(shapes)
    let common = try anonymousClass(declaration, declaration.signature)
    var rows = rows
    for (row, object) in objects where object.scriptClass !== common {
      try charge(Self.size(properties: declaration.properties.count))
      let made = ScriptObject(common)
      noteMaking(of: made)
      for (index, property) in object.shape.propertiesByIndex.enumerated() {
        guard let place = common.shape.index(of: property.name) else { continue }
        _ = try made.store(place, object.ownSlot(index).load(), settling: false)
      }
      noteMember(made)
      rows[row] = .object(made)
    }
    return rows
  }

  /// Whether a property may be nil. A field of plain tables may be from now on, since rows of one
  /// kind may lack it.
  func letsBeNil(_ index: Int, of found: ScriptClass) throws -> Bool {
    if found.shape.propertiesByIndex[index].isNullable { return true }
    guard found.isAnonymous, isOnlyFields(found) else { return false }
    var declaration = ClassDeclaration()
    declaration.properties = found.shape.propertiesByIndex
    declaration.properties[index].isNullable = true
    try redeclare(found, declaration)
    declarations.widenedShapes.insert(ObjectIdentifier(found))
    return true
  }

  /// Whether objects of a class have only fields with values.
  private func isOnlyFields(_ found: ScriptClass) -> Bool {
    if declarations.widenedShapes.contains(ObjectIdentifier(found)) { return true }
    var declaration = ClassDeclaration()
    declaration.properties = found.shape.propertiesByIndex
    return declaration.signature.map { declarations.shapes[$0] === found } ?? false
  }
}

extension Runtime {
  /// The class of anonymous objects with these fields. Functions make a class unique.
  func anonymousClass(
    _ declaration: ClassDeclaration, _ signature: String?
  ) throws -> ScriptClass {
    guard let signature else {
      return try makeClass("object", declaration, nil, isAnonymous: true)
    }
    if let shared = declarations.shapes[signature],
      shared.shape.propertiesByIndex.count == declaration.properties.count
    {
      return shared
    }
    try charge(signature.utf8.count)
    let made = try makeClass("object", declaration.withoutValues, nil, isAnonymous: true)
    declarations.shapes[signature] = made
    return made
  }
}
