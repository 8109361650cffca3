import ArgumentParser
import TideBindings
import TideScript
import TideSystem

/// `tidelock new`: creates a folder with a starter app.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a folder with a starter app and its test, or sets an editor up.",
    discussion: """
      With a template the app is a copy of one of the examples: board is a board of cards that \
      several people edit at once; desk lends devices, for a team in browsers: people, roles, \
      history, import, undo and a database; ledger is a book of expenses with a form, import, \
      undo, charts and settings; logs follows a file or standard input; services starts, watches \
      and stops programs; tutorial has the six steps of the tutorial, a folder each.

      With --editor it writes a plugin that knows binding expressions, models and views, and sets up \
      tidelock mcp for assistants: for Neovim among its packages, for VS Code an extension to \
      install. For Helix, Emacs and Kate \
      each new app has settings.

      Examples:
        tidelock new counter
        tidelock new apps/counter
        tidelock new dashboard --template services
        tidelock new --editor nvim

      Exit codes: 0 fine, 64 a name that cannot be used, a folder that has something in it, or a \
      plugin that somebody has changed, 66 the folder cannot be written.
      """)

  @Argument(help: "The folder, whose name is the app's: letters, digits, - and _.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "What to begin with: \(AppTemplate.names.joined(separator: ", ")).", valueName: "template"))
  var template: AppTemplate?

  @Option(help: ArgumentHelp("Write a plugin for an editor, and no app.", valueName: "editor"))
  var editor: EditorPlugin?

  @Option(help: ArgumentHelp("Write the plugin to this folder.", valueName: "folder"))
  var into: String?

  @Flag(help: "Keep the plugin in your folder for data, and make a link to it.")
  var link = false

  @Flag(help: "Write over what somebody has changed in the plugin.")
  var force = false

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Print one JSON object with the folder and its files, and report errors as JSON.")
  var json = false

  private var folder: String {
    var folder = name ?? ""
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder
  }

  private var appName: String { String(folder.split(separator: "/").last ?? "") }

  /// The nearest usable name: letters and digits, with dashes for other characters.
  private var plainName: String? {
    let words = appName.utf8.split { byte in
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      return !isDigit && !isLetter && byte != UInt8(ascii: "_")
    }
    // Dropping non-ASCII letters would truncate the name.
    guard appName.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let plain = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
      .drop { !$0.isLetter }
    return plain.isEmpty ? nil : String(plain)
  }

  func validate() throws {
    if editor != nil {
      guard name == nil, template == nil else {
        throw ValidationError("--editor makes no app: leave NAME and --template out.")
      }
      return
    }
    guard into == nil, !link, !force else {
      throw ValidationError("--into, --link and --force are for --editor.")
    }
    guard let name else {
      throw ValidationError("give the name of an app, or an editor with --editor.")
    }
    try validateName(name)
  }

  private func validateName(_ name: String) throws {
    let isPlain = appName.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isPlain, let first = appName.first, first.isLetter else {
      throw ValidationError(
        "\"\(name.escapingControls)\" is not a valid app name: begin with a letter, and use letters, digits, - and _"
          + (plainName.map { "; \($0) would do." } ?? "."))
    }
    var status = stat()
    guard lstat(folder, &status) == 0 else { return }
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw ValidationError("\(folder) is there already, and no folder; take another name.")
    }
    guard Self.isEmpty(folder) else {
      throw ValidationError(
        "the folder \(folder) is there already and has something in it; take another name.")
    }
  }

  func run() throws {
    if let editor { return try install(editor) }
    let reporter = Reporter(style: color.style, isJSON: json, file: folder)
    do {
      let app = StarterApp(name: appName, template: template)
      let files = try app.files()
      let writer = FolderWriter(folder: folder)
      for file in files { try writer.create(file.text, file.name) }
      // Generated last, from all scripts of the new app.
      let types = try StarterApp.types(of: folder)
      try writer.create(types.text, types.name)
      tell(files.map(\.name) + [types.name], app)
    } catch {
      reporter.report(error)
      throw ExitCode(ExitStatus(loading: error).code)
    }
  }

  private func tell(_ files: [String], _ app: StarterApp) {
    let output = StandardOutput()
    if json {
      var object = JSONLine()
      object.add("folder", folder)
      object.add("files", files)
      return output.writeLine(object.text)
    }
    output.writeLine("Made \(folder) with \(files.joined(separator: ", ")).")
    output.writeLine("")
    output.writeLine("Next:")
    output.writeLine("  cd \(folder)")
    output.writeLine("  tidelock run \(app.main)    edit \(app.main) while it runs")
    output.writeLine("  tidelock test           runs \(app.spec)")
    output.writeLine("  tidelock check          finds mistakes without running")
  }

  // MARK: Editors

  private func install(_ plugin: EditorPlugin) throws {
    let installation = PluginInstallation(
      plugin: plugin, destination: into, isLinked: link, isForced: force)
    do {
      tell(try installation.run(), of: plugin)
    } catch let error as TideError {
      Reporter(style: color.style, isJSON: json, file: plugin.rawValue).report(error)
      throw ExitCode(ExitStatus(loading: error).code)
    }
  }

  private func tell(_ outcome: PluginInstallation.Outcome, of plugin: EditorPlugin) {
    let output = StandardOutput()
    if json {
      var object = JSONLine()
      object.add("editor", plugin.rawValue)
      switch outcome {
      case .folder(let folder, let files):
        object.add("folder", folder)
        object.add("files", files)
      case .linkedFolder(let folder, let files, let link):
        object.add("folder", folder)
        object.add("files", files)
        object.add("link", link)
      case .archive(let path):
        object.add("archive", path)
      }
      return output.writeLine(object.text)
    }
    switch outcome {
    case .folder(let folder, let files):
      output.writeLine("Wrote \(files.count) files for \(plugin.editor) to \(folder).")
    case .linkedFolder(let folder, let files, let link):
      output.writeLine(
        "Wrote \(files.count) files for \(plugin.editor) to \(folder); \(link) leads there.")
    case .archive(let path):
      output.writeLine("Wrote the extension for \(plugin.editor) to \(path).")
    }
    output.writeLine("")
    output.writeLine("Next:")
    for line in nextSteps(outcome, plugin) { output.writeLine("  " + line) }
  }

  private func nextSteps(
    _ outcome: PluginInstallation.Outcome, _ plugin: EditorPlugin
  ) -> [String] {
    switch (plugin, outcome) {
    case (.code, .archive(let path)):
      [
        "code --install-extension \(path)", "open a Lua file of an app",
        "assistants find tidelock mcp by themselves",
      ]
    case (.code, _):
      [
        "in VS Code, Developer: Install Extension from Location…, and choose that folder",
        "open a Lua file of an app", "assistants find tidelock mcp by themselves",
      ]
    case (.nvim, _):
      [
        into == nil
          ? "open a Lua file of an app; :help tidelock tells what there is"
          : "add the folder to 'runtimepath', or to your plugin manager",
        "for assistants: :help tidelock-assistants",
      ]
    }
  }

  // MARK: Names

  private static func isEmpty(_ folder: String) -> Bool {
    ReadableFile.names(in: folder)?.isEmpty ?? false
  }
}
