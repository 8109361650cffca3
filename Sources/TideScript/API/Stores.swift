public import TideBindings
import TideGraph
import TideLua

/// Opens databases for the scripts of a runtime; implemented by the module TideStore.
package protocol StoreOpener: Sendable {
  /// The database at a path that scripts may use. It is opened only once.
  ///
  /// - Parameters:
  ///   - place: the location of its file; nil for a database in memory.
  func open(_ name: String, at place: ScriptPlace?, in runtime: Runtime) throws -> DataObject
  /// A script has declared a class, of which databases may contain objects.
  func classesChanged(in runtime: Runtime)
  /// The open databases. Holding one keeps it open.
  func databases(of runtime: Runtime) -> [DataObject]
  /// Whether an object is a database.
  func isDatabase(_ object: DataObject) -> Bool
  /// Restores a model or a list for the owner of a session, and saves its changes from now on.
  ///
  /// - Parameters:
  ///   - name: nil for the model's own name.
  ///   - database: nil for the only open database.
  /// - Returns: false if the owner is a page, whose models are not kept.
  func keep(
    _ object: DataObject, as name: String?, of owner: SessionOwner, in database: DataObject?,
    for runtime: Runtime
  ) throws -> Bool
  /// Whether an object belongs to a database: a model that it keeps, or a row of a query.
  func holds(_ object: DataObject, in runtime: Runtime) -> Bool
  /// Writes what is pending when the app ends. While another program is writing, waits for it.
  ///
  /// - Parameter seconds: how long to wait.
  /// - Returns: false, with a listed error, if something could not be written.
  func finishWriting(of runtime: Runtime, within seconds: Double) -> Bool
  /// Copies the given databases that are in memory, for ``restore(_:in:)``.
  func copy(of databases: [DataObject]) throws -> AnyObject
  /// Opens the databases of a copy in a runtime that has not opened any yet.
  func restore(_ copy: AnyObject, in runtime: Runtime) throws
}

extension Runtime {
  /// `store.open(path)`
  func installStores() throws {
    try publishTable(
      "store",
      [
        .storeOpen: { [unowned self] call in
          let path = try call.string(0)
          if path.isEmpty { throw call.badArgument(0, "a path expected, got empty text") }
          let stores = try stores()
          // Specs never write to real databases.
          let place = configuration.takesStubs ? nil : try place(of: path, for: .storing)
          try call.return(luaValue(.object(stores.open(path, at: place, in: self))))
        }
      ])
  }

  func stores() throws(TideError) -> any StoreOpener {
    guard let stores = configuration.stores else {
      throw TideError(
        .store,
        "this program has no databases: it was built without the trait Store, or its host has not "
          + "added them to the runtime's configuration")
    }
    return stores
  }

  /// The databases that scripts have opened. Holding one keeps it open.
  package var openDatabases: [DataObject] { configuration.stores?.databases(of: self) ?? [] }

  /// Copies the given databases that are in memory; nil if there are none. The copy outlives this
  /// runtime.
  package func copyDatabases(_ databases: [DataObject]) throws -> AnyObject? {
    databases.isEmpty ? nil : try configuration.stores?.copy(of: databases)
  }

  /// Makes the databases of a copy available to scripts that have not opened any yet.
  package func restoreDatabases(_ copy: AnyObject) throws {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    try configuration.stores?.restore(copy, in: self)
  }

  /// The opener's state for this runtime.
  package var storeTable: AnyObject? {
    get { sources.stores }
    set { sources.stores = newValue }
  }
}

extension TideError.Code {
  /// A database operation has failed.
  public static let store = Self("store", 435)
}

// MARK: Catalogue

extension APIEntry {
  static let store = APIEntry(
    "store", usage: "store.open(path)",
    "Keeps models and lists in databases, where that is allowed.")

  static let storeOpen = APIEntry(
    "store.open(path)",
    "Opens a database, which is made where there is none; in a spec, one in memory.",
    """
    @param path string
    @return tidelock.Store
    """)
}

extension APISection {
  package static let stores = APISection(
    article: "KeepingModels",
    entries: [.store, .storeOpen],
    types: """
      ---@class tidelock.Store : tidelock.DataObject
      ---@field path string
      ---@field error string?
      local Store = {}
      ---Brings the database to the last of some versions, each a text of statements.
      ---@param versions string[]
      function Store:migrate(versions) end
      ---Runs a statement; gives how many rows it has changed, and the key of the last new row.
      ---@param sql string
      ---@param parameters? table
      ---@return integer changes
      ---@return integer key
      function Store:run(sql, parameters) end
      ---A list that follows a query.
      ---@param sql string
      ---@param parameters? table
      ---@param options? tidelock.StoreListOptions
      ---@return tidelock.List
      function Store:list(sql, parameters, options) end
      ---An object whose `value` follows the first column of a query's first row.
      ---@param sql string
      ---@param parameters? table
      ---@return tidelock.StoreValue
      function Store:value(sql, parameters) end
      ---An object whose properties follow the columns of a query's first row.
      ---@param sql string
      ---@param parameters? table
      ---@return tidelock.DataObject
      function Store:row(sql, parameters) end
      ---Writes what was changed of a row of a class into its table.
      ---@param row tidelock.DataObject
      function Store:write(row) end
      ---Does something of which all is kept or, where it fails, nothing.
      ---@param fn fun()
      function Store:transaction(fn) end
      ---Saves every change of a model or a list from now on, after giving it what was saved before.
      ---@param object tidelock.DataObject
      ---@param name? string|tidelock.StoreKeepOptions
      ---@param options? tidelock.StoreKeepOptions
      function Store:keep(object, name, options) end
      ---Gives what is kept of one class another one; gives how many values have named it.
      ---@param name string
      ---@param other string
      ---@return integer
      function Store:renameClass(name, other) end
      ---Lets go of what is kept of a property that a class or a model declares no more.
      ---@param name string
      ---@param property string
      function Store:forget(name, property) end
      ---Waits until all that was written is on the disk.
      function Store:flush() end

      ---@class tidelock.StoreListOptions
      ---@field class? tidelock.ClassName the class of the rows, which can be written then
      ---@field key? string the column that names a row, the table's primary key by default
      ---@field writes? boolean whether each change of a row is written by itself

      ---@class tidelock.StoreKeepOptions
      ---@field name? string under which the object is kept, a model's own by default
      ---@field wait? boolean whether to wait for another program that keeps it

      ---@class tidelock.StoreValue : tidelock.DataObject
      ---@field value any
      ---@field error string?
      """)
}
