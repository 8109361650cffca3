import TideBindings

/// Persists a runtime's replicas of shared models, including its unconfirmed writes.
package protocol SharedKeeper: AnyObject {
  /// Loads the persisted entries of a model, and their origin.
  func load(_ model: String) throws -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]])
  /// Persists changed entries; nil marks a removed key.
  func save(_ model: String, _ origin: SharingOrigin?, _ entries: [SharingKey: [UInt8]?]) throws
}

/// Persists the confirmed values of one model, on behalf of an engine within the process. It serves
/// all runtimes that share the model. One thread at a time uses it.
package protocol ConfirmedKeeper: AnyObject {
  /// The persisted documents, by their keys.
  func load() throws -> [SharingKey: [UInt8]]
  /// Persists changed documents in one transaction; nil marks a removed key.
  func save(_ documents: [SharingKey: [UInt8]?]) throws
}

/// An engine that persists the confirmed values of models, once for all runtimes that share them.
package protocol KeepingEngine: SharingEngine {
  /// Restores a model, then persists each update before confirming it. Does nothing if the model is
  /// kept at this place already.
  ///
  /// - Parameter open: opens the storage; called only if nobody keeps the model.
  /// - Returns: the number of persisted documents that cannot be read; they stay as they are.
  /// - Throws: `store` if the model is kept elsewhere, or is too large; and the errors of `open`.
  func keep(
    _ model: String, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws -> Int
}

/// Where a shared model is kept.
package struct SharedPlace: Equatable, Sendable {
  /// Identifies the database.
  package let file: String
  /// The database's name in scripts.
  let database: String
  /// The model's name within the database.
  package let name: String

  package init(file: String, database: String, name: String) {
    (self.file, self.database, self.name) = (file, database, name)
  }

  package static func == (one: SharedPlace, other: SharedPlace) -> Bool {
    one.file == other.file && one.name == other.name
  }

  /// The error for keeping a model at a second place.
  func refusal(of model: String, at other: SharedPlace) -> TideError {
    let (here, there) =
      file == other.file
      ? ("as \"\(name.inMessage)\"", "under one name")
      : ("in \"\(database.inMessage)\"", "in one database")
    return TideError(
      .store,
      "the shared model \"\(model.inMessage)\" is kept \(here) already, for all sessions of this "
        + "program; keep it \(there)")
  }
}

extension Runtime {
  /// Where shared models are kept: the first database that the app opens.
  package var sharedKeeper: (any SharedKeeper)? {
    get { declarations.sharedKeeper }
    set {
      declarations.sharedKeeper = newValue
      for model in declarations.sharedModels.values { model.beginKeeping() }
    }
  }
}
