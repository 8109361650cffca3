import TideGraph

/// The base class of controllers, which stand between models and views. It manages edits.
///
/// ```swift
/// do { try controller.commitEditing() } catch { show(error) }     // still editing
/// controller.discardEditing()
/// ```
///
/// A binding through a controller's `selection` is an editor of that controller while it waits for
/// the end of typing, or holds input that the model refused. Other editors register with
/// `objectDidBeginEditing`. Scripts see the properties `editable` and `isEditing`.
///
/// As any ``DataObject``, it is used on the actor or thread whose graph it has joined.
public class Controller: DataObject {
  /// The registered editors, numbered in the order of registration.
  private var editors: [ObjectIdentifier: (number: Int, editor: any Editor)] = [:]
  private var editorCount = 0

  package static let controllerShape = Shape(
    name: "controller",
    properties: [
      PropertyDescription(
        "editable", .boolean, initial: .boolean(true)),
      PropertyDescription("isEditing", .boolean, initial: .boolean(false), isReadOnly: true),
    ], swiftClasses: [ObjectIdentifier(Controller.self)], hiddenSlots: hiddenCount)

  /// Internal slots without a name, by their index after the properties.
  enum Hidden: Int, CaseIterable {
    /// Increases with every change of the selection.
    case state
    /// Increases when the user or the program selects.
    case command
    /// Increases when the content must be rearranged.
    case arrangement
    /// Increases with every edit that is held back.
    case edits
    /// Increases when a user begins or ends editing a record.
    case edited
  }

  private static var hiddenCount: Int { Hidden.allCases.count }

  override package init(shape: Shape) {
    super.init(shape: shape)
    for hidden in Hidden.allCases { _ = slot(hidden).store(.integer(0)) }
  }

  final func slot(_ hidden: Hidden) -> Slot { slot(shape.properties.count + hidden.rawValue) }

  /// Increments a hidden slot to signal a change, and settles.
  final func bump(_ hidden: Hidden) {
    let slot = slot(hidden)
    if Int.store(Int.load(slot) &+ 1, in: slot) {
      graph.noteEvent(at: slot)
      slot.noteChange()
    }
  }

  /// Whether the controller allows changes of its content. The default is true.
  public final var isEditable: Bool {
    get { self["editable"] == true }
    set { put("editable", .boolean(newValue)) }
  }

  /// Whether any editor holds an edit that the model does not have yet.
  public final var isEditing: Bool { self["isEditing"] == true }

  // MARK: Editing

  /// Registers an editor. Has no effect if the editor is registered already.
  public final func objectDidBeginEditing(_ editor: any Editor) {
    if editors[ObjectIdentifier(editor)] != nil { return }
    editorCount += 1
    editors[ObjectIdentifier(editor)] = (editorCount, editor)
    editorsChanged()
  }

  /// Unregisters an editor. Has no effect if the editor is not registered.
  public final func objectDidEndEditing(_ editor: any Editor) {
    if editors.removeValue(forKey: ObjectIdentifier(editor)) != nil { editorsChanged() }
  }

  /// The number of an editor in the order of registration; nil if it is not registered.
  final func number(of editor: any Editor) -> Int? { editors[ObjectIdentifier(editor)]?.number }

  private var editorsInOrder: [any Editor] {
    editors.values.sorted { $0.number < $1.number }.map(\.editor)
  }

  /// Unregisters the editors that satisfy a predicate.
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

  /// Like `commitEditing`, but the rows of the edited records keep their positions.
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

  /// Commits typed input before other objects are selected. Edits that the model refuses remain.
  final func commitTyping() {
    guard graph.untracked({ isEditing }) else { return }
    for editor in editorsInOrder where (try? editor.commitEditing()) != nil {
      objectDidEndEditing(editor)
    }
  }

  /// Makes a property commit typed input before its value changes, because the change may select
  /// other objects.
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

  /// Discards every edit. The fields show the model's values again.
  public final func discardEditing() {
    for editor in editorsInOrder {
      editor.discardEditing()
      objectDidEndEditing(editor)
    }
    discardOwnEdits()
    editorsChanged()
    endRecordEdits()
  }

  /// Whether there is an object that can be edited.
  var isEdited: Bool { true }

  /// Takes over the selection and the held edits of a former controller, without committing
  /// anything. Returns false while its rows are missing.
  func takeSelection(of former: Controller) -> Bool { true }

  /// Returns a function that restores the current selection after rows were removed and inserted
  /// again unchanged.
  func selectionKeeper() -> () -> Void { {} }

  /// Commits the edits that the controller itself holds back.
  func commitOwnEdits() throws {}
  func discardOwnEdits() {}
  var holdsOwnEdits: Bool { false }

  final func editorsChanged() { put("isEditing", .boolean(!editors.isEmpty || holdsOwnEdits)) }

  /// Takes over `isEditing` from a former controller whose editors are about to register here.
  final func expectEditors(of former: Controller) {
    if former.isEditing && !isEditing { put("isEditing", .boolean(true)) }
  }

  /// Updates the selection in every wave, even if nothing observes it: the next selection must not
  /// depend on observers.
  final func followState() {
    let state = slot(.state)
    graph.untracked { graph.refreshListing(state) }
    let observer = ObserverFunction { _, _ in }
    let slot = graph.makeObserver(of: state, observer)
    // The observer is disposed of together with the state slot.
    observer.onEnd = { [unowned(unsafe) graph] in graph.dispose(slot) }
  }

  // MARK: Properties

  /// Writes a property on behalf of the host, even if it is read-only for scripts. An error is
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

/// A part of a controller that is not a model: a selection proxy, a node or a pair.
public class ControllerPart: DataObject {}

extension PropertyDescription {
  /// A property that is derived from the state of its owner.
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
      // The slot belongs to the object, so its body is never evaluated after the object is gone.
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
