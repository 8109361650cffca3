import CTideSystem
import Synchronization

/// The kernel's wall around the whole process: what it may do from now on, whatever code runs in
/// it.
///
/// ```swift
/// var confinement = Confinement()
/// confinement.readable = ["/srv/fruit"]
/// confinement.writable = ["/var/lib/fruit"]
/// let report = try confinement.apply()
/// print(report)      // files (Landlock 7), system calls, privileges, dumps
/// ```
///
/// Files elsewhere can be neither opened nor made; no program can be started, no socket made, no
/// other process signalled, traced or inspected. What is already open stays open, so make sockets
/// first. The wall cannot be taken down; it holds in every thread.
///
/// Apply it early: before untrusted code runs, and preferably before there is a second thread,
/// because confining the others takes longer.
public struct Confinement: Sendable {
  /// Folders, and single files, that may be read.
  public var readable: [String] = []
  /// Folders in which files may be made, changed, renamed and removed; and files that may be
  /// changed. To be read as well they must also be in ``readable``.
  public var writable: [String] = []
  /// Those of the readable folders and files that may later be replaced as a whole, as editors and
  /// deployments do. The kernel's rule is about a folder, not about its name, so a new folder of
  /// the same name would be refused; the broker, a helper process, opens it for reading instead.
  ///
  /// A path that could be renamed by way of a writable folder is not reopened.
  public var reopened: [String] = []
  /// Whether sockets of the internet's families may be made.
  public var allowsNetwork = false
  /// Whether the broker starts programs for scripts that may run some. They are outside of the wall
  /// and may do all that the user may.
  public var startsPrograms = false
  /// Programs that it starts by these names, where it does not start any. They are behind a wall of
  /// their own: they may read what programs need, and do with other files what this process may.
  package var programs: [String] = []
  /// Variables of the environment that programs inherit beside those that all need.
  package var variables: [String] = []
  /// Whether to allow what any program needs: terminal descriptions, time zones, shared libraries,
  /// `/dev/null` and the like.
  public var includesSystem = true
  /// Of the network, the TCP ports to which connections may be made, besides that of name servers;
  /// nil for all. Kernels before Landlock 4 (Linux 6.7) cannot hold them.
  package var ports: [Int]?
  /// Whether nobody may connect to this process by the network.
  package var isClientOnly = false
  /// Sockets that listen already, and may be told to once more, as libraries of servers do.
  package var listeners: [Int32] = []
  /// Folders in which files may be removed, and nothing else.
  package var removable: [String] = []
  /// Folders in which empty folders may be removed, and nothing else.
  package var tidied: [String] = []
  /// Folders that the broker removes at the end if they are empty, also where the process was
  /// killed.
  package var emptied: [String] = []
  /// Folders in which an open file without a name may be given one.
  package var linkable: [String] = []
  /// The shell command with which the broker edits a file.
  package var editor: String?
  /// The folder in which the broker makes unnamed files.
  package var scratch: String?
  /// The body of the workers that the broker forks; nil where it forks none.
  package var worker: WorkerBody?
  /// Whether memory that the limits of a process do not count is refused: what is shared without a
  /// file, and files in memory.
  package var holdsMemory = false
  /// Whether the broker has already been started.
  var hasBroker = false

  /// Opens nothing beyond what every program needs.
  public init() {}

  /// How much of the wall has to stand.
  ///
  /// ```swift
  /// try confinement.apply(.bestEffort)
  /// ```
  public enum Strictness: Sendable {
    /// All of it, or an error.
    case required
    /// As much as the kernel offers.
    case bestEffort
  }

  /// Puts up the wall.
  ///
  /// - Parameter strictness: whether it is an error if some part cannot be put up. The other parts
  ///   stand even then.
  /// - Returns: which parts stand, and why others do not.
  /// - Throws: ``ConfinementError``, which says what is missing.
  @discardableResult
  public func apply(_ strictness: Strictness = .required) throws(ConfinementError)
    -> ConfinementReport
  {
    var report = ConfinementReport()
    if tide_is_sanitized() {
      for part in ConfinementReport.Part.allCases {
        report.note(part, "this build has a sanitizer, which has to look into the process")
      }
    } else {
      if !hasBroker { try startBroker() }
      Self.applied.store(true, ordering: .relaxed)
      putUp(&report)
    }
    if strictness == .required, !report.isComplete {
      throw ConfinementError("the process cannot be confined: \(report.shortfalls)")
    }
    return report
  }

