public import TideGraph

/// Stands between one model and views: its content may be another model any time.
///
/// ```swift
/// let editor = ObjectController(person)
/// try context.bind("selection.name <> text", editor, field)
/// editor.beginEditing()                 // holds back what is written through the selection
/// try editor.selection.assign("age", -5)
/// try editor.commitEditing()            // throws what the model refuses, and goes on editing
/// editor.discardEditing()
/// ```
///
/// Scripts see the properties `content`, `selection`, `selectedObjects`, `editedObject`, `canAdd`,
/// `canRemove`, `editable` and `isEditing`, and so do bindings.
public class ObjectController: Controller {
  /// Makes what `add` adds.
  public final var makeNewObject: (() throws -> Value)?
  /// What was written through the selection since `beginEditing`, by path; nil when nobody began.
  private final var heldEdits: [[PathStep]: Value]?
  /// The objects that those edits are for.
  private final var editedObjects: [Value] = []

  package static let objectShape = Shape(
    name: "controller.object", properties: contentProperties + selectionProperties,
    superclass: controllerShape, swiftClasses: [ObjectIdentifier(ObjectController.self)])

  private static let contentProperties: [PropertyDescription] = [
    leaving(PropertyDescription("content")), objectClassProperty,
  ]

  /// The script's class that its objects are of, or a function that makes them; what scripts add as
  /// plain tables become objects of the class.
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
    // Subclasses whose selection may be written derive it.
    if shape.index(of: "selectedObjects").map({ shape.propertiesByIndex[$0].derive != nil }) == true
    {
      return
    }
    put(
      "selectedObjects",
      .object(ComputedList { (handle.object as? ObjectController)?.selectedValues ?? [] }))
  }

  // MARK: Content

  /// What the controller stands before; of a list controller the list.
  public final var contentValue: Value {
    get { self["content"] }
    set { put("content", newValue) }
  }

  /// The selected objects' properties.
  public final var selection: SelectionProxy {
    if case .object(let proxy as SelectionProxy) = self["selection"] { return proxy }
    return SelectionProxy(of: self)
  }

  /// What is selected; reading it is recorded.
  public final var selectedObjects: [Value] { selectedValues }

  /// Whether a new object can be made as content.
  public final var canAdd: Bool { self["canAdd"] == true }
  /// Whether there is content to take out.
  public final var canRemove: Bool { self["canRemove"] == true }

  /// What is selected, recorded: of this class the content, if there is any.
  package var selectedValues: [Value] {
    let content = contentValue
    return content.isNil || content.selectionMarker != nil ? [] : [content]
  }

  /// Calls a function with one selected object after the other, until it gives false; recorded.
  package func visitSelected(_ visit: (Value) throws -> Bool) rethrows {
    for value in selectedValues { guard try visit(value) else { return } }
  }

  /// Whether there is one among all objects that could be selected. Not recorded.
  func hasObject(_ matches: (Value) -> Bool) -> Bool { selectedValues.contains(where: matches) }

  /// Whether several selected objects never show a value that they share.
  var prefersMarker: Bool { false }

  var mayAdd: Bool { isEditable }
  var mayRemove: Bool { isEditable && !selectedValues.isEmpty }

  /// What scripts have said that its objects are of; nil where they have not.
  package final var objectClass: AnyObject? {
    guard case .object(let object) = graph.untracked({ self["objectClass"] }) else { return nil }
    return object
  }

  /// Makes an object as `add()` does, and adds it nowhere.
  ///
  /// - Throws: `badArgument` when nothing says how to make an object, and what the function does
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

  /// Makes an object and makes it the content.
  ///
  /// - Throws: `badArgument` when nothing says how to make an object, and as `add(_:)` does.
  @discardableResult
  public func add() throws -> Value {
    let object = try newObject()
    try add(object)
    return object
  }

  /// Makes an object the content, after what is being edited has been committed.
  ///
  /// - Throws: `readOnly` when the controller cannot be edited, and the error of a pending edit
  ///   that the model refuses.
  public func add(_ object: Value) throws {
    try checkEditable()
    try commitEditing()
    try set("content", object)
  }

  /// Lets the content go; what was being edited is dropped.
  ///
  /// - Throws: `readOnly` when the controller cannot be edited.
  public func removeSelection() throws {
    try checkEditable()
    BindingTable.of(graph).editedRecords?.willRemove(graph.untracked { selectedValues })
    discardEditing()
    try set("content", .null)
  }

  /// Lets an object go if it is the content; false when it is not.
  ///
  /// - Throws: `readOnly` when the controller cannot be edited.
  @discardableResult
  public func remove(_ object: Value) throws -> Bool {
    guard graph.untracked({ contentValue }) == object else { return false }
    try removeSelection()
    return true
  }

  // MARK: Holding edits back

  /// From now on holds back what is written through the selection, until it is committed or
  /// discarded. Reading through the selection gives what was written.
  ///
  /// The edits are for what is selected now: they are dropped when something else is selected
  /// because these objects are gone.
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

  /// What was written at a path and is held back, recorded.
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

  /// Holds the edits that another controller holds, where the same is selected.
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
      // All are judged before any is written.
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
