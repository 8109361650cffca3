import TideBindings
import TideScript

/// The name under which a database keeps a model or a list.
///
///     db:keep(settings)       settings
///     session.keep(shown)     session.keep/person:ann/shown
///                                          └ owner ─┘ └ model
///
/// People may be called anything, so an owner's `/` and `%` are escaped: the model's name begins
/// after the second `/`. `db:keep` refuses names that begin like those of sessions.
struct KeptName: Hashable {
  /// The name in the database.
  let key: String
  /// The name in the script, as messages give it.
  let scriptName: String
  /// Whether it belongs to the owner of a session.
  let isOfSession: Bool

  /// The name of `db:keep`.
  init(_ name: String) throws(TideError) {
    // Compared by bytes, as in the database: an accent that combines with the "/" must not hide it.
    if name.utf8.starts(with: Self.prefix.utf8) {
      throw TideError(
        .store,
        "\"\(name.inMessage)\" begins with \"\(Self.prefix)\", which marks what session.keep keeps; "
          + "give it another name")
    }
    (key, scriptName, isOfSession) = (name, name, false)
  }

  /// The name of `session.keep`.
  ///
  /// - Parameter owner: nil for whoever uses the screen.
  init(_ name: String, of owner: String?) {
    key = Self.prefix + Self.escaped(owner ?? "") + "/" + name
    (scriptName, isOfSession) = (name, true)
  }

  private static let prefix = "session.keep/"

  private static func escaped(_ owner: String) -> String {
    var text = ""
    for scalar in owner.unicodeScalars {
      switch scalar {
      case "%": text += "%25"
      case "/": text += "%2F"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
