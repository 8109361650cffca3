import Glibc

/// This machine, as /proc shows it at the moment.
final class LiveMachine: MachineSource {
  let units = MachineUnits(
    ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
    bytesPerPage: sysconf(Int32(_SC_PAGESIZE)))
  let isLive = true

  private let folder: ProcFolder
  private let users: UserNames
  private var commands: [Int: Command] = [:]

  /// A process's command, which is read once, and anew when the process becomes another program.
  private struct Command {
    var name: String
    var started: Int
    var text: String
  }

  init(folder: String = "/proc", users: String = "/etc/passwd") {
    self.folder = ProcFolder(folder)
    self.users = UserNames(parsing: ProcFolder("/").read(String(users.drop { $0 == "/" })))
  }

  func sample() -> Sample? {
    var sample = Sample { folder.read($0) }
    var kept: [Int: Command] = [:]
    for pid in folder.processes() {
      guard let process = process(pid) else { continue }
      kept[pid] = Command(name: process.name, started: process.started, text: process.command)
      sample.processes.append(process)
    }
    commands = kept
    return sample
  }

  /// Nil when the process has gone since it was listed.
  private func process(_ pid: Int) -> ProcessFigures? {
    // The resident size is in this file too, so that one read gives all of a process's figures.
    guard var process = ProcessFigures(parsing: folder.read("\(pid)/stat")) else { return nil }
    if let known = commands[pid], known.started == process.started, known.name == process.name {
      process.command = known.text
    } else {
      // Some programs are started with a megabyte of arguments.
      process.command = process.command(parsing: folder.read("\(pid)/cmdline", upTo: 1024))
    }
    // A process may become another user, and the folder's owner follows.
    process.user = folder.owner(of: "\(pid)").map { users[$0] } ?? ""
    return process
  }
}
