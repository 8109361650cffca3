import TideLua
import TideSystem

/// The line coverage of a run: a table for people, an annotated listing of the files, and a trace
/// file in lcov's format.
///
/// ```
/// Coverage
///
/// File            Lines  Missed   Cover  Missed lines
/// src/fruit.lua      12       3   75.0%  7-8, 12
/// ```
package struct CoverageReport {
  package let files: [FileCoverage]
  /// The required line coverage in percent; nil for none.
  private let threshold: Double?
  private let bounds: ProjectBounds?

  package static let folder = "coverage"

  /// - Parameter specs: the spec files, which are not measured.
  init(_ record: CoverageRecord, _ options: TestOptions, specs: [String]) throws {
    bounds = options.bounds
    let configuration = try CoverageConfiguration(options)
    threshold = options.coverageThreshold ?? configuration.threshold
    let rules = try CountedLines()
    let project = SystemPath.real(".") ?? "."
    let specs = Set((specs + [options.helper ?? ""]).compactMap(SystemPath.real))
    var counts: [String: [UInt32]] = [:]
    func add(_ name: String, _ lines: [UInt32]) {
      guard let real = SystemPath.real(name), real.hasPrefix(project + "/") else { return }
      let path = String(real.dropFirst(project.count + 1))
      if configuration.counts(path, isSpec: specs.contains(real)) {
        counts[path, default: []].add(lines)
      }
    }
    for (name, lines) in record.all { add(name, lines) }
    for name in ProjectScripts.find(in: configuration.untested, within: bounds) { add(name, []) }
    // A file that no longer exists cannot be shown.
    files = counts.keys.sorted().compactMap { path in
      guard let file = try? SpecFile.read(path) else { return nil }
      return try? FileCoverage(path, file, counts[path] ?? [], rules)
    }
  }

  /// A message if the coverage is below the threshold; nil otherwise.
  package var shortfall: String? {
    let (hits, lines) = total
    guard let threshold, Double(hits) * 100 < threshold * Double(lines) else { return nil }
    return "the coverage is \(Self.percent(hits, lines)), below the threshold of "
      + "\(Seconds.text(threshold))%; test the missed lines, or lower --coverage-threshold"
  }

  // MARK: Texts

  /// The table for the terminal.
  package var table: String {
    if files.isEmpty { return "\nCoverage: there is no file below this folder that counts\n" }
    var rows = [["File", "Lines", "Missed", "Cover", "Missed lines"]]
    for file in files {
      rows.append(
        [file.path] + Self.numbers(file.hits, file.lines.count) + [file.missedLines])
    }
    let (hits, lines) = total
    rows.append(["All"] + Self.numbers(hits, lines) + [""])
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = "\nCoverage\n\n"
    for row in rows {
      var line = row[0].padded(to: widths[0])
      for column in 1...3 { line += "  " + row[column].padded(to: widths[column], isLeading: true) }
      line += row[4].isEmpty ? "" : "  " + row[4]
      text += line + "\n"
    }
    return text
  }

  var total: (hits: Int, lines: Int) {
    files.reduce((0, 0)) { ($0.0 + $1.hits, $0.1 + $1.lines.count) }
  }

  private static func numbers(_ hits: Int, _ lines: Int) -> [String] {
    ["\(lines)", "\(lines - hits)", percent(hits, lines)]
  }

  /// Rounded down, so that 100.0% means all lines.
  static func percent(_ hits: Int, _ lines: Int) -> String {
    let tenths = lines == 0 ? 1000 : hits * 1000 / lines
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// All files with execution counts beside their lines; stars mark lines that did not run.
  package var listing: String {
    var text = ""
    for file in files {
      let bar = String(repeating: "=", count: 78)
      text += "\(bar)\n\(file.path)\n\(bar)\n"
      var counts: [Int: UInt32] = [:]
      for (number, count) in file.lines { counts[number] = count }
      for (index, line) in file.text.enumerated() {
        if index == file.text.count - 1 && line.isEmpty { break }
        let count = counts[index + 1].map { $0 == 0 ? "***0" : "\($0)" } ?? ""
        text += count.padded(to: 8, isLeading: true) + (line.isEmpty ? "" : " " + line) + "\n"
      }
      text += "\n"
    }
    return text
  }

  /// The coverage in the format of lcov's trace files.
  package var lcov: String {
    var text = ""
    let folder = SystemPath.real(".") ?? "."
    for file in files {
      text += "TN:\nSF:\(folder)/\(file.path)\n"
      for (number, count) in file.lines { text += "DA:\(number),\(count)\n" }
      text += "LH:\(file.hits)\nLF:\(file.lines.count)\nend_of_record\n"
    }
    return text
  }

  /// Writes `lcov.info`, `report.txt` and `index.html` into the folder `coverage`. Returns an error
  /// message, or nil.
  package func write() -> String? {
    if bounds?.contains(Self.folder) == false {
      return "\(Self.folder) leads out of the project, which --sandbox keeps to"
    }
    if mkdir(Self.folder, 0o777) != 0 && errno != EEXIST {
      return "\(Self.folder) cannot be made: \(String(cString: strerror(errno)))"
    }
    return write(lcov, to: "lcov.info") ?? write(listing, to: "report.txt")
      ?? write(page, to: "index.html")
  }

  private func write(_ text: String, to name: String) -> String? {
    let path = Self.folder + "/" + name
    if bounds?.contains(path) == false {
      return "\(path) cannot be written: it leads out of the project, which --sandbox keeps to"
    }
    guard let problem = TextFile.write(text, to: path) else { return nil }
    return "\(path) cannot be written: \(problem)"
  }
}

extension String {
  fileprivate func padded(to width: Int, isLeading: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return isLeading ? spaces + self : self + spaces
  }
}

/// Finds the Lua files below folders of the project.
private enum ProjectScripts {
  /// The search stops at this number of files.
  private static let most = 20_000
  /// Folders of installed modules.
  private static let foreign: Set<String> = ["lua_modules", "node_modules"]

  /// Finds files in folders recursively. Skips hidden folders and symbolic links.
  static func find(in roots: [String], within bounds: ProjectBounds?) -> [String] {
    var found: [String] = []
    for root in roots where bounds?.contains(root) != false { collect(root, &found) }
    return found
  }

  private static func collect(_ path: String, _ found: inout [String]) {
    var status = stat()
    guard found.count < most, stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: if path.hasSuffix(".lua") { found.append(path) }
    case S_IFDIR:
      for name in (ReadableFile.names(in: path) ?? []).sorted() where isWanted(name) {
        let inner = path == "." ? name : "\(path)/\(name)"
        var kind = stat()
        let isLink = lstat(inner, &kind) == 0 && kind.st_mode & S_IFMT == S_IFLNK
        if !isLink { collect(inner, &found) }
      }
    default: break
    }
  }

  private static func isWanted(_ name: String) -> Bool {
    !name.hasPrefix(".") && !foreign.contains(name)
  }
}
