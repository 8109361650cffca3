public import TideGraph

/// Stands between one model and views. The content may be replaced by another model at any time.
///
/// ```swift
/// let editor = ObjectController(person)
/// try context.bind("selection.name <> text", editor, field)
/// editor.beginEditing()                 // holds back what is written through the selection
/// try editor.selection.assign("age", -5)
/// try editor.commitEditing()            // throws if the model refuses, and continues the edit
/// editor.discardEditing()
/// ```
///
/// Scripts see the properties `content`, `selection`, `selectedObjects`, `editedObject`, `canAdd`,
/// `canRemove`, `editable` and `isEditing`, and so do bindings.
public class ObjectController: Controller {
  /// Makes the objects that `add()` adds.
  public final var makeNewObject: (() throws -> Value)?
  /// The writes through the selection since `beginEditing`, by path; nil unless editing has begun.
  private final var heldEdits: [[PathStep]: Value]?
  /// The objects that those edits are for.
  private final var editedObjects: [Value] = []

  package static let objectShape = Shape(
    name: "controller.object", properties: contentProperties + selectionProperties,
    superclass: controllerShape, swiftClasses: [ObjectIdentifier(ObjectController.self)])

  private static let contentProperties: [PropertyDescription] = [
    leaving(PropertyDescription("content")), objectClassProperty,
  ]

  /// The script class of the objects, or a function that makes them. Plain tables that scripts add
  /// become objects of the class.
  private static var objectClassProperty: PropertyDescription {
    var description = PropertyDescription("objectClass")
    description.validate = { controller, value in
      if value == .null || BindingTable.of(controller.graph).maker(value) != nil { return value }
      throw TideError(
        .badArgument,
        "objectClass is a class or a function that gives a new object, not \(value.typeAndPreview)")
    }
    return description
  }

  static let selectionProperties: [PropertyDescription] = [
    PropertyDescription("selection", .object, isReadOnly: true),
    PropertyDescription("selectedObjects", .list, isReadOnly: true),
    .derived("editedObject", of: ObjectController.self) { $0.editedObject ?? .null },
    .derived("canAdd", .boolean, of: ObjectController.self) { .boolean($0.mayAdd) },
    .derived("canRemove", .boolean, of: ObjectController.self) { .boolean($0.mayRemove) },
  ]

  /// Makes a controller of an object; nil for none yet.
  public convenience init(_ content: DataObject? = nil) {
    self.init(shape: Self.objectShape)
    if let content { put("content", .object(content)) }
  }

  override package init(shape: Shape) {
    super.init(shape: shape)
    put("selection", .object(SelectionProxy(of: self)))
    let handle = ObjectHandle(self)
    // Subclasses with a writable selection derive this property.
    if shape.index(of: "selectedObjects").map({ shape.propertiesByIndex[$0].derive != nil }) == true
    {
      return
    }
    put(
      "selectedObjects",
      .object(ComputedList { (handle.object as? ObjectController)?.selectedValues ?? [] }))
  }

  // MARK: Content

  /// The content: a model, or the list of a list controller.
  public final var contentValue: Value {
    get { self["content"] }
    set { put("content", newValue) }
  }

  /// The proxy for the properties of the selected objects.
  public final var selection: SelectionProxy {
    if case .object(let proxy as SelectionProxy) = self["selection"] { return proxy }
    return SelectionProxy(of: self)
  }

  /// The selected objects. The read is recorded.
  public final var selectedObjects: [Value] { selectedValues }

  /// Whether a new object can be made as content.
  public final var canAdd: Bool { self["canAdd"] == true }
  /// Whether there is content to remove.
  public final var canRemove: Bool { self["canRemove"] == true }

  /// The selected objects, with recorded reads. In this class it is the content, if there is any.
  package var selectedValues: [Value] {
    let content = contentValue
    return content.isNil || content.selectionMarker != nil ? [] : [content]
  }

  /// Calls a function with each selected object until it returns false. The reads are recorded.
  package func visitSelected(_ visit: (Value) throws -> Bool) rethrows {
    for value in selectedValues { guard try visit(value) else { return } }
  }

  /// Whether any object that could be selected satisfies a predicate. Reads are not recorded.
  func hasObject(_ matches: (Value) -> Bool) -> Bool { selectedValues.contains(where: matches) }

  /// Whether several selected objects always show the marker, even if they share a value.
  var prefersMarker: Bool { false }

  var mayAdd: Bool { isEditable }
  var mayRemove: Bool { isEditable && !selectedValues.isEmpty }

