import ArgumentParser
import CTideTemplates

/// What a new app begins with: an example that lies in the program.
struct AppTemplate: ExpressibleByArgument {
  let name: String
  /// Names from the app's folder, and texts; the script to run first is the first.
  let files: [(name: String, text: String)]

  /// The script to run first: the tutorial's is that of its first step.
  var main: String { files.first?.name ?? "app.lua" }

  /// The name of its spec; each template has one.
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

  /// Nil where there is none of that name.
  init?(argument: String) {
    let files = Self.all.filter { $0.template == argument }
    if files.isEmpty { return nil }
    name = argument
    self.files = files.map { ($0.name, $0.text) }
  }

  static var allValueStrings: [String] { names }
  static var defaultCompletionKind: CompletionKind { .list(names) }
}
