import TideBindings
import TideGraph

// Controllers are made anew at a reload, and what a person has selected through them is to stay.
extension Runtime {
  /// Notes a new controller with its module, and makes it what that of the version before has
  /// become.
  func note(_ controller: Controller, named name: String?) {
    guard let module = modules.module(of: context) else { return }
    if module.controllers.count >= Self.mostControllers {
      module.controllers.removeAll { $0.controller == nil }
      // So many at once are rows of something, and stand for nobody's.
      if module.controllers.count >= Self.mostControllers { return }
    }
    module.controllers.append(ControllerDeclaration(controller, name: name))
    succeed(at: module.controllers.count - 1, in: module)
  }

  private static let mostControllers = 1000

  /// What lets the controllers of all modules select again what they do now: rows that a new
  /// version has taken away come back when it is no good, and are selected no more.
  package func controllerKeepers() -> [() -> Void] {
    modules.all.flatMap { $0.controllers.compactMap { $0.selectionKeeper() } }
  }

  /// Tries again what had no rows yet when it was made.
  package func settleControllers() {
    for module in modules.all {
      for index in module.controllers.indices { succeed(at: index, in: module) }
    }
  }

  /// The views have taken over what was edited in them.
  package func settleEditors() {
    for module in modules.all where module.former != nil {
      for controller in module.controllers { controller.noteEditors() }
    }
  }

  /// The former one has the same name, or else is the one that was made as the same one of its
  /// kind.
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

  /// The one that another module of the version before made: names are the whole app's.
  private func formerController(named name: String) -> ControllerDeclaration? {
    loader.rollback?.leaving.lazy.compactMap { $0.controller(named: name) }.first
  }

  /// Lets paths begin with the name of a controller or its like, for as long as its context lives.
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
