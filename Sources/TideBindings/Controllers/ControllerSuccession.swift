import TideGraph

/// What a script has said of a controller, so that a new version of it can tell that from what has
/// become of it since.
package struct ControllerDeclaration {
  package private(set) weak var controller: Controller?
  /// What models and paths call it; nil for none.
  package let name: String?
  private let values: [String: Value]
  /// Whether a new version is as the former one was, as far as its content allowed.
  package var isSettled = false

  package init(_ controller: Controller, name: String?) {
    self.controller = controller
    self.name = name
    values = controller.settableValues
  }

  /// What selects again what is selected now.
  package func selectionKeeper() -> (() -> Void)? { controller?.selectionKeeper() }

  /// Makes the controller what a former one has become, where both were declared alike: what is
  /// selected, how it sorts, edits that are held back.
  ///
  /// False while there are no rows yet in which to select.
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

  /// All editors have come that were expected.
  package func noteEditors() { controller?.editorsChanged() }
}

extension Value {
  /// Whether it is no function or other part of the version that ends.
  fileprivate var isForAnyVersion: Bool {
    if case .object(let object) = self { return object is DataObject }
    return true
  }
}

extension Controller {
  /// What scripts may set and nothing else does.
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
