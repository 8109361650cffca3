import TideGraph

extension ListController {
  package static let listShape = Shape(
    name: "controller.list", properties: listProperties, superclass: objectShape,
    swiftClasses: [ObjectIdentifier(ListController.self)])

  private static let listProperties: [PropertyDescription] =
    [
      leaving(PropertyDescription("content", .list, isNullable: true)),
      PropertyDescription("arrangedObjects", .list, isReadOnly: true),
      flag("avoidsEmptySelection"), flag("preservesSelection"), flag("selectsInsertedObjects"),
      flag("clearsFilterOnInsertion"), flag("holdsEditedRow"),
      PropertyDescription(
        "alwaysUsesMultipleValuesMarker", .boolean, initial: .boolean(false)),
      leaving(
        checked("filter") { controller, value in
          _ = try controller.passes(value)
          return value
        }),
      checked("sort") { controller, value in
        try Ordering.check(value, of: controller)
        // A frozen copy, because edits of the list would bypass the controller.
        if case .object(let list as ValueList) = value { return .object(FrozenList(list.values)) }
        return value
      },
      .derived("canInsert", .boolean, of: ListController.self) { .boolean($0.mayAdd) },
    ] + selectingProperties

  private static let selectingProperties: [PropertyDescription] = [
    .derived(
      "selectionIndex", .integer, of: ListController.self,
      get: { $0.selectedRows.first.map { .integer($0 + 1) } ?? .null },
      set: { try $0.select(indexes: $1 == .null ? [] : [$1]) },
      validate: { controller, value in
        try controller.commitBeforeSelecting() ? value : controller.value(of: "selectionIndex")
      }),
    .derived(
      "selectionIndexes", .list, of: ListController.self,
      get: { controller in
        guard let list = controller.selectionIndexList else { return .null }
        return .object(list)
      },
      set: { try $0.selectIndexes(in: $1) },
      validate: { controller, value in
        try controller.commitBeforeSelecting() ? value : controller.value(of: "selectionIndexes")
      }),
    .derived(
      "selectedObject", of: ListController.self,
      get: {
        $0.selectedRows.first.map { [arranged = $0.arranged] in arranged.storage[$0] } ?? .null
      },
      set: { try $0.select(objects: $1.isNil ? [] : [$1]) },
      validate: { controller, value in
        try controller.commitBeforeSelecting() ? value : controller.value(of: "selectedObject")
      }),
    settableSelectedObjects,
    .derived("canSelectNext", .boolean, of: ListController.self) { .boolean($0.mayStep(by: 1)) },
    .derived("canSelectPrevious", .boolean, of: ListController.self) {
      .boolean($0.mayStep(by: -1))
    },
  ]

  /// Like the property of an object controller, but writable.
  private static let settableSelectedObjects = PropertyDescription.derived(
    "selectedObjects", .list, of: ListController.self,
    get: { controller in
      guard let list = controller.selectedObjectList else { return .null }
      return .object(list)
    },
    set: { try $0.select(objects: $0.elements($1)) },
    validate: { controller, value in
      try controller.commitBeforeSelecting() ? value : controller.value(of: "selectedObjects")
    })

  private static func flag(_ name: String) -> PropertyDescription {
    PropertyDescription(name, .boolean, initial: .boolean(true))
  }

  private static func checked(
    _ name: String, _ check: @escaping @Sendable (ListController, Value) throws -> Value
  ) -> PropertyDescription {
    var description = PropertyDescription(name)
    description.validate = { object, value in
      guard let controller = object as? ListController else { return value }
      return try check(controller, value)
    }
    return description
  }

  /// The elements of a list; none for nil.
  func elements(_ value: Value) throws -> [Value] {
    switch value {
    case .null: return []
    case .object(let list as ValueList): return graph.untracked { list.values }
    default:
      throw TideError(.wrongType, "a list is expected, not \(value.typeAndPreview)")
    }
  }
}
