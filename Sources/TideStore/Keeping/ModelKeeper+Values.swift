import TideBindings
import TideGraph
import TideScript
import TideSystem

// Values as the bytes that are kept of them, and what is listed where that fails.
extension ModelKeeper {
  func bytes(of value: Value, in place: any KeptPlace) throws -> [UInt8] {
    try identities.bytes(of: value, in: place)
  }

  /// The value of bytes; nil where the app lacks a class of it, which ``missingClass`` is.
  func value(in bytes: [UInt8]) throws -> Value? { try identities.value(in: bytes) }

  func canRead(_ bytes: [UInt8]) -> Bool {
    do { return try value(in: bytes) != nil } catch { return false }
  }

  var missingClass: String? { identities.missingClass }

  func bytes(ofObject number: Int) throws(TideError) -> [UInt8]? {
    try store.use { (_) throws(SQLiteFailure) in try tables.bytes(ofObject: number) }
  }

  /// Whether a value is what is kept; what refers to other objects counts as such.
  func isKept(_ value: Value, as bytes: [UInt8]) -> Bool {
    if String(decoding: bytes, as: UTF8.self).contains("{\"$ref\": ") { return true }
    return (try? store.home.requireRuntime().keptBytes(of: value)) == bytes
  }

  var graph: Graph { store.graph }

  /// The name of an object that is a model.
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
      store.home.runtime?.bindings.list(error)
      return nil
    }
  }

  /// Does something that restores a value; what fails is listed, and the app goes on with its own.
  ///
  /// - Returns: what has failed.
  @discardableResult
  func listing(of name: String, _ body: () throws -> Void) -> TideError? {
    do {
      // A handler that is stopped later takes back its own writes. Restored values that it took back
      // would be written over in the database.
      try store.graph.restoring(body)
      return nil
    } catch {
      var error = TideError(wrapping: error, graph: store.graph)
      let what =
        error.isCutOff ? "could not be read, and stays in the database" : "does not fit any more"
      error.message = "what was kept of \(name.inMessage) \(what): \(error.message)"
      store.home.runtime?.bindings.list(error)
      return error
    }
  }
}

extension TideError {
  /// Whether the turn or the database gave out, which says nothing about the values.
  var isCutOff: Bool { keepsReads || code == .store }
}
