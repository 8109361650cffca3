import TideLua
import TideREPL
import TideReload
import TideScript
import TideSystem
import TideTerminal

/// Examines the machine; one function per group of traits.
enum Machine {
  // MARK: The terminal

  static func terminal(_ environment: (String) -> String? = variable) -> [MachineTrait] {
    let name = environment("TERM") ?? ""
    let isTerminal = StandardStreams.areTerminal
    let isUsable = isTerminal && !["", "dumb", "unknown"].contains(name)
    let capabilities = TerminalCapabilities.detect(environment)
    let terminal = MachineTrait(
      "terminal", isTerminal ? (name.isEmpty ? "without a name" : name) : "none",
      advice: isUsable
        ? nil
        : isTerminal
          ? "set TERM to the terminal's name, such as xterm-256color"
          : "apps run headless here; start tidelock in a terminal to see them")
    return [terminal, size(isTerminal), colors(capabilities, environment), texts(capabilities)]
  }

  private static func size(_ isTerminal: Bool) -> MachineTrait {
    var size = winsize()
    guard isTerminal, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return MachineTrait("size", "unknown; pictures have 80x24") }
    let isSmall = size.ws_col < 40 || size.ws_row < 10
    return MachineTrait(
      "size", "\(size.ws_col)x\(size.ws_row)",
      advice: isSmall ? "make the terminal larger; most apps want 80x24" : nil)
  }

  private static func colors(
    _ capabilities: TerminalCapabilities, _ environment: (String) -> String?
  ) -> MachineTrait {
    let isRefused = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let more = "set COLORTERM=truecolor if the terminal shows true colour"
    return switch capabilities.colors {
    case .trueColor: MachineTrait("colours", "true colour")
    case .palette256: MachineTrait("colours", "256", advice: more)
    case .ansi16: MachineTrait("colours", "16", advice: more)
    case .ansi8: MachineTrait("colours", "8", advice: more)
    case .none:
      MachineTrait(
        "colours", isRefused ? "none, by NO_COLOR" : "none",
        advice: isRefused ? nil : "set TERM to a terminal with colours, such as xterm-256color")
    }
  }

  private static func texts(_ capabilities: TerminalCapabilities) -> MachineTrait {
    capabilities.isUnicode
      ? MachineTrait("text", "UTF-8")
      : MachineTrait("text", "ASCII only", advice: "set LANG to a UTF-8 locale, such as C.UTF-8")
  }

  // MARK: Watching

  static func watching() -> [MachineTrait] {
    let limits = [
      ("max_user_watches", "folders watched", 8192, 524_288),
      ("max_user_instances", "programs watching", 128, 1024),
    ]
    return limits.map { setting, name, least, better in
      guard let number = number(in: "/proc/sys/fs/inotify/\(setting)") else {
        return MachineTrait(
          name, "unknown", advice: "without inotify, files are looked at four times a second")
      }
      return MachineTrait(
        name, "at most \(number)",
        advice: number < least ? "raise it: sudo sysctl fs.inotify.\(setting)=\(better)" : nil)
    }
  }

  // MARK: Confinement

  static func confinement() -> [MachineTrait] {
    let report = Confinement.probe()
    func trait(_ name: String, _ part: ConfinementReport.Part, _ value: String, _ advice: String)
      -> MachineTrait
    {
      report.shortfall(of: part).map { MachineTrait(name, $0, advice: advice) }
        ?? MachineTrait(name, value)
    }
    let landlock = "version \(report.landlockVersion)"
    return [
      trait(
        "Landlock", .files, landlock,
        "only the sandbox keeps scripts from files; use Linux 6.2 or newer with landlock among its security modules (lsm=)"
      ),
      trait(
        "seccomp", .systemCalls, "yes",
        "only the sandbox keeps scripts from programs and networks; let the container's profile permit seccomp"
      ),
      trait("privileges", .privileges, "can be renounced", "use Linux 3.5 or newer"),
      trait("core dumps", .dumps, "can be refused", "allow the program to lower its limits"),
      MachineTrait(
        "--confine required", report.isComplete ? "can be met" : "cannot be met",
        advice: report.isComplete ? nil : "what stands: \(report)"),
      sockets(),
    ]
  }

  private static func sockets() -> MachineTrait {
    let folder = RuntimeFolder.standard
    let name = "prompts attach by"
    if let problem = folder.problem {
      return MachineTrait(name, folder.path, advice: "\(problem); no prompt can attach")
    }
    return MachineTrait(name, folder.path)
  }

  // MARK: Limits

  static func limits() -> [MachineTrait] {
    let least: UInt = 4 << 30
    let space = limit(__rlimit_resource_t(RLIMIT_AS.rawValue))
    let files = limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue))
    return [
      MachineTrait(
        "address space", space.map { "\($0 >> 20) MiB" } ?? "unlimited",
        advice: space.map { $0 < least } == true
          ? "4 GiB are enough for all budgets: ulimit -v unlimited" : nil),
      MachineTrait(
        "open files", files.map { "at most \($0)" } ?? "unlimited",
        advice: files.map { $0 < 256 } == true ? "raise it: ulimit -n 1024" : nil),
    ]
  }

  /// The soft limit; nil if unlimited.
  private static func limit(_ resource: __rlimit_resource_t) -> UInt? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return UInt(limit.rlim_cur)
  }

  // MARK: The interpreter

  static func interpreter() -> [MachineTrait] {
    let origin = LuaInterpreter.isOwnBuild ? "built for tidelock" : "the system's"
    let lua = MachineTrait("Lua", "\(LuaInterpreter.version), \(origin)")
    guard let state = try? LuaState() else {
      return [lua, MachineTrait("interpreter", "cannot be started", advice: "free some memory")]
    }
    let layout = "interpreter's layout"
    let unknown =
      "an operation of the interpreter that never ends can only be stopped by ending the program; use a release build of tidelock, or another release of Lua 5.4"
    return [
      lua,
      state.isLayoutKnown
        ? MachineTrait(layout, "known") : MachineTrait(layout, "unknown", advice: unknown),
      LuaInterpreter.hasConcatenationFault
        ? MachineTrait("operator ..", "faulty, worked around")
        : MachineTrait("operator ..", "sound"),
      faults(),
    ]
  }

  /// The known bugs of the linked Lua release.
  private static func faults() -> MachineTrait {
    let name = "known faults of Lua"
    let faults = LuaInterpreter.faults
    guard !faults.isEmpty else {
      return MachineTrait(name, LuaInterpreter.isGuarded ? "guarded against" : "none")
    }
    let texts = faults.map { "\($0.summary) (5.4.\($0.mendedIn))" }
    return MachineTrait(
      name, "\(faults.count) that scripts can reach",
      advice: """
        hostile scripts may break out of the interpreter, and then only the kernel confines them; use \
        the program that scripts/install makes, or a later Lua: \(texts.joined(separator: "; "))
        """)
  }

  // MARK: Reading

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func number(in path: String) -> Int? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, file) != nil else { return nil }
    let digits = line.prefix { (48...57).contains($0) }
    return Int(String(decoding: digits.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}

/// One property of the machine that matters to apps, with advice if it could be better.
struct MachineTrait {
  let name: String
  let value: String
  /// How to improve it; nil if it is fine.
  let advice: String?

  init(_ name: String, _ value: String, advice: String? = nil) {
    self.name = name
    self.value = value
    self.advice = advice
  }

  /// Text for people: a mark, the name in a column, the value, and any advice on the next line.
  func text(nameWidth: Int, isColored: Bool) -> String {
    let mark = advice == nil ? "✓" : "!"
    let color = advice == nil ? "32" : "33"
    let shown = isColored ? "\u{1b}[\(color)m\(mark)\u{1b}[0m" : mark
    let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
    let line = "\(shown) \(name)\(padding)  \(value)"
    guard let advice else { return line }
    return line + "\n" + String(repeating: " ", count: nameWidth + 4) + advice
  }

  var json: String {
    var object = JSONLine()
    object.add("name", name)
    object.add("value", value)
    object.add("ok", advice == nil)
    if let advice { object.add("advice", advice) }
    return object.text
  }
}
