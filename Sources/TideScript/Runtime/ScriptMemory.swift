import CTideLua
import Synchronization
import TideBindings
import TideGraph
import TideLua
import TideViews

// The engine's memory for scripts is estimated: operations that may add to it charge an amount.
// When the charges exceed the budget, the memory is measured, and counting starts from there. See
// `memory.c`.

extension Runtime {
  /// Bytes that the app's scripts use in the interpreter and in the engine.
  ///
  /// This includes properties and their values, objects, lists, views, bindings (also those of the
  /// host), observations, timers, functions that the engine retains, and replicas of shared models.
  /// It excludes models of the host and their values, memory of renderers, and freed memory.
  /// Measuring takes some milliseconds per million properties.
  public var memoryUsed: Int { lua.memoryHeld }

  /// Throws if there is no memory for an object that is about to be made.
  func charge(_ bytes: Int) throws(LuaError) {
    calls.bytesSinceRoomCheck &+= bytes
    if _slowPath(calls.bytesSinceRoomCheck > Self.roomCheckInterval) { try checkRoom(for: bytes) }
    try lua.charge(bytes)
  }

  /// Bytes charged between two checks that the graph has room.
  private static let roomCheckInterval = 256 << 10

  /// Throws if the graph has no room. Its address space may be smaller than the memory budget.
  private func checkRoom(for bytes: Int) throws(LuaError) {
    // A slot is charged at least its size, so this bounds the slots made before the next check.
    let slots = max(bytes, Self.roomCheckInterval) / Graph.slotSize
    if graph.hasRoom(slots: slots), table.hasRoom {
      calls.bytesSinceRoomCheck = 0
      return
    }
    // A script may still log the error, or free something.
    if bytes <= Weight.least, graph.hasReserve { return }
    lua.collectGarbage()
    graph.reclaimRemoteBlocks()
    graph.trim()
    guard graph.hasRoom(slots: slots), table.hasRoom else { throw LuaError(.memory, Self.isFull) }
  }

  private static let isFull =
    "not enough memory: the address space of this process leaves no room for more properties and"
    + " bindings"

  /// The size of an object with a number of properties, including short texts.
  static func size(properties count: Int) -> Int { 112 * (count + 2) }

  func measure() -> UInt64 {
    var meter = MemoryMeter()
    graph.addHeld(to: &meter) { block, meter in
      guard Self.isScriptOwned(block) || block is MenuEntry || block is FormError else {
        return false
      }
      meter.add(Graph.allocatedBytes(of: block))
      switch block {
      case is ScriptObject: break
      case let list as ValueList: list.addHeld(to: &meter)
      case let dictionary as DictionaryObject: dictionary.addHeld(to: &meter)
      case let view as View:
        meter.add(Weight.view)
        view.addHeld(to: &meter)
      case let history as UndoHistory: history.addHeld(to: &meter)
      default: break
      }
      return true
    }
    table.addHeld(to: &meter)
    listLoops.addHeld(to: &meter)
    meter.add(Int(tide_reference_count(lua.raw)) * Weight.function)
    meter.add(loop.timerCount * Weight.timer)
    meter.add(tasks.running.count * Weight.task)
    meter.add(declarations.sharedModels.values.reduce(0) { $0 + $1.heldBytes })
    meter.add(
      contexts.pendingNames.count * Weight.lateName + declarations.unknownClasses.count
        * Weight.waiting)
    meter.add(contexts.notificationObservers.values.reduce(0) { $0 + $1.count } * Weight.waiting)
    meter.add((ending.handlers.count + declarations.methodWatches.count) * Weight.waiting)
    // The current frame and the previous one.
    meter.add(2 * (scene?.frame.cells.count ?? 0) * MemoryLayout<Cell>.stride)
    meter.add(
      (declarations.unnamedModels.count + contexts.named.count + models.count * 2) * Weight.name)
    meter.add(nameBytes)
    meter.add(home.classBytes.load(ordering: .relaxed))
    // Anonymous classes are keyed by the names and types of their properties.
    meter.add(declarations.shapes.keys.reduce(0) { $0 + $1.utf8.count + Weight.name })
    meter.add(views.components.values.reduce(0) { $0 + $1.weight })
    for module in modules.all {
      meter.add(module.transformers.count * Weight.transformer)
      meter.add((module.classes.count + module.models.count) * Weight.name)
    }
    return UInt64(clamping: meter.bytes)
  }

  /// Bytes of the names in tables. The interpreter counts the names of properties and methods.
  private var nameBytes: Int {
    func bytes(_ names: some Sequence<String>) -> Int { names.reduce(0) { $0 + $1.utf8.count } }
    var count =
      bytes(declarations.unnamedModels.keys) + bytes(contexts.named.keys)
      + bytes(views.components.keys)
    count += bytes(contexts.notificationObservers.keys) + models.nameBytes
    for module in modules.all { count += bytes(module.transformers) + bytes(module.classes.keys) }
    for component in views.components.values { count += bytes(component.viewClass.events) }
    return count
  }
}

/// Estimated bytes of objects whose size cannot be queried.
enum Weight {
  /// A view's own lists and layout.
  static let view = 256
  /// A script's function: the reference, and the closures around it.
  static let function = 240
  static let timer = 280
  /// A task without its coroutine.
  static let task = 1000
  static let waiting = 400
  /// A binding that waits for names.
  static let lateName = 800
  static let name = 120
  /// A transformer: the closures around the script's function, and its registry entries.
  static let transformer = 400
  /// A component without its shape, and the additional bytes for each of its properties.
  static let component = 800
  static let componentProperty = 24
  /// A function that is called before a write.
  static let prior = 1500
  /// One of several properties that a function observes.
  static let observed = 400
  /// A group of a list, and the list of its rows.
  static let group = 1800
  /// A style with its states.
  static let style = 600
  /// A call that makes little or nothing.
  static let least = 64
  /// An entry of a dict, and an element of a list, with a short text in each.
  static let entry = 128
  static let element = 144
  /// A list without its elements.
  static let list = 400

  /// What a call of the API may add to the engine's memory. If that depends on the arguments, the
  /// rest is charged later.
  ///
  /// The estimate must not be too low, or the engine is measured too late.
  static func ofCall(of function: String) -> Int {
    switch function.prefix(while: { $0 != " " }) {
    case "spawn", "notification.observe": 1600
    case "effect", "every", "after": 1280
    case "model", "class", "filter", "sorted", "map", "group", "slice", "concat", "feed": 1024
    case "bind", "binding", "observe", "on", "transformer", "context", "context.begin", "list",
      "dict":
      800
    case "append", "insert", "replace": element
    default: least
    }
  }
}

extension Component {
  /// The size of the class without its shape.
  fileprivate var weight: Int {
    Weight.component + viewClass.shape.propertiesByIndex.count * Weight.componentProperty
  }
}

extension BindingOptions {
  /// Bytes that these options add to a binding.
  var weight: Int {
    var weight = 0
    if null != nil || fallback != nil || noSelection != nil || multipleValues != nil
      || notApplicable != nil || observe != nil || validate != nil
    {
      weight += 800
    }
    if !isContinuous || delay > 0 || throttle > 0 || delivery == .frame || triggers != nil
      || when != nil
    {
      weight += 1400
    }
    if when != nil { weight += 1400 }
    return weight + 800 * ((triggers?.count ?? 0) + transformers.count)
  }
}
