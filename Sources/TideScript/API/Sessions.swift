import TideBindings
import TideLua

/// The owner of the session that an app runs in. `session.keep` keeps models for that owner.
///
/// ```swift
/// let runtime = try SessionOwner.$current.withValue(.named("person:ann")) {
///   try Runtime(file: "app.lua")
/// }
/// ```
package enum SessionOwner: Hashable, Sendable {
  /// The person at the screen: at a terminal, in pages that share one app, or in a spec.
  case screen
  /// A person, or a browser, under a unique name.
  case named(String)
  /// A single page of a private session, which nobody can return to after the session.
  case page

  /// The owner of runtimes made in this task. A host makes and loads the runtime of a private
  /// session in one function, so the owner must be known before the runtime exists.
  @TaskLocal package static var current = SessionOwner.screen

  /// The owner of a person's sessions.
  package static func person(_ name: String) -> SessionOwner { .named("person:" + name) }
}

extension Runtime {
  /// The owner of this session.
  package var sessionOwner: SessionOwner { ending.sessionOwner }

  /// `session.keep(model, database)`
  func installSessions() throws {
    try publishTable(
      "session",
      [
        .sessionKeep: { [unowned self] call in
          let object = try object(call, 0, as: "model")
          let isNamed = try call.isNil(1) || call.value(1).string != nil
          let name = try call.isNil(1) || !isNamed ? nil : call.string(1)
          let index = isNamed ? 2 : 1
          let database = try call.isNil(index) ? nil : self.database(call, index)
          if !isNamed, !call.isNil(2) {
            throw call.badArgument(2, "the name is given before the database")
          }
          call.return(.boolean(try keep(object, as: name, in: database)))
        }
      ])
  }

  private func database(_ call: borrowing LuaCall, _ index: Int) throws -> DataObject {
    guard let object = call.object(index)?.dataObject,
      configuration.stores?.isDatabase(object) == true
    else { throw call.wrongType(index, "database") }
    return object
  }

  private func keep(
    _ object: DataObject, as name: String?, in database: DataObject?
  ) throws -> Bool {
    if isShared(object) {
      throw TideError(
        .store,
        "\"\(object.label.inMessage)\" is shared: all sessions have it in common, and session.keep is for "
          + "what belongs to one person; keep it by db:keep")
    }
    return try stores().keep(object, as: name, of: sessionOwner, in: database, for: self)
  }
}

// MARK: Catalogue

extension APIEntry {
  static let session = APIEntry(
    "session", usage: "session.keep(model)",
    "The session of a person: at a terminal, or in a browser.")

  static let sessionKeep = APIEntry(
    "session.keep(model, name, database)", usage: "session.keep(model [, name] [, database])",
    "Keeps a model or a list for the person, or else the browser, whose session this is.",
    """
    @param model tidelock.DataObject
    @param name? string|tidelock.Store a list has to be given one; a model has its own
    @param database? tidelock.Store the only one that is open by default
    @return boolean # false in a private session whose owner is unknown, where nothing can be kept
    """)
}

extension APISection {
  package static let sessions = APISection(
    article: "KeepingModels", entries: [.session, .sessionKeep])
}
