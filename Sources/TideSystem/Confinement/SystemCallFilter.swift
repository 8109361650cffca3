import CTideSystem

/// A seccomp filter: a classic BPF program that decides about each system call.
///
/// It finds the call's number by binary search, because the kernel runs the filter once for every
/// number when it is installed:
///
///     architecture? ── another ──> absent
///     number ── x32, or newer than known ──> absent
///       < 150? … < 101? … ptrace ──> refused
///                         …       ──> allowed
///                         kill    ──> its arguments decide
struct SystemCallFilter {
  enum Architecture: Equatable {
    case x86, arm

    /// This machine's architecture; nil if the filter does not support it.
    static var current: Architecture? {
      #if arch(x86_64)
        .x86
      #elseif arch(arm64)
        .arm
      #else
        nil
      #endif
    }

    /// The kernel's `AUDIT_ARCH_…` constant.
    var code: UInt32 { self == .x86 ? 0xC000_003E : 0xC000_00B7 }

    func number(of call: SystemCall) -> Int? { self == .x86 ? call.x86 : call.arm }
  }

  private(set) var instructions: [TideFilterInstruction] = []

  /// - Parameters:
  ///   - process: the identifier of the filtered process, which may signal itself.
  ///   - allowsNetwork: whether internet sockets may be created and used.
  ///   - allowsServing: whether the process may accept connections.
  ///   - listeners: descriptors on which `listen` is always allowed.
  ///   - holdsMemory: whether memory that process limits do not count is refused.
  init(
    for architecture: Architecture, process: Int32, allowsNetwork: Bool, allowsServing: Bool = true,
    listeners: [Int32] = [], holdsMemory: Bool = false
  ) {
    var table = Table(architecture)
    for call in SystemCall.refused { table[call] = Table.refused }
    for call in SystemCall.absent { table[call] = Table.absent }
    let own = UInt32(bitPattern: process)
    table.decide(.clone, [.lacks(Bits.newNamespaces, in: 0), .has(Bits.thread, in: 0)])
    // The process itself; and SIGTSTP for its process group, so that Ctrl-Z stops the whole job.
    table.decide(
      .kill, [.isOne(of: [own], 0)], or: [.isOne(of: [0], 0), .isOne(of: [Bits.stop], 1)])
    for call in SystemCall.signalling { table.decide(call, [.isOne(of: [own], 0)]) }
    for call in SystemCall.aboutProcesses { table.decide(call, [.isOne(of: [0, own], 0)]) }
    table.decide(.setPriority, [.isOne(of: [0], 0), .isOne(of: [0, own], 1)])
    table.decide(.setDiskPriority, [.isOne(of: [1], 0), .isOne(of: [0, own], 1)])
    // Other users could start a set-user-ID file and act for this user, outside of the confinement.
    table.decide(.create, [.lacks(Bits.setID, in: 1)])
    table.decide(.open, [.lacks(Bits.makeFile, in: 1)], or: [.lacks(Bits.setID, in: 2)])
    table.decide(.openAt, [.lacks(Bits.makeFile, in: 2)], or: [.lacks(Bits.setID, in: 3)])
    table.decide(.controlProcess, [.isNone(of: Bits.refusedProcessControls, 0)])
    table.decide(.controlDevice, [.isOne(of: Bits.controls, 1)])
    table.decide(.controlFile, [.isOne(of: Bits.fileControls, 1)])
    // Only stream and packet sockets: a datagram socket could send anywhere with `sendmsg`.
    table.decide(
      .socketPair, [.isOne(of: [Bits.local], 0), .masked(0xF, isOne: [1, 5], of: 1)])
    if allowsNetwork {
      // Only TCP and UDP. Multipath TCP and raw sockets would bypass Landlock's rules for ports.
      table.decide(
        .socket,
        [
          .isOne(of: Bits.internet, 0), .masked(0xF, isOne: [1, 2], of: 1),
          .isOne(of: [0, 6, 17], 2),
        ],
        or: [.isOne(of: [Bits.netlink], 0), .isOne(of: [0], 2)])
      // TCP Fast Open, which connects by sending data, would bypass them as well.
      table.decide(.sendTo, [.lacks(Bits.fastOpen, in: 3)])
      table.decide(.sendMessage, [.lacks(Bits.fastOpen, in: 2)])
      table.decide(.sendMessages, [.lacks(Bits.fastOpen, in: 3)])
      if !allowsServing { table[.listen] = Table.refused }
    } else {
      for call in [SystemCall.socket, .connect, .bind, .listen] { table[call] = Table.refused }
      table.decide(.sendTo, [.isNull(4)])
    }
    if !listeners.isEmpty, !(allowsNetwork && allowsServing) {
      table.decide(.listen, [.isOne(of: listeners.map { UInt32(bitPattern: $0) }, 0)])
    }
    if holdsMemory {
      for call in SystemCall.memoryFiles { table[call] = Table.refused }
      table.decide(.mapMemory, [.lacks(Bits.shared, in: 3)], or: [.lacks(Bits.anonymous, in: 3)])
    }
    assemble(table, architecture)
  }

