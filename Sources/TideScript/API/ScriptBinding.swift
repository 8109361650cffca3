package import TideBindings
import TideGraph
package import TideLua

/// A binding as scripts see it: an expression, and objects that can be connected later and
/// replaced.
///
/// Most scripts drop it at once, so it is kept small.
final class ScriptBinding {
  let source: BindingSource
  let context: BindingContext?
  private(set) var binding: Binding?
  private var extras: Extras?

  /// State that few bindings need.
  private final class Extras {
    var options: BindingOptions
    var roots: [String: DataObject] = [:]
    /// Whether it was ended before it was connected.
    var isUnbound = false

    init(_ options: BindingOptions) { self.options = options }
  }

  init(
    _ source: BindingSource, _ options: BindingOptions?, in context: BindingContext
  ) {
    self.source = source
    self.context = context
    extras = options.map { Extras($0) }
  }

  init(_ binding: Binding, in table: BindingTable) {
    self.binding = binding
    source = BindingSource(nil, binding.description, at: binding.location, in: table)
    context = nil
  }

  var plan: BindingPlan? { source.plan }
  var text: String { source.text }
  var description: String { source.origin.description ?? text }
  var location: SourceLocation? { source.location }

  /// Objects that the expression may name, from the option `roots`.
  var roots: [String: DataObject] {
    get { extras?.roots ?? [:] }
    set {
      if newValue.isEmpty && extras == nil { return }
      change { $0.roots = newValue }
    }
  }

  private func change(_ body: (Extras) -> Void) {
    let extras = extras ?? Extras(BindingOptions())
    self.extras = extras
    body(extras)
  }

  /// Connects the binding to two objects, in place of the former ones.
  func connect(_ left: DataObject, _ right: DataObject) throws {
    guard let plan else {
      throw TideError(.badArgument, "this binding has its ends already")
    }
    if case .expression(let expression) = plan {
      // Most bindings are of this kind, and there may be thousands.
      return try connect { context, options in
        try context.bind(expression, text: text, left, right, options)
      }
    }
    let last = plan.paths.count - 1
    try connect(plan.paths.enumerated().map { ($0 == last ? right : left, $1) })
  }

  /// Connects the binding: an object and a relative path for each path of its plan.
  func connect(_ ends: [(object: DataObject, path: Path)]) throws {
    guard let plan else { return }
    try connect { context, options in try plan.connect(ends, in: context, text: text, options) }
  }

  private func connect(
    _ make: (BindingContext, BindingOptions) throws -> Binding?
  ) throws {
    guard let context else { return }
    binding?.unbind()
    binding = nil
    if isUnbound { change { $0.isUnbound = false } }
    var options = extras?.options ?? BindingOptions()
    options.location = location
    options.origin = source.origin
    binding = try make(context, options)
  }

  /// Replaces its binding, unless that has ended.
  func replace(_ make: () throws -> Binding) throws {
    guard let binding, binding.isAlive else { return }
    binding.unbind()
    self.binding = try make()
  }

  /// Ends the current binding, so that it can be connected to other objects.
  func disconnect() {
    binding?.unbind()
    binding = nil
  }

  var isUnbound: Bool { extras?.isUnbound ?? false }

  /// Ends the binding, or cancels its pending creation.
  func unbind() {
    if let binding { return binding.unbind() }
    if context != nil { change { $0.isUnbound = true } }
  }

  /// Whether it transfers values, or will once it is connected.
  var isEnabled: Bool {
    binding?.isEnabled ?? (context != nil && !isUnbound && extras?.options.isEnabled != false)
  }

  /// Enables or disables the current binding, and those that later calls of `connect` make.
  func setEnabled(_ isEnabled: Bool) {
    binding?.isEnabled = isEnabled
    if context != nil { change { $0.options.isEnabled = isEnabled } }
  }

  /// Adds a trigger to the current binding, and to those that later calls of `connect` make.
  func add(_ trigger: Trigger) throws {
    try binding?.add(trigger)
    change { extras in
      if !extras.options.addedTriggers.contains(where: { $0 === trigger }) {
        extras.options.addedTriggers.append(trigger)
      }
    }
  }

  func remove(_ trigger: Trigger) throws {
    try binding?.remove(trigger)
    change { extras in
      extras.options.addedTriggers.removeAll { $0 === trigger }
      extras.options.triggers?.removeAll { $0 === trigger }
    }
  }

}

extension Runtime {
  func installBindingMethods() throws {
    try fill(
      api.metatables.binding,
      methods: [
        "connect(left, right)": { [unowned self] call in
          try connect(binding(call), object(call, 1), object(call, 2))
          call.returnArgument(0)
        },
        "enable()": { [unowned self] call in
          try binding(call).setEnabled(true)
          call.returnArgument(0)
        },
        "disable()": { [unowned self] call in
          try binding(call).setEnabled(false)
          call.returnArgument(0)
        },
        "unbind()": { [unowned self] call in try binding(call).unbind() },
        "add(trigger)": { [unowned self] call in
          try binding(call).add(trigger(call, 1))
          call.returnArgument(0)
        },
        "remove(trigger)": { [unowned self] call in
          try binding(call).remove(trigger(call, 1))
          call.returnArgument(0)
        },
        "fire()": { [unowned self] call in try binding(call).binding?.fire() },
      ],
      properties: ["enabled", "error", "source", "target", "description", "location"],
      get: { [unowned self] name, call in
        let binding = try binding(call)
        switch name {
        case "enabled": call.return(binding.isEnabled)
        case "error": try call.return(binding.binding?.error.map { try luaValue(of: $0) } ?? .nil)
        case "source": try call.return(binding.binding?.source.map { try luaValue($0) } ?? .nil)
        case "target": try call.return(binding.binding?.target.map { try luaValue($0) } ?? .nil)
        case "description": call.return(binding.description)
        case "location": call.return(binding.location.map { .string("\($0)") } ?? .nil)
        default: return false
        }
        return true
      },
      set: { [unowned self] name, call in
        guard name == "enabled" else { return false }
        let binding = try binding(call)
        guard let flag = try call.value(2).boolean else {
          throw TideError(
            .wrongType,
            "\"enabled\" of a binding is true or false, not \(try call.value(2).preview)")
        }
        binding.setEnabled(flag)
        return true
      })
    try api.metatables.binding.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { [unowned self] call in
          call.return("binding \(try binding(call).description)")
        }))
  }

  private func trigger(_ call: borrowing LuaCall, _ index: Int) throws -> Trigger {
    guard let trigger = call.userdata(index, as: Trigger.self) else {
      throw call.wrongType(index, "trigger")
    }
    return trigger
  }

  private func binding(_ call: borrowing LuaCall) throws -> ScriptBinding {
    guard let binding = call.userdata(0, as: ScriptBinding.self) else {
      throw call.wrongType(0, "binding")
    }
    return binding
  }
}

extension Runtime {
  /// The binding behind a script's value; nil for any other value.
  package func binding(held value: LuaValue) -> Binding? {
    guard case .userdata(let userdata) = value else { return nil }
    return (userdata.object as? ScriptBinding)?.binding
  }
}
