import TideBindings
import TideGraph
import TideLua

/// A script's function that pushes items into a stream.
final class ScriptStream: FetchingClient, StreamSource {
  let list: StreamList
  private unowned(unsafe) let runtime: Runtime
  private(set) var fetching: Fetching?
  /// The number of the run whose items count.
  private var run = 0

  init(_ list: StreamList, in runtime: Runtime) {
    self.list = list
    self.runtime = runtime
  }

  func prepare(_ function: LuaFunction, _ plan: Fetching.Plan) -> Fetching {
    let fetching = Fetching(function, plan, of: self, in: runtime)
    self.fetching = fetching
    return fetching
  }

  func begin() { fetching?.begin() }

  func cancel() { fetching?.stop() }

  func refresh() { fetching?.refresh() }

  // MARK: Fetching

  var fetchingObject: DataObject { list }

  var isObserved: Bool { list.isObserved }

  func fetchingArguments(_ run: Int) throws -> [LuaValue] {
    self.run = run
    let push = try runtime.lua.function(named: "push") { [weak self] (call: borrowing LuaCall) in
      guard let self, self.run == run, fetching?.isLoading == true else {
        return call.return(false)
      }
      let items = try call.values(from: 0).map { item in
        if item.isNil { throw TideError(.badArgument, "a stream holds no nil; push null instead") }
        return try runtime.value(from: item)
      }
      try runtime.admitRows(items.count)
      try list.push(items)
      call.return(true)
    }
    return [.function(push)]
  }

  func fetchingBegan() {
    if list.received > 0 { try? list.restart() }
    list.begin()
  }

  func fetchingSucceeded(_ results: [LuaValue]) { list.end() }

  func fetchingFailed(_ error: TideError) { list.end(error) }

  func fetchingPaused() { list.end() }

  func adopt(_ former: any FetchingClient) {
    if let former = former as? ScriptStream { try? list.succeed(former.list) }
  }
}

/// Pushes items into a stream.
protocol StreamSource: AnyObject {
  /// Starts pushing. The source ends with the context in which it was made.
  func begin() throws
  /// Cancels the current work.
  func cancel()
  /// Starts over, without the earlier items.
  func refresh() throws
  /// Whether the source ignores the end of its context, because a successor takes over its work.
  var isHandedOver: Bool { get set }
  /// Whether a source of an earlier version reads the same input.
  func resembles(_ former: any StreamSource) -> Bool
  /// Continues the work of a source that it resembles, instead of starting.
  func takeOver(_ former: any StreamSource)
}

extension StreamSource {
  var isHandedOver: Bool {
    get { false }
    set {}
  }
  func resembles(_ former: any StreamSource) -> Bool { false }
  func takeOver(_ former: any StreamSource) {}
}
