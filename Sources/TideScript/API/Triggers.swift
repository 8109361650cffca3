import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// `trigger.change` and similar functions.
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
        .triggerChange: { [unowned self] call in
          try give(.change(object(call, 0), call.name(1, "a path")), to: call)
        },
        .triggerNotification: { [unowned self] call in
          let sender = call.isNil(1) ? LuaValue.nil : try call.value(1)
          try give(trigger(notification: call.name(0, "a notification's name"), sender), to: call)
        },
        .triggerEvent: { [unowned self] call in
          guard let view = call.object(0)?.dataObject as? View else {
            throw call.wrongType(0, "view")
          }
          try give(trigger(event: EventName(call.name(1, "an event's name")), of: view), to: call)
        },
        .triggerCall: { [unowned self] call in
          try give(trigger(call: call.name(1, "a method's name"), of: object(call, 0)), to: call)
        },
        .triggerEvery: { [unowned self] call in try give(.every(call.number(0)), to: call) },
        .triggerManual: { [unowned self] call in try give(.manual(), to: call) },
      ])
  }

  private func give(_ trigger: Trigger, to call: borrowing LuaCall) throws {
    // The description contains the path or name.
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
    // Throws at the script's line if no class sends such an event.
    try view.checkEvent(name)
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

// MARK: Catalogue

extension APIEntry {
  static let trigger = APIEntry(
    "trigger",
    "What makes a binding update beside its source.")

  static let triggerChange = trigger(
    "change(object, path)", usage: "change(o, path)", "Fires when a path changes.",
    "object tidelock.DataObject|tidelock.List", "path tidelock.ObjectPath")
  static let triggerNotification = trigger(
    "notification(name, sender)", usage: "notification(name)",
    "Fires when a notification is posted.", "name string", "sender? any")
  static let triggerEvent = trigger(
    "event(view, event)", "Fires on a control event.",
    "view tidelock.View", "event tidelock.EventName")
  static let triggerCall = trigger(
    "call(object, method)", usage: "call(o, method)", "Fires after a method was called.",
    "object tidelock.DataObject|tidelock.List", "method tidelock.MethodName")
  static let triggerEvery = trigger("every(seconds)", "Fires on a timer.", "seconds number")
  static let triggerManual = trigger("manual()", "Fires on binding:fire() alone.")

  private static func trigger(
    _ signature: String, usage: String? = nil, _ help: String, _ parameters: String...
  ) -> APIEntry {
    APIEntry(
      "trigger.\(signature)", usage: usage.map { "trigger.\($0)" }, help,
      (parameters.map { "@param \($0)" } + ["@return tidelock.Trigger"]).joined(separator: "\n"))
  }
}

extension APISection {
  static let triggers = APISection(
    article: "Triggers",
    entries: [
      .trigger,
      .triggerChange,
      .triggerNotification,
      .triggerEvent,
      .triggerCall,
      .triggerEvery,
      .triggerManual,
    ],
    types: """
      ---What makes a binding update.
      ---@class tidelock.Trigger
      """)
}
