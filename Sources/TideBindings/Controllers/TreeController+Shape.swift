import TideGraph

extension TreeController {
  package static let treeShape = Shape(
    name: "controller.tree", properties: treeProperties, superclass: objectShape,
    swiftClasses: [ObjectIdentifier(TreeController.self)])

  private static let treeProperties: [PropertyDescription] = [
    leaving(PropertyDescription("content")),
    PropertyDescription("arrangedObjects", .list, isReadOnly: true),
    pathProperty("childrenPath", initial: .string("children")),
    pathProperty("countPath"), pathProperty("leafPath"),
    sortProperty,
    PropertyDescription("avoidsEmptySelection", .boolean, initial: .boolean(true)),
    PropertyDescription("preservesSelection", .boolean, initial: .boolean(true)),
    PropertyDescription("selectsInsertedObjects", .boolean, initial: .boolean(true)),
    PropertyDescription("holdsEditedRow", .boolean, initial: .boolean(true)),
    PropertyDescription("alwaysUsesMultipleValuesMarker", .boolean, initial: .boolean(false)),
    .derived(
      "selectionIndexPath", of: TreeController.self,
      get: { $0.selectionIndexPath.map(TreeController.value) ?? .null },
      set: { try $0.select(paths: $1 == .null ? [] : [$0.path(from: $1)]) }),
    .derived(
      "selectionIndexPaths", .list, of: TreeController.self,
      get: { .object(ValueList(try $0.foundIndexPaths().map(TreeController.value))) },
      set: { controller, value in
        try controller.select(paths: controller.list(value).map { try controller.path(from: $0) })
      }),
    .derived(
      "selectedObjects", .list, of: TreeController.self,
      get: { controller in controller.selectedObjectList.map { .object($0) } ?? .null },
      set: { try $0.select(objects: $0.list($1)) }),
    .derived(
      "selectedNodes", .list, of: TreeController.self,
      get: { controller in controller.selectedNodeList.map { .object($0) } ?? .null },
      set: { controller, value in
        try controller.select(
          controller.list(value).compactMap {
            if case .object(let node as TreeNode) = $0 { node } else { nil }
          })
      }),
    .derived("canInsert", .boolean, of: TreeController.self) { .boolean($0.mayAdd) },
    .derived("canAddChild", .boolean, of: TreeController.self) { .boolean($0.mayAddChild) },
    .derived("canInsertChild", .boolean, of: TreeController.self) { .boolean($0.mayAddChild) },
  ]

  private static var sortProperty: PropertyDescription {
    var description = PropertyDescription("sort")
    description.validate = { object, value in
      try Ordering.check(value, of: object)
      if case .object(let list as ValueList) = value { return .object(FrozenList(list.values)) }
      return value
    }
    return description
  }

  private static func pathProperty(
    _ name: String, initial: PropertyDescription.InitialValue = .null
  ) -> PropertyDescription {
    var description = PropertyDescription(name, .string, initial: initial, isNullable: true)
    description.validate = { object, value in
      if case .string(let text) = value { _ = try Path(text) }
      if let controller = object as? TreeController {
        controller.pathLocations[name] = BindingTable.of(controller.graph).hooks.currentLocation?()
      }
      return value
    }
    return description
  }

  /// A path for scripts, with numbers from 1.
  private static func value(_ path: [Int]) -> Value {
    .object(ValueList(path.map { .integer($0.number) }))
  }

  // MARK: Values from scripts

  fileprivate func list(_ value: Value) throws -> [Value] {
    switch value {
    case .null: return []
    case .object(let list as ValueList): return graph.untracked { list.values }
    default:
      throw TideError(.wrongType, "a list is expected, not \(value.typeAndPreview)")
    }
  }

  /// Reads a path from a script, with numbers from 1.
  fileprivate func path(from value: Value) throws -> [Int] {
    try list(value).map { step in
      guard case .integer(let index) = step else {
        throw TideError(
          .wrongType,
          "an index path is a list of whole numbers, as { 2, 1 }; found"
            + " \(step.typeAndPreview)")
      }
      return index.position
    }
  }
}
