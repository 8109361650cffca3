import TideScript
import TideSystem

/// What an assistant may read: the app's scripts, the articles and the reference, and the meaning of
/// error codes.
final class MCPResources {
  /// The paths of the app's scripts; empty without an app.
  var files: () -> [String] = { [] }

  private static let errors = "tidelock://errors"
  private static let mostBytes = 1 << 20

  var list: [JSONValue] {
    [resource(Self.errors, "Error codes", "text/plain")]
      + Article.all.map { article in
        var entry = resource(Self.uri(of: article), article.title, "text/markdown")
        entry["description"] = .string(article.summary)
        return entry
      }
      + files().map { resource("file://\($0)", $0, "text/x-lua") }
  }

  private func resource(_ uri: String, _ name: String, _ type: String) -> JSONValue {
    ["uri": .string(uri), "name": .string(name), "mimeType": .string(type)]
  }

  private static func uri(of article: Article) -> String {
    article.name == "Reference" ? "tidelock://reference" : "tidelock://articles/\(article.name)"
  }

  /// The contents of a listed resource; nil for any other.
  func read(_ uri: String) -> JSONValue? {
    if uri == Self.errors {
      let lines = ErrorCatalogue.entries.map { "\($0.label) \($0.name): \($0.summary)" }
      return contents(uri, lines.joined(separator: "\n"), "text/plain")
    }
    if let article = Article.all.first(where: { Self.uri(of: $0) == uri }) {
      return contents(uri, article.text, "text/markdown")
    }
    guard let path = files().first(where: { "file://\($0)" == uri }),
      let text = try? ScriptFile.read(path), text.utf8.count <= Self.mostBytes
    else { return nil }
    return contents(uri, text, "text/x-lua")
  }

  private func contents(_ uri: String, _ text: String, _ type: String) -> JSONValue {
    ["uri": .string(uri), "mimeType": .string(type), "text": .string(text)]
  }
}
