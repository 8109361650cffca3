import TideGraph

/// The declared state of a controller, which a new version of the script compares with its own.
package struct ControllerDeclaration {
  package private(set) weak var controller: Controller?
  /// The controller's name in models and paths; nil for none.
  package let name: String?
  private let values: [String: Value]
  /// Whether the new version has taken over the state of the former one.
  package var isSettled = false

  package init(_ controller: Controller, name: String?) {
    self.controller = controller
    self.name = name
    values = controller.settableValues
  }

  /// Returns a function that restores the current selection; nil if the controller is gone.
  package func selectionKeeper() -> (() -> Void)? { controller?.selectionKeeper() }

  /// Gives the controller the state of a former one: properties that were changed after identical
  /// declarations, the selection, and held edits.
  ///
  /// `isSettled` stays false while there are no rows to select.
  package mutating func succeed(_ former: ControllerDeclaration) {
    guard !isSettled, let controller, let old = former.controller,
      type(of: controller) == type(of: old)
    else { return }
    controller.graph.untracked {
      for (name, value) in old.settableValues where values[name] == former.values[name] {
        guard let declared = values[name], declared == former.values[name], value != declared,
          value.isForAnyVersion
        else { continue }
        controller.put(name, value)
      }
      isSettled = controller.takeSelection(of: old)
      controller.expectEditors(of: old)
    }
  }

  /// Updates `isEditing` after the expected editors have registered.
  package func noteEditors() { controller?.editorsChanged() }
}

extension Value {
  /// Whether it is independent of a script's version: not a function or another script value.
  fileprivate var isForAnyVersion: Bool {
    if case .object(let object) = self { return object is DataObject }
    return true
  }
}

extension Controller {
  /// The values of settable properties that no binding writes.
  fileprivate var settableValues: [String: Value] {
    graph.untracked {
      var values: [String: Value] = [:]
      for (index, property) in shape.propertiesByIndex.enumerated()
      where property.derive == nil && !property.isReadOnly {
        let slot = slot(index)
        if graph.dependencies(of: slot).isEmpty { values[property.name] = slot.load() }
      }
      return values
    }
  }
}
