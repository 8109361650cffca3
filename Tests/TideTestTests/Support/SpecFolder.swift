import FoundationEssentials
import Glibc

@testable import TideTest

/// A folder for the specs of one test, gone with it.
final class SpecFolder {
  let path: String

  init() throws {
    // Short, because Lua cuts long names of files in messages.
    var template = Array((NSTemporary.folder + "/specs-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw Missing() }
    path = made
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  struct Missing: Error {}

  private enum NSTemporary {
    static let folder: String = {
      let path = FileManager.default.temporaryDirectory.path
      return path.hasSuffix("/") ? String(path.dropLast()) : path
    }()
  }

  /// Writes a file; gives its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Data(text.utf8))
  }

  @discardableResult
  func write(_ name: String, _ contents: Data) throws -> String {
    let file = path + "/" + name
    let folder = file[..<(file.lastIndex(of: "/") ?? file.endIndex)]
    try FileManager.default.createDirectory(
      atPath: String(folder), withIntermediateDirectories: true)
    try contents.write(to: URL(filePath: file))
    return file
  }

  /// Runs what is in the folder; paths of files are shown without it.
  func run(
    _ output: String = "TAP", _ configure: (inout TestOptions) -> Void = { _ in }
  ) throws -> SpecResult {
    var options = TestOptions()
    options.roots = [path]
    options.output = output
    // A busy machine may take its time.
    options.timeLimit = 60
    configure(&options)
    var text = ""
    var complaints: [String] = []
    let writer = ReportWriter { text += String(decoding: $0, as: UTF8.self) }
    let made = try SpecReports.make(options, writer, isTerminal: false) { complaints.append($0) }
    let isGood = try SuiteRun(options, reporting: made.report).run()
    return SpecResult(
      isGood: isGood && made.isGood(), text: text.replacing(path + "/", with: ""),
      complaints: complaints)
  }
}

/// What came of a run.
struct SpecResult {
  let isGood: Bool
  let text: String
  let complaints: [String]

  /// The lines of a TAP report that tell of a test.
  var tests: [String] {
    text.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("ok") || $0.hasPrefix("not ok")
    }
  }
}
