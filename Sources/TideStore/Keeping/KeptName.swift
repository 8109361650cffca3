import TideBindings
import TideScript

/// The name of a model or a list in a database.
///
///     db:keep(settings)       settings
///     session.keep(shown)     session.keep/person:ann/shown
///                                          └ owner ─┘ └ model
///
/// An owner's name may contain any character, so its `/` and `%` are escaped: the model's name
/// begins after the second `/`. `db:keep` refuses names with the prefix of sessions.
struct KeptName: Hashable {
  /// The name in the database.
  let key: String
  /// The name in the script, for messages.
  let scriptName: String
  /// Whether it belongs to the owner of a session.
  let isOfSession: Bool

  /// A name for `db:keep`.
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

  /// A name for `session.keep`.
  ///
  /// - Parameter owner: nil for the person at the screen.
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