  private func putUp(_ report: inout ConfinementReport) {
    report.note(.privileges, failure: tide_refuse_privileges(), "prctl(PR_SET_NO_NEW_PRIVS)")
    report.note(.dumps, failure: tide_refuse_dumps(), "prctl(PR_SET_DUMPABLE)")
    let filterFailure = filterProbe()
    confineFiles(&report, isFiltered: filterFailure == 0)
    report.note(
      .systemCalls, failure: filterFailure == 0 ? filterSystemCalls() : filterFailure, "seccomp")
  }

  /// Whether a wall has been put up, wholly or in part, or was attempted.
  package static var isApplied: Bool { applied.load(ordering: .relaxed) }
  private static let applied = Atomic(false)

  // MARK: Files

  private func confineFiles(_ report: inout ConfinementReport, isFiltered: Bool) {
    let version = tide_landlock_version()
    guard version > 0 else {
      report.note(.files, failure: version == 0 ? ENOSYS : -version, "Landlock")
      return
    }
    report.landlockVersion = Int(version)
    let known = FileRights.known(toVersion: version)
    let rights = TideLandlockRights(
      files: known.rawValue,
      network: version >= 4 ? heldNetworkRights : 0,
      // Abstract sockets; and signals where no filter refuses them. Beside the filter, Landlock's
      // scope would only keep Ctrl-Z from stopping the whole job.
      scopes: version >= 6 ? (isFiltered ? 1 : 3) : 0)
    let ruleset = tide_landlock_make(rights, version)
    guard ruleset >= 0 else {
      report.note(.files, failure: -ruleset, "Landlock")
      return
    }
    defer { close(ruleset) }
    for rule in rules {
      let failure = tide_landlock_allow(
        ruleset, rule.path, rule.rights.intersection(known).rawValue)
      if failure != 0 { report.skipped.append(rule.path) }
    }
    if version >= 4, allowsNetwork, let ports {
      for port in Set(ports + [Self.portOfNameServers]) {
        let failure = tide_landlock_allow_port(
          ruleset, UInt16(clamping: port), Self.connectingRight)
        if failure != 0 { report.note(.files, failure: failure, "Landlock's rule for a port") }
      }
    }
    var failure: Int32 = 0
    if tide_thread_count() != 1 {
      let count = tide_landlock_restrict_others(ruleset)
      if count < 0 { failure = -count }
    }
    let ownFailure = tide_landlock_restrict(ruleset)
    report.note(.files, failure: ownFailure != 0 ? ownFailure : failure, "Landlock")
    if version < 3 {
      report.note(
        .files,
        "Landlock \(version) does not prevent readable files from being truncated; "
          + "version 3 (Linux 6.2) does")
    }
  }

  static let networkRights: UInt64 = bindingRight | connectingRight
  private static let bindingRight: UInt64 = 1
  private static let connectingRight: UInt64 = 2
  private static let portOfNameServers = 53

  /// The rights to TCP ports that are refused unless a rule allows them. Without the network the
  /// filter refuses sockets of all kinds as well.
  private var heldNetworkRights: UInt64 {
    if !allowsNetwork { return Self.networkRights }
    return (isClientOnly ? Self.bindingRight : 0) | (ports != nil ? Self.connectingRight : 0)
  }

  var rules: [FileRule] {
    var rules =
      includesSystem ? FileRule.system { name in getenv(name).map { String(cString: $0) } } : []
    if includesSystem, allowsNetwork { rules += FileRule.network }
    rules += readable.map { FileRule($0, .read) }
    rules += writable.map { FileRule($0, .write) }
    rules += removable.map { FileRule($0, .removeFile) }
    rules += tidied.map { FileRule($0, .removeFolder) }
    rules += linkable.map { FileRule($0, .makeFile) }
    return rules
  }

  // MARK: System calls

  private func filterProbe() -> Int32 {
    SystemCallFilter.Architecture.current == nil ? ENOTSUP : tide_filter_probe()
  }

  private func filterSystemCalls() -> Int32 {
    guard let architecture = SystemCallFilter.Architecture.current else { return ENOTSUP }
    let filter = SystemCallFilter(
      for: architecture, process: getpid(), allowsNetwork: allowsNetwork,
      allowsServing: !isClientOnly, listeners: listeners, holdsMemory: holdsMemory)
    return filter.instructions.withUnsafeBufferPointer { instructions in
      instructions.baseAddress.map { tide_filter_install($0, instructions.count) } ?? EINVAL
    }
  }
}
