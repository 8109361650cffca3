import TideBindings
import TideGraph
import TideScript
import TideSystem

// Encoding and decoding of values, with errors that are listed.
extension ModelKeeper {
  func bytes(of value: Value, in place: any KeptPlace) throws -> [UInt8] {
    try identities.bytes(of: value, in: place)
  }

  /// Decodes a value; nil if the app does not declare a class of it, which is then
  /// ``missingClass``.
  func value(in bytes: [UInt8]) throws -> Value? { try identities.value(in: bytes) }

  func canRead(_ bytes: [UInt8]) -> Bool {
    do { return try value(in: bytes) != nil } catch { return false }
  }

  var missingClass: String? { identities.missingClass }

  func bytes(ofObject number: Int) throws(TideError) -> [UInt8]? {
    try store.use { (_) throws(SQLiteFailure) in try tables.bytes(ofObject: number) }
  }

  /// Whether a value equals the stored one. Values with references are assumed to be equal.
  func isKept(_ value: Value, as bytes: [UInt8]) -> Bool {
    if String(decoding: bytes, as: UTF8.self).contains("{\"$ref\": ") { return true }
    return (try? store.home.requireRuntime().keptBytes(of: value)) == bytes
  }

  var graph: Graph { store.graph }

  /// The name of an object if it is a model.
  func modelName(of object: DataObject) -> String? {
    guard let name = object.displayName, model(named: name) === object else { return nil }
    return name
  }

  func model(named name: String) -> DataObject? {
    store.graph.untracked { store.home.runtime?.models[name] }
  }

  /// Runs an operation. Lists an error and returns nil when a value cannot be stored.
  func listing<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch let error as TideError where error.code == .settings {
      var error = error
      error.message = "a value is not kept: \(error.message)"
      store.home.runtime?.listKeptData(error)
      return nil
    }
  }

  /// Runs an operation that restores a value. Its error is listed, and the app keeps its own value.
  ///
  /// - Returns: the error.
  @discardableResult
  func listing(of name: String, _ body: () throws -> Void) -> TideError? {
    do {
      // If a handler is stopped, its own writes are rolled back. Rolling back restored values would
      // overwrite them in the database.
      try store.graph.restoring(body)
      return nil
    } catch {
      var error = TideError(wrapping: error, graph: store.graph)
      let what =
        error.isCutOff ? "could not be read, and stays in the database" : "does not fit any more"
      error.message = "what was kept of \(name.inMessage) \(what): \(error.message)"
      store.home.runtime?.listKeptData(error)
      return error
    }
  }
}

extension TideError {
  /// Whether the turn or the database failed, rather than the value.
  var isCutOff: Bool { keepsReads || code == .store }
}
