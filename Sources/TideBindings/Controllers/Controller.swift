import TideGraph

/// Stands between models and views: what all controllers have in common, which is editing.
///
/// ```swift
/// do { try controller.commitEditing() } catch { show(error) }     // still editing
/// controller.discardEditing()
/// ```
///
/// A binding through a controller's `selection` that waits for the end of typing, or that carried
/// what the model refused, is an editor of that controller; others register with
/// `objectDidBeginEditing`. Properties are those that scripts see, of the same names: `editable`
/// and `isEditing`.
///
/// As any ``DataObject``, it is used on the actor or thread whose graph it has joined.
public class Controller: DataObject {
  /// Each with its number, which tells the order in which they came.
  private var editors: [ObjectIdentifier: (number: Int, editor: any Editor)] = [:]
  private var editorCount = 0

  package static let controllerShape = Shape(
    name: "controller",
    properties: [
      PropertyDescription(
        "editable", .boolean, initial: .boolean(true)),
      PropertyDescription("isEditing", .boolean, initial: .boolean(false), isReadOnly: true),
    ], swiftClasses: [ObjectIdentifier(Controller.self)], hiddenSlots: hiddenCount)

  /// Slots without a name, by their index after the properties.
  enum Hidden: Int, CaseIterable {
    /// Grows with every change of what is selected.
    case state
    /// Grows when somebody selects.
    case command
    /// Grows when the content is to be arranged anew.
    case arrangement
    /// Grows with every edit that is held back.
    case edits
    /// Grows when a person begins or ends to edit a record.
    case edited
  }

  private static var hiddenCount: Int { Hidden.allCases.count }

  override package init(shape: Shape) {
    super.init(shape: shape)
    for hidden in Hidden.allCases { _ = slot(hidden).store(.integer(0)) }
  }

  final func slot(_ hidden: Hidden) -> Slot { slot(shape.properties.count + hidden.rawValue) }

  /// Says that what a hidden slot stands for has changed, and settles.
  final func bump(_ hidden: Hidden) {
    let slot = slot(hidden)
    if Int.store(Int.load(slot) &+ 1, in: slot) {
      graph.noteEvent(at: slot)
      slot.noteChange()
    }
  }

  /// Whether the controller lets its content be changed; true unless set.
  public final var isEditable: Bool {
    get { self["editable"] == true }
    set { put("editable", .boolean(newValue)) }
  }

  /// Whether somebody holds an edit that the model does not have yet.
  public final var isEditing: Bool { self["isEditing"] == true }

  // MARK: Editing

  /// Registers an editor; harmless when it is registered.
  public final func objectDidBeginEditing(_ editor: any Editor) {
    if editors[ObjectIdentifier(editor)] != nil { return }
    editorCount += 1
    editors[ObjectIdentifier(editor)] = (editorCount, editor)
    editorsChanged()
  }

  /// Forgets an editor; harmless when it is not registered.
  public final func objectDidEndEditing(_ editor: any Editor) {
    if editors.removeValue(forKey: ObjectIdentifier(editor)) != nil { editorsChanged() }
  }

  /// Which of the editors one is, in the order in which they came.
  final func number(of editor: any Editor) -> Int? { editors[ObjectIdentifier(editor)]?.number }

  private var editorsInOrder: [any Editor] {
    editors.values.sorted { $0.number < $1.number }.map(\.editor)
  }

  /// Forgets the editors that stand for an object.
  package final func endEditing(where isOfObject: (any Editor) -> Bool) {
    for editor in editorsInOrder where isOfObject(editor) { objectDidEndEditing(editor) }
  }

  /// Writes every edit to the model.
  ///
  /// - Throws: the error of the first edit that the model refuses, such as `refused` or
  ///   `conversion`. That edit is left as it was, and the controller is still editing.
  public final func commitEditing() throws {
    try commitEdits()
    endRecordEdits()
  }

  /// The same, while the rows of the records that are being edited stay where they are.
  final func commitEdits() throws {
    for editor in editorsInOrder {
      do {
        try editor.commitEditing()
      } catch {
        let shown = editor as? any RefusalShowing
        if shown?.isOfAnother == true { continue }
        shown?.showRefusal()
        throw error
      }
      objectDidEndEditing(editor)
    }
    try commitOwnEdits()
    editorsChanged()
  }

