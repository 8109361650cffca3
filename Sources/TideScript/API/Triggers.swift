import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// `trigger.change` and its like.
  func installTriggers() throws {
    try api.metatables.trigger.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { call in
          let trigger = call.userdata(0, as: Trigger.self)
          call.return("trigger: \(trigger?.description ?? "none")")
        }))
    try publishTable(
      "trigger",
      [
        "change(object, path)": { [unowned self] call in
          try give(.change(object(call, 0), call.name(1, "a path")), to: call)
        },
        "notification(name, sender)": { [unowned self] call in
          let sender = call.isNil(1) ? LuaValue.nil : try call.value(1)
          try give(trigger(notification: call.name(0, "a notification's name"), sender), to: call)
        },
        "event(view, event)": { [unowned self] call in
          guard let view = call.object(0)?.dataObject as? View else {
            throw call.wrongType(0, "view")
          }
          try give(trigger(event: EventName(call.name(1, "an event's name")), of: view), to: call)
        },
        "call(object, method)": { [unowned self] call in
          try give(trigger(call: call.name(1, "a method's name"), of: object(call, 0)), to: call)
        },
        "every(seconds)": { [unowned self] call in try give(.every(call.number(0)), to: call) },
        "manual()": { [unowned self] call in try give(.manual(), to: call) },
      ])
  }

  private func give(_ trigger: Trigger, to call: borrowing LuaCall) throws {
    // The description has the path or name that it follows.
    trigger.held = table.hold(2 * trigger.description.utf8.count)
    call.return(.userdata(try lua.userdata(for: trigger, metatable: api.metatables.trigger)))
  }

  private func trigger(notification name: String, _ sender: LuaValue) -> Trigger {
    Trigger("notification \"\(name)\"") { [home] _, fire in
      guard let runtime = home.runtime else { return Trigger.Running {} }
      let observer = runtime.addObserver(of: name, sender) { _, _, _ in fire() }
      return Trigger.Running(setEnabled: { observer.isEnabled = $0 }) {
        home.runtime?.remove(observer, of: name)
      }
    }
  }

  private func trigger(event name: EventName, of view: View) throws -> Trigger {
    // Refuses a name that no class sends, where it is written.
    try view.checkHears(name)
    let handle = ObjectHandle(view)
    return Trigger("event \(name) of \(view.label)") { _, fire in
      guard let view = handle.object as? View else { return Trigger.Running {} }
      let handler = try view.on(name) { _, _ in fire() }
      return Trigger.Running(setEnabled: { handler.isEnabled = $0 }) { handler.cancel() }
    }
  }

  private func trigger(call name: String, of object: DataObject) throws -> Trigger {
    _ = try owner(ofMethod: name, of: object)
    let handle = ObjectHandle(object)
    return Trigger("call of \(object.label):\(name)") { [home] _, fire in
      guard let object = handle.object, let runtime = home.runtime else {
        return Trigger.Running {}
      }
      return Trigger.Running(stop: try runtime.watch(object, name, fire))
    }
  }
}
