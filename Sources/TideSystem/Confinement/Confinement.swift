import CTideSystem
import Synchronization

/// Confines the whole process with the kernel's help: what it may do from now on, whatever code it
/// runs.
///
/// ```swift
/// var confinement = Confinement()
/// confinement.readable = ["/srv/fruit"]
/// confinement.writable = ["/var/lib/fruit"]
/// let report = try confinement.apply()
/// print(report)      // files (Landlock 7), system calls, privileges, dumps
/// ```
///
/// Other files can be neither opened nor created. No programs can be started, no sockets created,
/// and no other process signalled, traced or inspected. Open descriptors stay usable, so create
/// sockets first. Confinement cannot be undone, and applies to every thread.
///
/// Apply it early: before untrusted code runs, and preferably while the process has a single
/// thread, because confining other threads takes longer.
public struct Confinement: Sendable {
  /// Folders and single files that may be read.
  public var readable: [String] = []
  /// Folders in which files may be created, changed, renamed and removed, and single files that may
  /// be changed. To read them as well, add them to ``readable``.
  public var writable: [String] = []
  /// Readable folders and files that may later be replaced as a whole, as editors and deployments
  /// do. The kernel's rule applies to the folder itself, not to its name, so access to a new folder
  /// of the same name would be refused. The broker, a helper process, opens it for reading instead.
  ///
  /// A path that could be renamed through a writable folder is not reopened.
  public var reopened: [String] = []
  /// Whether internet sockets may be created.
  public var allowsNetwork = false
  /// Whether the broker starts programs for scripts. Such programs are not confined, and have all
  /// of the user's permissions.
  public var startsPrograms = false
  /// Programs that the broker may start by name if ``startsPrograms`` is false. They are confined
  /// separately: they may read what programs need, and have this process's rights to other files.
  package var programs: [String] = []
  /// Environment variables that programs inherit, in addition to the standard ones.
  package var variables: [String] = []
  /// Whether to allow what every program needs, such as terminal descriptions, time zones, shared
  /// libraries, and `/dev/null`.
  public var includesSystem = true
  /// The TCP ports to which connections may be made, in addition to the DNS port; nil for all.
  /// Requires Landlock 4 (Linux 6.7).
  package var ports: [Int]?
  /// Whether the process may not accept network connections.
  package var isClientOnly = false
  /// Listening sockets on which `listen` may be called again, as server libraries do.
  package var listeners: [Int32] = []
  /// Folders in which files may be removed, but nothing else.
  package var removable: [String] = []
  /// Folders in which empty folders may be removed, but nothing else.
  package var tidied: [String] = []
  /// Folders that the broker removes at the end if they are empty, even if the process was killed.
  package var emptied: [String] = []
  /// Folders in which an open unnamed file may be given a name.
  package var linkable: [String] = []
  /// The shell command with which the broker edits a file.
  package var editor: String?
  /// The folder in which the broker creates unnamed files.
  package var scratch: String?
  /// The main function of forked workers; nil if the broker forks none.
  package var worker: WorkerBody?
  /// Whether memory that process limits do not count is refused: anonymous shared memory, and files
  /// in memory.
  package var holdsMemory = false
  /// Whether the broker has already been started.
  var hasBroker = false

  /// Allows only what every program needs.
  public init() {}

  /// How much of the confinement must be enforced.
  ///
  /// ```swift
  /// try confinement.apply(.bestEffort)
  /// ```
  public enum Strictness: Sendable {
    /// Everything, or an error.
    case required
    /// As much as the kernel offers.
    case bestEffort
  }

  /// Confines the process.
  ///
  /// - Parameter strictness: whether it is an error if some part cannot be enforced. The other
  ///   parts are enforced even then.
  /// - Returns: the enforced parts, and the reasons why others are not.
  /// - Throws: ``ConfinementError``, which names the missing parts.
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

  /// Whether confinement has been applied or attempted, completely or partly.
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
      // Abstract sockets, and signals if no filter refuses them. With the filter, Landlock's scope
      // would only prevent Ctrl-Z from stopping the whole job.
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

  /// The TCP rights that are refused unless a rule allows them. Without network access the filter
  /// also refuses all kinds of sockets.
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