  /// Commits what has been typed, as far as the model takes it, because the objects that it was
  /// typed for are about to be left for others.
  final func commitTyping() {
    guard graph.untracked({ isEditing }) else { return }
    for editor in editorsInOrder where (try? editor.commitEditing()) != nil {
      objectDidEndEditing(editor)
    }
  }

  /// A property whose change leaves the objects that are selected.
  static func leaving(_ description: PropertyDescription) -> PropertyDescription {
    var description = description
    let (name, validate) = (description.name, description.validate)
    description.validate = { object, value in
      let value = try validate?(object, value) ?? value
      if let controller = object as? Controller,
        controller.graph.untracked({ controller[name] }) != value
      {
        controller.commitTyping()
      }
      return value
    }
    return description
  }

  /// Drops every edit; the fields show again what the model has.
  public final func discardEditing() {
    for editor in editorsInOrder {
      editor.discardEditing()
      objectDidEndEditing(editor)
    }
    discardOwnEdits()
    editorsChanged()
    endRecordEdits()
  }

  /// Whether there is anything that an edit could be of.
  var isEdited: Bool { true }

  /// Selects and holds what the controller does that this one takes the place of, nothing of which
  /// is committed; false while its rows are not there yet.
  func takeSelection(of former: Controller) -> Bool { true }

  /// What selects again what is selected now, after rows have come and gone that are as before.
  func selectionKeeper() -> () -> Void { {} }

  /// Commits what the controller itself holds back.
  func commitOwnEdits() throws {}
  func discardOwnEdits() {}
  var holdsOwnEdits: Bool { false }

  final func editorsChanged() { put("isEditing", .boolean(!editors.isEmpty || holdsOwnEdits)) }

  /// Is editing as the one that it takes the place of, whose editors are about to come.
  final func expectEditors(of former: Controller) {
    if former.isEditing && !isEditing { put("isEditing", .boolean(true)) }
  }

  /// Keeps what is selected up to date, wave by wave, whether anybody looks at it or not: what is
  /// selected next must not depend on that.
  final func followState() {
    let state = slot(.state)
    graph.untracked { graph.refreshListing(state) }
    let observer = ObserverFunction { _, _ in }
    let slot = graph.makeObserver(of: state, observer)
    // With the state's slot goes what follows it.
    observer.onEnd = { [unowned(unsafe) graph] in graph.dispose(slot) }
  }

  // MARK: Properties

  /// Writes a property for the program, whatever scripts may write there. What is refused is
  /// listed.
  final func put(_ name: String, _ value: Value) {
    guard let index = shape.index(of: name) else { return }
    do {
      try write(index, value, byHost: true)
    } catch {
      BindingTable.of(graph).list(error, at: slot(index))
    }
  }

  func checkEditable() throws(TideError) {
    if graph.untracked({ isEditable }) { return }
    throw TideError(.readOnly, "this controller is not editable; set its editable to true")
  }
}

/// What a controller hands out that is no model itself: its selection, a node, a pair.
public class ControllerPart: DataObject {}

extension PropertyDescription {
  /// A property that a controller derives from what it knows.
  static func derived<Owner: DataObject>(
    _ name: String, _ type: ValueType = .any, of owner: Owner.Type, isReadOnly: Bool = true,
    get: @escaping @Sendable (Owner) throws -> Value,
    set: (@Sendable (Owner, Value) throws -> Void)? = nil,
    validate: (@Sendable (Owner, Value) throws -> Value)? = nil
  ) -> PropertyDescription {
    var description = PropertyDescription(
      name, type, isNullable: true, isReadOnly: set == nil && isReadOnly)
    description.derive = { object in
      let handle = Unmanaged.passUnretained(object)
      // The slot is the object's own, so that its body never outlives it in use.
      return FunctionBody {
        guard let owner = handle.takeUnretainedValue() as? Owner else { return .null }
        return try get(owner)
      }
    }
    if let set {
      description.assign = { object, value in
        if let owner = object as? Owner { try set(owner, value) }
      }
    }
    if let validate {
      description.validate = { object, value in
        guard let owner = object as? Owner else { return value }
        return try validate(owner, value)
      }
    }
    return description
  }
}
