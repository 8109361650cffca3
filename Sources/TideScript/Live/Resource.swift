import TideBindings
import TideGraph
import TideLua

/// A data object whose value a script's function fetches, and which may be loading or have failed.
///
/// ```lua
/// local weather = resource(function() return http.get(url).json end, { every = 30 })
/// bind("value.temperature -> text", weather, label)
/// ```
///
/// The former value stays during the next fetch and after an error. Parts of a new value that match
/// the former one keep their objects and lists.
final class Resource: LiveObject, FetchingClient {
  static let resourceShape = Shape(
    name: "resource",
    properties: [
      PropertyDescription("value", isReadOnly: true),
      PropertyDescription("error", .string, isReadOnly: true),
      PropertyDescription("loading", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("updated", .number, isReadOnly: true),
    ], swiftClasses: [])

  private enum Index: Int {
    case value, error, loading, updated
  }

  private unowned(unsafe) let runtime: Runtime
  private(set) var fetching: Fetching?
  /// Identifies the rows of a value; nil to compare their content.
  private let key: RowMatcher.Key?

  init(_ initial: Value, key: RowMatcher.Key?, in runtime: Runtime) {
    self.runtime = runtime
    self.key = key
    super.init(shape: Self.resourceShape)
    put(.value, initial)
  }

  func prepare(_ function: LuaFunction, _ plan: Fetching.Plan) -> Fetching {
    let fetching = Fetching(function, plan, of: self, in: runtime)
    self.fetching = fetching
    return fetching
  }

  private func put(_ index: Index, _ value: Value) { put(index.rawValue, value) }

  // MARK: Fetching

  var fetchingObject: DataObject { self }

  func fetchingArguments(_ run: Int) -> [LuaValue] { [] }

  func fetchingBegan() { put(.loading, .boolean(true)) }

  func fetchingSucceeded(_ results: [LuaValue]) throws {
    let held = runtime.graph.untracked { slot(Index.value.rawValue).load() }
    let matcher = RowMatcher(runtime, key: key)
    put(.value, try matcher.value(from: results.first ?? .nil, with: held))
    put(.error, .null)
    put(.updated, .number(runtime.loop.wallTime()))
    put(.loading, .boolean(false))
  }

  func fetchingFailed(_ error: TideError) {
    put(.error, .string(error.message))
    put(.loading, .boolean(false))
  }

  func fetchingPaused() { put(.loading, .boolean(false)) }

  func adopt(_ former: any FetchingClient) {
    guard let former = former as? Resource else { return }
    runtime.graph.untracked {
      for index in [Index.value, .error, .updated] {
        put(index, former.slot(index.rawValue).load())
      }
    }
  }
}
