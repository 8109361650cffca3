import ArgumentParser
import CTideTemplates

/// A template for new apps: an example embedded in the program.
struct AppTemplate: ExpressibleByArgument {
  let name: String
  /// File names relative to the app's folder, with contents; the main script is the first.
  let files: [(name: String, text: String)]

  /// The main script; for the tutorial, that of its first step.
  var main: String { files.first?.name ?? "app.lua" }

  /// The file name of its spec; each template has one.
  var spec: String { files.map(\.name).first { $0.hasSuffix("_spec.lua") } ?? "" }

  static let names: [String] = {
    var names: [String] = []
    for file in all where names.last != file.template { names.append(file.template) }
    return names
  }()

  private static let all = (0..<tide_template_file_count()).map { index in
    let file = tide_template_file(index)
    let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
    return (
      template: String(cString: file.template_name), name: String(cString: file.name),
      text: String(decoding: bytes, as: UTF8.self)
    )
  }

  /// Nil if there is no template of that name.
  init?(argument: String) {
    let files = Self.all.filter { $0.template == argument }
    if files.isEmpty { return nil }
    name = argument
    self.files = files.map { ($0.name, $0.text) }
  }

  static var allValueStrings: [String] { names }
  static var defaultCompletionKind: CompletionKind { .list(names) }
}
