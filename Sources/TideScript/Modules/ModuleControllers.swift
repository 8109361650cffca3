import TideBindings
import TideGraph

// A reload makes controllers again. Selections made through them persist.
extension Runtime {
  /// Registers a new controller with its module, and gives it the state of its predecessor.
  func note(_ controller: Controller, named name: String?) {
    guard let module = modules.module(of: context) else { return }
    if module.controllers.count >= Self.mostControllers {
      module.controllers.removeAll { $0.controller == nil }
      // This many controllers are made for rows, and have no predecessors.
      if module.controllers.count >= Self.mostControllers { return }
    }
    module.controllers.append(ControllerDeclaration(controller, name: name))
    succeed(at: module.controllers.count - 1, in: module)
  }

  private static let mostControllers = 1000

  /// Functions that restore the current selections of all controllers. A rejected version may have
  /// removed selected rows.
  package func controllerKeepers() -> [() -> Void] {
    modules.all.flatMap { $0.controllers.compactMap { $0.selectionKeeper() } }
  }

  /// Retries controllers that had no rows when they were made.
  package func settleControllers() {
    for module in modules.all {
      for index in module.controllers.indices { succeed(at: index, in: module) }
    }
  }

  /// Called after the views have adopted text that was being edited.
  package func settleEditors() {
    for module in modules.all where module.former != nil {
      for controller in module.controllers { controller.noteEditors() }
    }
  }

  /// The predecessor has the same name, or else the same type and creation order.
  private func succeed(at index: Int, in module: Module) {
    guard !module.controllers[index].isSettled else { return }
    let made = module.controllers[index]
    guard let controller = made.controller else { return }
    if let name = made.name {
      let old = module.former?.controller(named: name) ?? formerController(named: name)
      if let old { module.controllers[index].succeed(old) }
      return
    }
    guard let former = module.former else { return }
    func isAlike(_ other: ControllerDeclaration) -> Bool {
      guard other.name == nil, let other = other.controller else { return false }
      return type(of: other) == type(of: controller)
    }
    let position = module.controllers[..<index].count { isAlike($0) }
    let old = former.controllers.lazy.filter { isAlike($0) }.dropFirst(position).first
    if let old { module.controllers[index].succeed(old) }
  }

  /// The predecessor in another module of the old version, since names are global.
  private func formerController(named name: String) -> ControllerDeclaration? {
    loader.rollback?.leaving.lazy.compactMap { $0.controller(named: name) }.first
  }

  /// Makes an object available to paths under a name, for as long as its context lives.
  func nameModel(_ object: DataObject, _ name: String) throws {
    if models.isFromHost(name) {
      throw TideError(.duplicate, "the host program has a model \"\(name.inMessage)\" already")
    }
    let before = graph.untracked { models[name] }
    if before is ScriptObject, models.isClaimed(name) {
      throw TideError(
        .duplicate,
        "there is a model \"\(name.inMessage)\" already; paths would lead to that or to this, so give "
          + "one of them another name")
    }
    models.put(object, as: name)
    keepUndo { [models] in models.put(before, as: name) }
    context.own { [weak self, weak object] in
      guard let self, let object else { return }
      if graph.untracked({ self.models[name] === object }) { models.put(nil, as: name) }
    }
    resolveNames(bearing: name)
  }
}

extension Module {
  fileprivate func controller(named name: String) -> ControllerDeclaration? {
    controllers.last { $0.name == name }
  }
}
