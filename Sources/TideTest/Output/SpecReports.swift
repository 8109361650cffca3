import TideBindings
import TideSystem

/// Creates reports by name.
package enum SpecReports {
  package static let names = ["utfTerminal", "plainTerminal", "TAP", "json", "junit", "gtest"]

  /// A report, and whether it succeeded, which is queried at the end.
  package struct Made {
    package let report: any SpecReport
    package let isGood: () -> Bool
  }

  /// Creates the requested report, or the default one for the output device.
  ///
  /// - Parameter complain: receives warnings about options that could not be honoured.
  package static func make(
    _ options: TestOptions, _ writer: ReportWriter, isTerminal: Bool,
    _ complain: @escaping (String) -> Void
  ) throws -> Made {
    let usual = isTerminal ? "utfTerminal" : "plainTerminal"
    var words = ReportWords()
    do { words = try ReportWords(options) } catch {
      complain("there are no words for --lang \(options.language): \(error)")
    }
    var style = ReportStyle(options, hasColors: hasColors(options, isTerminal))
    if options.writesLines { return whole(LineReport(writer, style)) }
    switch options.output ?? usual {
    case "utfTerminal": return whole(TerminalReport(writer, .utf, style, words))
    case "plainTerminal":
      style.hasColors = options.hasColors ?? false
      return whole(TerminalReport(writer, .plain, style, words))
    case "TAP": return whole(TAPReport(writer, style))
    case "json": return whole(JSONReport(writer, style))
    case "gtest": return whole(GTestReport(writer, style))
    case "junit": return junit(options, writer, style, complain)
    case let name: return lua(name, options, writer, style, words, isTerminal, complain)
    }
  }

  /// Creates a handler written in Lua. If there is none, warns and creates the default report.
  private static func lua(
    _ name: String, _ options: TestOptions, _ writer: ReportWriter, _ style: ReportStyle,
    _ words: ReportWords, _ isTerminal: Bool, _ complain: @escaping (String) -> Void
  ) -> Made {
    do {
      let report = try LuaReport(name, options, writer, isTerminal: isTerminal, complain)
      return Made(report: report) { !report.hasFailed }
    } catch {
      let hint = NearestName.hint(for: name, in: names)
      complain("Cannot load output library: \(name)\(hint)\n\(error)")
      let signs = isTerminal ? TerminalReport.Signs.utf : .plain
      return Made(report: TerminalReport(writer, signs, style, words)) { false }
    }
  }

  private static func whole(_ report: any SpecReport) -> Made { Made(report: report) { true } }

  private static func junit(
    _ options: TestOptions, _ writer: ReportWriter, _ style: ReportStyle,
    _ complain: @escaping (String) -> Void
  ) -> Made {
    var isGood = true
    let report = JUnitReport(writer, style) { text in
      guard let file = options.outputArguments.first else { return writer.write(text) }
      if let problem = TextFile.write(text, to: file) {
        complain("\(file) cannot be written: \(problem)")
        isGood = false
        writer.write(text)
      }
    }
    return Made(report: report) { isGood }
  }

  private static func hasColors(_ options: TestOptions, _ isTerminal: Bool) -> Bool {
    if let hasColors = options.hasColors { return hasColors }
    if options.outputArguments.contains("--plain") { return false }
    if options.outputArguments.contains("--color") { return true }
    return isTerminal && (getenv("NO_COLOR").map { String(cString: $0) } ?? "").isEmpty
  }
}

/// Files written by reports.
enum TextFile {
  /// Writes a text file. Returns an error message, or nil.
  static func write(_ text: String, to file: String) -> String? {
    // Non-blocking, because opening a named pipe without a reader would block.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = open(file, flags, 0o666)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    // Writing then blocks until the reader of a pipe catches up.
    _ = fcntl(descriptor, F_SETFL, O_WRONLY)
    guard let stream = fdopen(descriptor, "w") else {
      let problem = String(cString: strerror(errno))
      close(descriptor)
      return problem
    }
    let count = fputs(text, stream)
    let isClosed = fclose(stream) == 0
    return count < 0 || !isClosed ? String(cString: strerror(errno)) : nil
  }
}

/// Speaks the result of a run with an installed speech program.
package enum Announcement {
  /// Returns without waiting for the program; does nothing if none is installed.
  package static func say(isGood: Bool) {
    let text = isGood ? "All tests passed" : "Some tests failed"
    for program in ["espeak-ng", "espeak", "say"] where start(program, text) { return }
  }

  private static func start(_ program: String, _ text: String) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(1)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(text), nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    return posix_spawnp(&process, program, &actions, nil, &arguments, environ) == 0
  }
}