  /// Constants of the kernel's interface.
  private enum Bits {
    /// All CLONE_NEW… flags.
    static let newNamespaces: UInt32 = 0x7E02_0080
    /// CLONE_THREAD
    static let thread: UInt32 = 0x10000
    /// SIGTSTP
    static let stop: UInt32 = 20
    /// O_CREAT and the bit that only O_TMPFILE has
    static let makeFile: UInt32 = 0o20_000_100
    /// S_ISUID, S_ISGID
    static let setID: UInt32 = 0o6000
    /// PR_SET_DUMPABLE, PR_SET_MM, PR_SET_PTRACER
    static let refusedProcessControls: [UInt32] = [4, 35, 0x5961_6D61]
    /// Requests to terminals, and to any descriptor, that programs need. Others could simulate the
    /// user's typing, cause signals, or change a file through a read-only descriptor.
    ///
    /// TCGETS, TCSETS, TCSETSW, TCSETSF and the same with 2 at the end, TCSBRK, TCXONC, TCFLSH,
    /// TIOCGPGRP, TIOCOUTQ, TIOCGWINSZ, FIONREAD, FIONBIO, TCSBRKP, TIOCGSID, FIONCLEX, FIOCLEX.
    static let controls: [UInt32] = [
      0x5401, 0x5402, 0x5403, 0x5404, 0x802C_542A, 0x402C_542B, 0x402C_542C, 0x402C_542D,
      0x5409, 0x540A, 0x540B, 0x540F, 0x5411, 0x5413, 0x541B, 0x5421, 0x5425, 0x5429,
      0x5450, 0x5451,
    ]
    /// F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, process and descriptor locks, F_DUPFD_CLOEXEC.
    /// Excludes leases, change notifications, owners and their signals, seals, and hints.
    static let fileControls: [UInt32] = [0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030]
    /// AF_UNIX
    static let local: UInt32 = 1
    /// AF_INET, AF_INET6
    static let internet: [UInt32] = [2, 10]
    /// AF_NETLINK. The resolver uses NETLINK_ROUTE, 0, to list interfaces.
    static let netlink: UInt32 = 16
    /// MAP_SHARED, and a bit of MAP_SHARED_VALIDATE
    static let shared: UInt32 = 1
    /// MAP_ANONYMOUS
    static let anonymous: UInt32 = 0x20
    /// MSG_FASTOPEN
    static let fastOpen: UInt32 = 0x2000_0000
  }

  // MARK: Deciding

  /// The verdict for each system call.
  private struct Table {
    static let allowed: UInt8 = 0
    static let refused: UInt8 = 1
    static let absent: UInt8 = 2

    let architecture: Architecture
    /// Verdicts by number: one of those three, or a higher value that stands for an index into
    /// `checks`.
    private(set) var verdicts = [UInt8](repeating: allowed, count: SystemCall.newest + 1)
    private var checks: [[TideFilterInstruction]] = []

    init(_ architecture: Architecture) { self.architecture = architecture }

    subscript(call: SystemCall) -> UInt8 {
      get { architecture.number(of: call).map { verdicts[$0] } ?? Self.allowed }
      set { if let number = architecture.number(of: call) { verdicts[number] = newValue } }
    }

    /// Allows a call if all of `conditions` hold, or all of `others`.
    mutating func decide(
      _ call: SystemCall, _ conditions: [Condition], or others: [Condition]? = nil
    ) {
      checks.append(
        SystemCallFilter.code(for: conditions) + (others.map(SystemCallFilter.code(for:)) ?? [])
          + [SystemCallFilter.refuse])
      self[call] = Self.absent + UInt8(checks.count)
    }

    func code(for verdict: UInt8) -> [TideFilterInstruction] {
      switch verdict {
      case Self.allowed: [SystemCallFilter.allow]
      case Self.refused: [SystemCallFilter.refuse]
      case Self.absent: [SystemCallFilter.reportAbsent]
      default: checks[Int(verdict - Self.absent) - 1]
      }
    }
  }

