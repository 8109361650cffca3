import TideBindings

/// Keeps on the disk what a runtime knows of shared models, and what it has written that is not
/// confirmed.
package protocol SharedKeeper: AnyObject {
  /// What was kept of a model.
  func load(_ model: String) throws -> (origin: SharingOrigin?, entries: [SharingKey: [UInt8]])
  /// Keeps other entries; nil for those that are gone.
  func save(_ model: String, _ origin: SharingOrigin?, _ entries: [SharingKey: [UInt8]?]) throws
}

/// Persists the confirmed values of one model, for an engine within the process and all runtimes that
/// share the model. One thread at a time uses it.
package protocol ConfirmedKeeper: AnyObject {
  /// The persisted documents, by their keys.
  func load() throws -> [SharingKey: [UInt8]]
  /// Persists other documents, all of them or none; nil for keys that were removed.
  func save(_ documents: [SharingKey: [UInt8]?]) throws
}

/// An engine that persists the confirmed values of models, once for all runtimes that share them.
package protocol KeepingEngine: SharingEngine {
  /// Restores a model and persists each update before it is confirmed. Does nothing where the model
  /// is kept at this place already.
  ///
  /// - Parameter open: opens the place; called only where nobody keeps the model.
  /// - Returns: how many persisted documents cannot be read; they stay as they are.
  /// - Throws: `store` where the model is kept elsewhere, or has no room; what `open` throws.
  func keep(
    _ model: String, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws -> Int
}

/// Where a shared model is kept.
package struct SharedPlace: Equatable, Sendable {
  /// Identifies the database.
  let file: String
  /// The database, as scripts name it.
  let database: String
  /// The model's name within the database.
  package let name: String

  package init(file: String, database: String, name: String) {
    (self.file, self.database, self.name) = (file, database, name)
  }

  package static func == (one: SharedPlace, other: SharedPlace) -> Bool {
    one.file == other.file && one.name == other.name
  }

  /// Why a model that is kept here cannot be kept at another place as well.
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
