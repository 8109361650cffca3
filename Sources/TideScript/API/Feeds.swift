import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// `feed { fetch = function(offset, count) … end, page = 50 }`
  func installFeeds() throws {
    try define(.feed) { [unowned self] call in
      let options = try CallOptions(call.table(0), of: "feed")
      guard let function = try options.function("fetch") else {
        throw TideError(
          .badArgument, "a feed needs fetch = function(offset, count), which gives a table of rows")
      }
      try call.return(luaValue(FeedList(page: page(options), late: fetching(function))))
    }
  }

  /// Methods of feeds. Called on another list, they throw.
  func addFetching(to methods: LuaTable) throws {
    try method(methods, "fetchMore()") { [unowned self] call in
      guard let feed = try list(call) as? FeedList else {
        throw TideError(
          .badArgument, "this list does not fetch; make one that does with feed { fetch = … }")
      }
      call.return(feed.fetchMore())
    }
  }

  private func page(_ options: CallOptions) throws -> Int {
    let given = try options.value("page")
    switch given {
    case .nil: return 50
    case .integer(let count) where count >= 1: return count
    default:
      throw TideError(
        .badArgument, "a feed's page is a whole number of rows from 1 on, not \(given.preview)")
    }
  }

  /// Calls the script's function, which may wait. Results that arrive after the feed's context was
  /// cleared are dropped.
  private func fetching(_ function: LuaFunction) -> FeedList.LateFetch {
    let context = context
    return { [home] offset, count, completion in
      guard let runtime = home.runtime else { return [] }
      let results = try runtime.start(
        function, [.integer(offset), .integer(count)], in: context
      ) { outcome in
        completion(Result { try home.runtime?.fetchedRows(outcome) })
      }
      return try results.map { try runtime.fetchedRows($0.first ?? .nil) }
    }
  }

  private func fetchedRows(_ outcome: ScriptTask.Outcome) throws -> [Value]? {
    do {
      return try perform { try fetchedRows(outcome.get().first ?? .nil) }
    } catch {
      let error = TideError(script: error)
      if error.code == .cancelled { return nil }
      throw error
    }
  }

  private func fetchedRows(_ result: LuaValue) throws -> [Value] {
    switch result {
    case .table(let table): return try elements(of: table)
    case .object(let object):
      if let list = object.dataObject as? ValueList { return list.values }
    default: break
    }
    throw TideError(
      .wrongType,
      "a feed's fetch gives a table of rows, {} at the end; this one gave \(result.preview)",
      location: location)
  }
}

// MARK: Catalogue

extension APIEntry {
  static let feed = APIEntry(
    "feed(options)",
    "A list that fetches its rows page by page.",
    """
    @param options tidelock.FeedOptions
    @return tidelock.List
    """)
}

extension APISection {
  static let feeds = APISection(
    article: "Lists",
    entries: [.feed],
    types: """
      ---@class tidelock.FeedOptions
      ---@field fetch fun(offset: integer, count: integer): table
      ---@field page? integer
      """)
}
