import FoundationEssentials

/// A machine's figures as they were once, sample by sample.
///
/// The folder holds a text file a sample, in the order of their names: files of /proc one after the
/// other, each after its name, as `tail -n +1 stat meminfo …` prints them. In place of the folders
/// of processes there is a file `processes` with a line for each: the user's name, /proc/PID/stat
/// (its first 24 fields suffice), a tab, the command.
final class RecordedMachine: MachineSource {
  let units = MachineUnits()
  let isLive = false

  /// Those still to come, the next one last.
  private var samples: [Sample]

  init(_ path: String) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let folder = ProcFolder(path)
    samples = names.filter { $0.hasSuffix(".txt") }.sorted(by: >).map {
      Sample(recorded: folder.read($0))
    }
    // Other texts may lie there, but nothing that has a time is one by chance.
    samples.removeAll { $0.uptime == 0 }
    if samples.isEmpty { throw RecordingError(path: path) }
  }

  func sample() -> Sample? { samples.popLast() }
}

extension Sample {
  /// Reads one recorded file.
  init(recorded text: [UInt8]) {
    let files = Self.files(in: text)
    self.init { files[$0] ?? [] }
    for line in files["processes", default: []].split(separator: UInt8(ascii: "\n")) {
      guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
      let parts = line[(space + 1)...].split(separator: UInt8(ascii: "\t"), maxSplits: 1)
      guard let figures = parts.first, var process = ProcessFigures(parsing: Array(figures)) else {
        continue
      }
      process.user = String(decoding: line[..<space], as: UTF8.self)
      process.command = process.command(parsing: parts.count > 1 ? Array(parts[1]) : [])
      processes.append(process)
    }
  }

  /// The parts by name: each follows a line `==> name <==`.
  private static func files(in text: [UInt8]) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var name = ""
    for line in text.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: "==> ".utf8), line.suffix(4).elementsEqual(" <==".utf8) {
        name = String(decoding: line.dropFirst(4).dropLast(4), as: UTF8.self)
      } else {
        files[name, default: []] += line + [UInt8(ascii: "\n")]
      }
    }
    return files
  }
}

/// A folder without recorded samples.
struct RecordingError: Error, CustomStringConvertible {
  let path: String
  var description: String { "\(path) holds no recorded samples: no files as in \(Self.example)" }

  private static let example = "examples/monitor/recorded"
}
