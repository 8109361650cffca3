import TideBindings
import TideSystem

/// Makes reports by their names.
package enum SpecReports {
  package static let names = ["utfTerminal", "plainTerminal", "TAP", "json", "junit", "gtest"]

  /// A report, and whether it came out whole, asked at the end.
  package struct Made {
    package let report: any SpecReport
    package let isGood: () -> Bool
  }

  /// The report that was asked for, else the one for where it is written.
  ///
  /// - Parameter complain: called with what could not be done as asked.
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

  /// A handler that is written in Lua; where there is none, the usual report, and a complaint.
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

/// Files that reports write.
enum TextFile {
  /// Gives why it cannot be written, or nil.
  static func write(_ text: String, to file: String) -> String? {
    // Opening a named pipe without a reader would block for ever.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = open(file, flags, 0o666)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    // One that somebody reads takes the text at the reader's pace.
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

/// Says aloud how a run went, with whichever speaking program is installed.
package enum Announcement {
  /// Does not wait for the end of it; where no program can speak, nothing is said.
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
