import TideBindings
import TideLua

extension Runtime {
  /// `spawn`, `await`, `sleep`.
  func installTasks() throws {
    try fill(
      metatables.task,
      methods: ["cancel()": { [unowned self] call in try task(call).cancel() }],
      properties: ["state"],
      get: { [unowned self] name, call in
        guard name == "state" else { return false }
        try call.return("\(task(call).progress)")
        return true
      })
    try metatables.task.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { [unowned self] call in
          call.return("task: \(try task(call).progress)")
        }))
    try define("spawn(fn, ...)") { [unowned self] call in
      let function = try call.function(0)
      let arguments = try call.values(from: 1)
      let task = ScriptTask(self, in: context)
      task.start(function, arguments)
      call.return(.userdata(try lua.userdata(for: task, metatable: metatables.task)))
    }
    guard let raise = try lua.globals["error"].function else { return }
    try define("await(task)") { [unowned self] call in
      let task = try task(call)
      guard let result = task.result else {
        return try wait(call, in: "await") { try $0.wait(for: task) }
      }
      task.isAwaited = true
      switch result {
      case .success(let values): for value in values { call.return(value) }
      case .failure(let error):
        guard let value = (error as? LuaError)?.raised else { throw error }
        call.return(calling: raise, with: [value, 0])
      }
    }
    try define("sleep(seconds)") { [unowned self] call in
      let seconds = try seconds(call)
      try wait(call, in: "sleep") { [unowned self] task in
        try loop.admitTimer(among: configuration.limits.timers)
        let timer = loop.after(seconds) { task.resume(.success([])) }
        return Wait.Handle(cancel: { timer.cancel() }, setEnabled: { timer.isEnabled = $0 })
      }
    }
  }

  private func task(_ call: borrowing LuaCall) throws -> ScriptTask {
    guard let task = call.userdata(0, as: ScriptTask.self) else { throw call.wrongType(0, "task") }
    return task
  }
}
