import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installEvents() throws {
    try define(.on) { [unowned self] call in
      if call.object(0)?.dataObject === ending.app { return try askBeforeEnding(call) }
      if let shared = sharedModel(call) { return try observeConflicts(in: shared, call) }
      let view = try view(call, 0)
      let name = EventName(try call.name(1, "an event's name"))
      if let command = call.object(2)?.dataObject {
        try Self.commandForm.refuseMore(call, from: 3)
        return try call.return(
          handle(.handler(name.text), of: view) { [unowned self] view, _ in
            try perform(command, on: name, of: view)
          })
      }
      guard call.tag(2) == LuaTag.function else { throw call.wrongType(2, "function or command") }
      let function = try call.function(2)
      let options = try CallOptions(call, 3, of: "on", ["initial"])
      let initial = try options.flag("initial") ?? false
      let handle = try handle(.handler(name.text), of: view) { [unowned self] view, _ in
        try respond(to: name, of: view, by: function)
      }
      if initial {
        let home = context
        callBack(function, in: home) {
          [try luaValue(view), try eventTable(Event(name, sender: view))]
        }
      }
      call.return(handle)
    }
    try installNotifications()
  }

  private static let commandForm: Signature = "on(view, event, command)"
  private static let notificationForm: Signature = "notification.observe(name, fn)"

  /// `on = { event = fn }`.
  func addHandlers(_ table: LuaTable, to view: View) throws {
    for (key, value) in try table.entries(inOrderOf: view.shape) {
      switch (key, value) {
      case (.string(let name), .function(let function)):
        _ = try respond(to: EventName(name), of: view, by: function)
      case (.string(let name), .object(let object)):
        guard let command = object.dataObject else { fallthrough }
        _ = try perform(command, on: EventName(name), of: view)
      default:
        throw TideError(
          .badArgument, "on maps names of events to functions or commands; found \(value.preview)")
      }
    }
  }

  /// Executes a command on an event. A command is a data object with a method `execute`; its
  /// `canExecute` also affects whether the view is enabled.
  private func perform(
    _ command: DataObject, on name: EventName, of view: View
  ) throws -> ContextEntry {
    if let command = command as? any Command {
      return try context.on(view, name, perform: command)
    }
    let home = context
    let execute = try executor(of: command, at: CallSite(in: home))
    return try home.on(view, name, perform: command) { try execute($0) }
  }

  /// Executes a script's command. Throws if it has no method `execute`.
  func executor(
    of command: DataObject, at site: CallSite
  ) throws -> (_ sender: View) throws -> Void {
    let execute = "execute"
    do {
      _ = try owner(ofMethod: execute, of: command)
    } catch let error as TideError {
      throw TideError(
        .badArgument,
        "a command is a data object with a function execute(self, sender): \(error.message)")
    }
    return { [owner = self.home] sender in
      let runtime = try owner.requireRuntime()
      // Looked up at each call, because a watch may have replaced it.
      let shape = try runtime.owner(ofMethod: execute, of: command)
      guard
        case .function(let function) = try runtime.lua.methods(ofClass: shape.number).rawGet(
          .string(execute))
      else { return }
      runtime.call(
        function, at: site, for: HandledAct(execute, of: sender, .object(command)), of: sender
      ) {
        [try runtime.luaValue(.object(command)), try runtime.luaValue(sender)]
      }
    }
  }

  private func respond(
    to name: EventName, of view: View, by function: LuaFunction
  ) throws -> ContextEntry {
    let home = context
    let function = try kept(function)
    let handler = try view.respond(to: name, with: calling(function, in: home))
    return home.own(setEnabled: { handler.isEnabled = $0 }) { handler.cancel() }
  }

  /// `keys = { ["Ctrl-S"] = fn }`, replacing the view's former keys.
  func setKeys(_ given: LuaValue, of view: View) throws {
    var functions: [(key: Key, title: String?, function: LuaFunction)] = []
    switch given {
    case .nil: break
    case .table(let table):
      for (key, value) in try table.entries() {
        let titled = try titledKey(value)
        guard case .string(let text) = key, let function = titled?.run ?? value.function else {
          throw TideError(
            .badArgument,
            "\(view.viewClass.name).keys maps names of keys to functions, or to tables such as "
              + "{ title = \"New\", run = add }; found \(value.preview) for \(key.preview)")
        }
        functions.append((try Key(text), titled?.title, try kept(function)))
      }
    default:
      throw TideError(
        .badArgument,
        "\(view.viewClass.name).keys maps names of keys to functions; it is not \(given.preview)")
    }
    view.cancelKeysOfTable()
    let home = context
    for (key, title, function) in functions {
      let handler = view.onKey(key, calling(function, in: home))
      handler.isOfTable = true
      handler.title = title
      home.own(setEnabled: { handler.isEnabled = $0 }) { handler.cancel() }
    }
    view.keysChanged()
  }

  /// The title and function of a key that is given as `{ title = "New", run = fn }`; nil for a
  /// value that is not a table.
  private func titledKey(_ value: LuaValue) throws -> (title: String, run: LuaFunction)? {
    guard case .table(let table) = value else { return nil }
    let options = try CallOptions(table, of: "a key", ["title", "run"])
    guard let title = try options.text("title"), let run = try options.function("run") else {
      throw TideError(
        .badArgument, "a key with a title has a function as well: { title = \"New\", run = add }")
    }
    try charge(title.utf8.count)
    return (title, run)
  }

  /// Calls a script's function with an event. Views may outlive the app that made them.
  private func calling(
    _ function: LuaFunction, in home: BindingContext
  ) -> (View, Event) throws -> Bool? {
    let site = CallSite(in: home)
    return { [owner = self.home] view, event in
      let runtime = try owner.requireRuntime()
      let arguments = { [try runtime.luaValue(view), try runtime.eventTable(event)] }
      let results =
        event.name.isOfState
        ? runtime.call(function, at: site, arguments)
        : runtime.call(function, at: site, for: HandledAct(event), of: view, arguments)
      return results?.first?.boolean
    }
  }

  func eventTable(_ event: Event) throws -> LuaValue {
    let table = try lua.table([
      "name": .string(event.name.text), "sender": luaValue(event.sender),
      "key": event.key.map { .string($0.description) } ?? .nil,
      "index": event.index.map { .integer($0.number) } ?? .nil,
      "target": event.target.map { .integer($0.number) } ?? .nil, "value": luaValue(event.value),
      "cell": event.cell.map { try luaValue($0) } ?? .nil,
    ])
    if let point = event.position {
      try table.rawSet("x", .integer(point.x))
      try table.rawSet("y", .integer(point.y))
    }
    if let isInside = event.isInside { try table.rawSet("inside", .boolean(isInside)) }
    let held: KeyValuePairs<String, Key.Modifiers> = [
      "shift": .shift, "ctrl": .control, "alt": .alt,
    ]
    for (name, modifier) in held where event.modifiers.contains(modifier) {
      try table.rawSet(.string(name), .boolean(true))
    }
    return .table(table)
  }

  // MARK: Methods of views

  func addViewMethods(to methods: LuaTable) throws {
    let functions: KeyValuePairs<Signature, (borrowing LuaCall) throws -> Void> = [
      "add(view, index)": { [unowned self] call in
        let index = call.isNil(2) ? nil : try position(call, 2, orAfter: true)
        let subview = try view(call, 1)
        keepPosition(of: subview)
        try view(call, 0).add(subview, at: index)
        call.returnArgument(1)
      },
      "remove()": { [unowned self] call in try view(call, 0).remove() },
      "move(index)": { [unowned self] call in try view(call, 0).move(to: siblingPosition(call)) },
      "replace(view)": { [unowned self] call in
        try view(call, 0).replace(with: view(call, 1))
        call.returnArgument(1)
      },
      "find(what)": { [unowned self] call in
        let view = try view(call, 0)
        let found: View?
        if let id = try call.stringIfAny(1) {
          found = view.find(id)
        } else {
          guard call.tag(1) == LuaTag.table else { throw call.wrongType(1, "string or table") }
          let wanted = try CallOptions(call, 1, of: "find", ["tag", "class", "key"])
          let name = try wanted.text("class")
          if let name { _ = try viewClass(named: ViewOperator.className(name)) }
          found = try view.find(
            tag: wanted.integer("tag"), class: name, key: value(from: wanted.value("key")))
        }
        try call.return(found.map { try luaValue($0) } ?? .nil)
      },
      "send(event, value)": { [unowned self] call in
        let view = try view(call, 0)
        let name = EventName(try call.name(1, "an event's name"))
        try view.checkSends(name)
        call.return(view.send(name, value: call.isNil(2) ? .null : try value(from: call.value(2))))
      },
      "focus()": { [unowned self] call in call.return(try view(call, 0).focus()) },
      "snapshot(width, height)": { [unowned self] call in
        let size = call.isNil(1) ? nil : try pictureSize(call.integer(1), call.integer(2))
        if let size { try charge(size.width * size.height * 2 * MemoryLayout<Cell>.stride) }
        call.return(try view(call, 0).snapshot(size: size) { configure($0) })
      },
    ]
    for (signature, body) in functions { try method(methods, signature, body) }
  }

  private func pictureSize(_ width: Int, _ height: Int) throws -> Size {
    let size = Size(width: width, height: height)
    if width >= 0, height >= 0, size == size.bounded { return size }
    throw TideError(
      .outOfRange,
      "a picture has at most \(Size.cellLimit) cells; it cannot be \(width) wide and \(height) high"
    )
  }

  /// A position among a view's subviews, from 1 in scripts.
  private func position(_ call: borrowing LuaCall, _ index: Int, orAfter: Bool) throws -> Int {
    let view = try view(call, 0)
    // Adding or moving a view does not record a read of its siblings.
    let count = graph.untracked { view.subviews.count }
    return try check(call.integer(index), among: count + (orAfter ? 1 : 0))
  }

  private func siblingPosition(_ call: borrowing LuaCall) throws -> Int {
    let view = try view(call, 0)
    guard let count = graph.untracked({ view.superview?.subviews.count }) else {
      throw TideError(.badTree, "the view has no superview to move in")
    }
    return try check(call.integer(1), among: count)
  }

  private func check(_ position: Int, among count: Int) throws -> Int {
    guard position >= 1, position <= count else {
      throw TideError(
        .outOfRange, "position \(position) is out of range; expected 1 to \(max(1, count))")
    }
    return position - 1
  }

  // MARK: Notifications

  private static let notificationName = "a notification's name"

  private func installNotifications() throws {
    try publishTable(
      "notification",
      [
        .notificationPost: { [unowned self] call in
          let sender = call.isNil(1) ? LuaValue.nil : try call.value(1)
          post(try call.name(0, Self.notificationName), sender, try call.value(2))
        },
        .notificationObserve: { [unowned self] call in
          let name = try call.name(0, Self.notificationName)
          let isFunction = call.tag(1) == LuaTag.function
          let sender = isFunction ? LuaValue.nil : try call.value(1)
          let function = try kept(call.function(isFunction ? 1 : 2))
          if isFunction { try Self.notificationForm.refuseMore(call, from: 2) }
          let observation = observe(notification: name, sender, listener(function))
          try call.return(luaValue(of: observation, .notification(name)))
        },
      ])
  }

  func observe(
    notification name: String, _ sender: LuaValue, _ body: @escaping NotificationObserver.Body
  ) -> ContextEntry {
    let observer = addObserver(of: name, sender, body)
    return context.own(setEnabled: { observer.isEnabled = $0 }) { [home] in
      home.runtime?.remove(observer, of: name)
    }
  }

  func addObserver(
    of name: String, _ sender: LuaValue, _ body: @escaping NotificationObserver.Body
  ) -> NotificationObserver {
    let observer = NotificationObserver(sender: sender, body)
    observer.number = contexts.notificationObservers[name, default: NumberedList()].append(observer)
    return observer
  }

  func remove(_ observer: NotificationObserver, of name: String) {
    observer.isEnabled = false
    contexts.notificationObservers[name]?.remove(observer.number)
    if contexts.notificationObservers[name]?.isEmpty == true {
      contexts.notificationObservers[name] = nil
    }
  }

  /// A script's function that observes notifications.
  private func listener(_ function: LuaFunction) -> NotificationObserver.Body {
    let site = CallSite(in: context)
    return { [owner = self.home] name, sender, info in
      guard let runtime = owner.runtime else { return }
      runtime.call(function, at: site) {
        [.table(try runtime.lua.table(["name": .string(name), "sender": sender, "info": info]))]
      }
    }
  }

  /// Calls the observers of a name that accept the sender.
  func post(_ name: String, _ sender: LuaValue, _ info: LuaValue) {
    for observer in contexts.notificationObservers[name] ?? NumberedList() where observer.isEnabled
    {
      guard observer.sender.isNil || observer.sender == sender else { continue }
      observer.body(name, sender, info)
    }
  }
}

