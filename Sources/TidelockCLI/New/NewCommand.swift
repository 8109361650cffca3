import ArgumentParser
import TideBindings
import TideScript
import TideSystem

/// `tidelock new`: a folder with an app to start from.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a folder with a starter app and its test.",
    discussion: """
      With a template the app is a copy of one of the examples: board is a board of cards that \
      several people edit at once; ledger is a book of expenses with a form, import, undo, charts \
      and settings; logs follows a file or standard input; services starts, watches and stops \
      programs.

      Examples:
        tidelock new counter
        tidelock new apps/counter
        tidelock new dashboard --template services

      Exit codes: 0 fine, 64 a name that cannot be used, or a folder that has something in it, 66 the \
      folder cannot be written.
      """)

  @Argument(help: "The folder, whose name is the app's: letters, digits, - and _.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "What to begin with: \(AppTemplate.names.joined(separator: ", ")).", valueName: "template"))
  var template: AppTemplate?

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Print one JSON object with the folder and its files, and report errors as JSON.")
  var json = false

  private var folder: String {
    var folder = name
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder
  }

  private var appName: String { String(folder.split(separator: "/").last ?? "") }

  /// The nearest name that can be used: letters and digits, with - for what is between them.
  private var plainName: String? {
    let words = appName.utf8.split { byte in
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      return !isDigit && !isLetter && byte != UInt8(ascii: "_")
    }
    // A name of other letters would become a stump.
    guard appName.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let plain = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
      .drop { !$0.isLetter }
    return plain.isEmpty ? nil : String(plain)
  }

  func validate() throws {
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
    let reporter = Reporter(style: color.style, isJSON: json, file: folder)
    do {
      let app = StarterApp(name: appName, template: template)
      let files = try app.files()
      for file in files { try Self.write(file.text, to: "\(folder)/\(file.name)") }
      // Of all of its scripts, which are there now.
      let types = try StarterApp.types(of: folder)
      try Self.write(types.text, to: "\(folder)/\(types.name)")
      tell(files.map(\.name) + [types.name], app.spec)
    } catch {
      reporter.report(error)
      throw ExitCode(ExitStatus(loading: error).code)
    }
  }

  private func tell(_ files: [String], _ spec: String) {
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
    output.writeLine("  tidelock run app.lua    edit app.lua while it runs")
    output.writeLine("  tidelock test           runs \(spec)")
    output.writeLine("  tidelock check          finds mistakes without running")
  }

  // MARK: Files

  private static func isEmpty(_ folder: String) -> Bool {
    ReadableFile.names(in: folder)?.isEmpty ?? false
  }

  /// Writes a new file, and makes the folders that it is in.
  private static func write(_ text: String, to path: String) throws(TideError) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      end = slash
      if mkdir(String(path[..<slash]), 0o777) != 0, errno != EEXIST {
        throw failure("make the folder", String(path[..<slash]))
      }
    }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure("write", path) }
    defer { close(file) }
    let number = StandardStreams.write(text, to: file)
    if number != 0 {
      errno = number
      throw failure("write", path)
    }
  }

  private static func failure(_ what: String, _ path: String) -> TideError {
    TideError(.scriptFile, "cannot \(what) \(path): \(String(cString: strerror(errno)))")
  }
}