  /// A condition for an argument; tests only its lower 32 bits unless noted.
  private enum Condition {
    case isOne(of: [UInt32], Int)
    case isNone(of: [UInt32], Int)
    case has(UInt32, in: Int)
    case lacks(UInt32, in: Int)
    case masked(UInt32, isOne: [UInt32], of: Int)
    /// All 64 bits, because it is a pointer.
    case isNull(Int)
  }

  // MARK: Assembling

  private enum Opcode: UInt16 {
    case load = 0x20, and = 0x54
    case ifEqual = 0x15, ifGreater = 0x25, ifAtLeast = 0x35, ifHas = 0x45
    case jump = 0x05, `return` = 0x06
  }

  private static func error(_ number: UInt32) -> UInt32 { 0x0005_0000 | number }
  private static let allow = instruction(.return, 0x7FFF_0000)
  /// EPERM
  private static let refuse = instruction(.return, error(1))
  /// ENOSYS
  private static let reportAbsent = instruction(.return, error(38))

  private static func instruction(
    _ code: Opcode, _ value: UInt32, then: Int = 0, else other: Int = 0
  ) -> TideFilterInstruction {
    // Distances are small by construction: these jumps stay within one call's argument checks.
    TideFilterInstruction(
      code: code.rawValue, jump_true: UInt8(clamping: then), jump_false: UInt8(clamping: other),
      value: value)
  }

  private mutating func assemble(_ table: Table, _ architecture: Architecture) {
    instructions.reserveCapacity(512)
    instructions += [
      Self.instruction(.load, 4),
      Self.instruction(.ifEqual, architecture.code, then: 1),
      Self.reportAbsent,
      Self.instruction(.load, 0),
      // The numbers of the x32 ABI are much higher.
      Self.instruction(.ifGreater, UInt32(SystemCall.newest), else: 1),
      Self.reportAbsent,
    ]
    let verdicts = table.verdicts
    let starts = verdicts.indices.filter { $0 == 0 || verdicts[$0] != verdicts[$0 - 1] }
    search(starts[...], table)
  }

  /// Finds the range of the call's number by binary search; all numbers in a range have the same
  /// verdict.
  private mutating func search(_ starts: ArraySlice<Int>, _ table: Table) {
    guard starts.count > 1 else {
      if let start = starts.first { instructions += table.code(for: table.verdicts[start]) }
      return
    }
    let middle = starts.startIndex + starts.count / 2
    // The code for the lower half may be longer than the reach of a conditional jump.
    let jump = instructions.count + 1
    instructions.append(Self.instruction(.ifAtLeast, UInt32(starts[middle]), else: 1))
    instructions.append(Self.instruction(.jump, 0))
    search(starts[..<middle], table)
    instructions[jump].value = UInt32(instructions.count - jump - 1)
    search(starts[middle...], table)
  }

  /// Code that allows the call if all conditions hold, and otherwise continues after itself.
  private static func code(for conditions: [Condition]) -> [TideFilterInstruction] {
    var code = [allow]
    for condition in conditions.reversed() { code = test(condition, before: code.count) + code }
    return code
  }

  /// Code that continues if the condition holds, and otherwise skips the following `rest`
  /// instructions.
  private static func test(_ condition: Condition, before rest: Int) -> [TideFilterInstruction] {
    switch condition {
    case .isOne(let values, let argument):
      return [load(argument)] + test(isOneOf: values, before: rest)
    case .masked(let mask, let values, let argument):
      return [load(argument), instruction(.and, mask)] + test(isOneOf: values, before: rest)
    case .isNone(let values, let argument):
      let tests = values.indices.map { index in
        instruction(.ifEqual, values[index], then: values.count - 1 - index + rest)
      }
      return [load(argument)] + tests
    case .has(let bits, let argument):
      return [load(argument), instruction(.ifHas, bits, else: rest)]
    case .lacks(let bits, let argument):
      return [load(argument), instruction(.ifHas, bits, then: rest)]
    case .isNull(let argument):
      return [
        load(argument), instruction(.ifEqual, 0, else: rest + 2),
        load(argument, isUpper: true), instruction(.ifEqual, 0, else: rest),
      ]
    }
  }

  private static func test(isOneOf values: [UInt32], before rest: Int) -> [TideFilterInstruction] {
    values.indices.map { index in
      let left = values.count - 1 - index
      return instruction(.ifEqual, values[index], then: left, else: left == 0 ? rest : 0)
    }
  }

  /// Loads one half of an argument from `struct seccomp_data`; both architectures are
  /// little-endian.
  private static func load(_ argument: Int, isUpper: Bool = false) -> TideFilterInstruction {
    instruction(.load, UInt32(16 + argument * 8 + (isUpper ? 4 : 0)))
  }
}