final class NotificationObserver {
  let sender: LuaValue
  let body: Body
  var isEnabled = true
  /// Among the observers of its name.
  fileprivate var number = 0

  typealias Body = (_ name: String, _ sender: LuaValue, _ info: LuaValue) -> Void

  init(sender: LuaValue, _ body: @escaping Body) {
    self.sender = sender
    self.body = body
  }
}

// MARK: Catalogue

extension APIEntry {
  static let on = APIEntry(
    "on(view, event, fn, options)", usage: "on(view, event, fn)",
    "Calls a function, or executes a command, on a control event.",
    """
    @param view tidelock.View
    @param event tidelock.EventName|"*"
    @param fn tidelock.DataObject|fun(sender: tidelock.View, event: tidelock.Event): any
    @param options? { initial?: boolean }
    @return tidelock.Handle
    @overload fun(app: tidelock.App, event: "willQuit", fn: fun(app: tidelock.App): boolean?): tidelock.Handle
    """)

  static let notification = APIEntry(
    "notification",
    "Tells whoever listens to a name.")

  static let notificationPost = APIEntry(
    "notification.post(name, sender, info)",
    "Tells all observers of a name.",
    """
    @param name string
    @param sender? any
    @param info? any
    """)

  static let notificationObserve = APIEntry(
    "notification.observe(name, sender, fn)", usage: "notification.observe(name, fn)",
    "Hears of a name.",
    """
    @param name string
    @param sender any
    @param fn fun(note: tidelock.Note)
    @return tidelock.Handle
    @overload fun(name: string, fn: fun(note: tidelock.Note)): tidelock.Handle
    """)
}

extension APISection {
  static let events = APISection(
    article: "Views",
    entries: [.on, .notification, .notificationPost, .notificationObserve],
    types: """
      ---A control event on its way.
      ---@class tidelock.Event
      ---@field name string
      ---@field sender tidelock.View
      ---@field key? string
      ---@field value? any
      ---@field index? integer of a row
      ---@field target? integer where a row is moved to
      ---@field cell? tidelock.View
      ---@field x? integer of the mouse, in cells from the sender's left edge
      ---@field y? integer of the mouse, in cells from the sender's top edge
      ---@field shift? boolean whether Shift was held at a click
      ---@field ctrl? boolean
      ---@field alt? boolean
      ---@field inside? boolean of hover: false when the mouse has left the view

      ---@class tidelock.Note
      ---@field name string
      ---@field sender? any
      ---@field info? any
      """)
}