  /// The `objectClass` that a script has set; nil for none.
  package final var objectClass: AnyObject? {
    guard case .object(let object) = graph.untracked({ self["objectClass"] }) else { return nil }
    return object
  }

  /// Makes an object as `add()` does, without adding it.
  ///
  /// - Throws: `badArgument` if the controller cannot make an object, and the error of the function
  ///   that makes it.
  public final func newObject() throws -> Value {
    if let objectClass, let make = BindingTable.of(graph).maker(.object(objectClass)) {
      return try make()
    }
    if let makeNewObject { return try makeNewObject() }
    throw TideError(
      .badArgument,
      "this controller cannot make an object by itself; give it one, or set newObject or objectClass"
    )
  }

  /// Makes an object and sets it as the content.
  ///
  /// - Throws: `badArgument` if the controller cannot make an object, and as `add(_:)` does.
  @discardableResult
  public func add() throws -> Value {
    let object = try newObject()
    try add(object)
    return object
  }

  /// Sets an object as the content, after committing pending edits.
  ///
  /// - Throws: `readOnly` when the controller cannot be edited, and the error of a pending edit
  ///   that the model refuses.
  public func add(_ object: Value) throws {
    try checkEditable()
    try commitEditing()
    try set("content", object)
  }

  /// Removes the content, and discards pending edits.
  ///
  /// - Throws: `readOnly` when the controller cannot be edited.
  public func removeSelection() throws {
    try checkEditable()
    BindingTable.of(graph).editedRecords?.willRemove(graph.untracked { selectedValues })
    discardEditing()
    try set("content", .null)
  }

  /// Removes an object if it is the content. Returns false if it is not.
  ///
  /// - Throws: `readOnly` when the controller cannot be edited.
  @discardableResult
  public func remove(_ object: Value) throws -> Bool {
    guard graph.untracked({ contentValue }) == object else { return false }
    try removeSelection()
    return true
  }

  // MARK: Holding edits back

  /// Holds back writes through the selection until they are committed or discarded. Reads through
  /// the selection return the held values.
  ///
  /// The edits belong to the objects that are selected now. They are dropped if other objects are
  /// selected because these are gone.
  public final func beginEditing() {
    if heldEdits != nil { return }
    heldEdits = [:]
    editedObjects = graph.untracked { selectedValues }
    editorsChanged()
  }

  override final var isEdited: Bool {
    var isAny = false
    visitSelected { _ in
      isAny = true
      return false
    }
    return isAny
  }

  override final var holdsOwnEdits: Bool { heldEdits != nil }

  /// The value that is held back for a path; nil for none. The read is recorded.
  final func heldEdit(at steps: ArraySlice<PathStep>) -> Value? {
    Graph.trackRead(of: slot(.edits))
    guard let heldEdits, !heldEdits.isEmpty, let value = heldEdits[Array(steps)],
      selectedValues == editedObjects
    else { return nil }
    return value
  }

  final func hold(_ value: Value, at steps: [PathStep]) {
    let selected = graph.untracked { selectedValues }
    if selected != editedObjects {
      heldEdits = [:]
      editedObjects = selected
    }
    heldEdits?[steps] = value
    bump(.edits)
  }

  override func takeSelection(of former: Controller) -> Bool {
    takeRecordEdits(of: former)
    takeHeldEdits(of: former)
    return true
  }

  /// Takes over the held edits of a former controller with the same selection.
  final func takeHeldEdits(of former: Controller) {
    guard let former = former as? ObjectController, former.heldEdits != nil,
      former.editedObjects == selectedValues
    else { return }
    heldEdits = former.heldEdits
    editedObjects = former.editedObjects
    editorsChanged()
    bump(.edits)
  }

  override final func commitOwnEdits() throws {
    guard let edits = heldEdits else { return }
    guard graph.untracked({ selectedValues }) == editedObjects else { return discardOwnEdits() }
    heldEdits = nil
    let proxy = graph.untracked { selection }
    do {
      // All values are validated before any is written.
      for (steps, value) in edits { _ = try proxy.admitThrough(steps, value) }
      try graph.batch {
        for (steps, value) in edits {
          try proxy.writeThrough(steps, proxy.admitThrough(steps, value))
        }
      }
    } catch {
      heldEdits = edits
      throw error
    }
    editedObjects = []
    bump(.edits)
  }

  override final func discardOwnEdits() {
    if heldEdits == nil { return }
    heldEdits = nil
    editedObjects = []
    bump(.edits)
  }
}
