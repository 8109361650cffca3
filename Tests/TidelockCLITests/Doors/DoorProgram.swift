import TestFolders
import AttackFiles
import Glibc
import Testing
import TideREPL

/// Lets attacks come in at a door of the built program, as users run it.
///
/// ```swift
/// let faults = try DoorProgram(assault).faults()      // [] when all is well
/// ```
struct DoorProgram {
  private let assault: Assault
  private let folder: ScratchFolder
  private var environment: [String: String] {
    ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
  }

  /// A run of the program with nothing to do, for comparison; measured once.
  private static let idle: Program.Outcome? = {
    guard let folder = try? ScratchFolder() else { return nil }
    folder.write("after(0.1, function() end)", to: "app.lua")
    return try? Program.run(["run", "app.lua"], in: folder)
  }()

  init(_ assault: Assault) throws {
    self.assault = assault
    folder = try ScratchFolder()
    folder.write(assault.app, to: "app.lua")
    for module in assault.modules { folder.write(module.text, to: module.name) }
  }

  /// What is wrong about how the program ended; nothing when all is well.
  func faults() throws -> [String] {
    let outcome = try run()
    var faults = Self.faults(ofEnd: outcome)
    if faults.isEmpty { faults = measured(outcome) + goingOn(outcome) }
    return faults.map { "\($0)\n\(Self.ends(outcome.output))\(Self.ends(outcome.errors))" }
  }

  // MARK: Running

  private var budgets: [String] {
    ["--turn", "\(assault.turn)", "--memory", "\(Assault.memory)"]
      + (assault.needsStore ? ["--allow", "store=."] : [])
  }

  private func run() throws -> Program.Outcome {
    switch assault.door.entry {
    case .keys(let keys):
      let again = Array(repeating: keys.last ?? "", count: assault.attacks.count + 2)
      let all = (keys.dropLast() + again).joined(separator: " ")
      return try start(["run", "app.lua"] + budgets + ["--keys", all]).finish()
    case .assigned:
      let writes = (0..<assault.attacks.count + 2).flatMap { ["--set", "door.n=\($0 + 1)"] }
      return try start(["run", "app.lua"] + budgets + writes).finish()
    case .saves, .replaces, .changes: return try save()
    case .prompt(let ofApp, let isTyped):
      return try prompt(["repl"] + (ofApp ? ["app.lua"] : []) + budgets, isTyped: isTyped)
    case .attached(let isTyped): return try attach(isTyped: isTyped)
    case .spec:
      folder.write(assault.app, to: "door_spec.lua")
      return try start(["test", "--sandbox", "--timeout", "\(assault.turn * 2)", "door_spec.lua"])
        .finish(seconds: 60)
    case .page, .session, .sharing: return try serve()
    case .inspector(let look): return try inspect(look)
    case .preview: return try DoorEditor(assault, folder).outcome()
    default: return try start(["run", "app.lua"] + budgets).finish()
    }
  }

  private func start(_ arguments: [String], input: String = "/dev/null") throws -> Program {
    try Program(arguments, in: folder, environment: environment, input: input)
  }

  /// Saves version after version, each when the one before has been tried.
  private func save() throws -> Program.Outcome {
    let program = try start(["run", "app.lua", "--watch", "--for", "25"] + budgets)
    program.wait { $0.output.contains("version 0") }
    var version = 0
    return program.finish {
      let reports = program.errors.ranges(of: "reloaded").count
      guard let file = assault.savedFile, version < assault.lastVersion, reports >= version else {
        return
      }
      version += 1
      folder.write(assault.version(version), to: file)
    }
  }

  private func prompt(_ arguments: [String], isTyped: Bool) throws -> Program.Outcome {
    let (before, after) = Assault.promptProof
    let texts = [before] + assault.attacks.map(\.source) + [after]
    guard isTyped else {
      // What begins with a dash would be an option.
      return try start(arguments + texts.flatMap { ["-e", " " + $0] }).finish()
    }
    return try start(
      arguments, input: folder.write(texts.joined(separator: "\n") + "\n", to: ".in")
    )
    .finish()
  }

  /// Attacks from a prompt in another process, and asks from another one whether the app goes on.
  private func attach(isTyped: Bool) throws -> Program.Outcome {
    let app = try start(["run", "app.lua"] + budgets)
    app.wait { $0.output.contains("version 0") }
    let other = try ScratchFolder()
    let arguments = ["repl", "--attach", "\(app.process)"]
    let texts = assault.attacks.map(\.source)
    let input = other.write(texts.joined(separator: "\n") + "\n", to: ".in")
    let attacker = try Program(
      arguments + (isTyped ? [] : texts.flatMap { ["-e", " " + $0] }), in: other,
      environment: environment, input: isTyped ? input : "/dev/null")
    let attack = attacker.finish()
    let asked = try Program.run(
      arguments + ["-e", Assault.attachedProof], in: other, environment: environment)
    var outcome = app.finish(seconds: 10)
    outcome.output += asked.output
    outcome.errors += attack.errors + asked.errors
    if case .exited = attack.status { return outcome }
    outcome.status = attack.status
    return outcome
  }

  // MARK: From outside

  /// Serves the app, and lets viewers come; one that each viewer has of its own must leave the
  /// server as it was.
  private func serve() throws -> Program.Outcome {
    let sessions =
      (assault.door.isPrivate ? ["--sessions", "private"] : [])
      + (assault.door.isInWorker ? ["--workers"] : [])
    let program = try start(["serve", "app.lua", "--no-watch"] + budgets + sessions)
    program.wait { $0.output.contains("?token=") }
    let address = program.output.split(separator: "\n").first.map(String.init) ?? ""
    let count = assault.door.entry == .sharing ? 2 : 1
    let viewers = try (0..<count).map { _ in try DoorViewer(address) }
    var number = 0
    var isAsked = false
    var outcome = program.finish {
      number += 1
      for viewer in viewers { viewer.act(assault.door.entry, number) }
      let isOver = program.output.contains(Assault.token) || viewers.allSatisfy(\.hasEnded)
      if !assault.door.isPrivate || !isOver || isAsked { return }
      isAsked = true
      program.send(DoorViewer.isAnswered(address) ? SIGTERM : SIGKILL)
    }
    if assault.door.isPrivate, outcome.status == .signalled(SIGTERM) {
      outcome.status = .exited(Assault.code)
    }
    return outcome
  }

  /// Looks into the app while it runs.
  private func inspect(_ look: Door.Entry.Look) throws -> Program.Outcome {
    let program = try start(["run", "app.lua"] + budgets)
    let runtimeFolder = RuntimeFolder(path: folder.path + "/tidelock")
    program.wait { _ in !RunningApp.all(in: runtimeFolder).isEmpty }
    let client = try? AttachClient(RunningApp.find(in: runtimeFolder))
    let inspector = DoorInspector(assault, look)
    return program.finish {
      guard let request = inspector.next() else { return }
      if let answer = try? client?.ask(request, seconds: 15) { inspector.take(answer) }
    }
  }

  // MARK: Judging

  private static func faults(ofEnd outcome: Program.Outcome) -> [String] {
    let signs = ["Fatal error", "Sanitizer", "runtime error:", "unowned reference"]
    var faults = signs.filter { outcome.errors.contains($0) }
    switch outcome.status {
    case .timedOut: faults.append("it did not end")
    case .signalled(let number): faults.append("signal \(number) ended it")
    case .exited(70): faults.append("a fault of its own ended it")
    case .exited: break
    }
    return faults
  }

  /// Generous, because the machine may be busy; the benchmarks measure exactly.
  private func measured(_ outcome: Program.Outcome) -> [String] {
    var faults: [String] = []
    let idle = Self.idle
    let time = (idle?.processorTime ?? 0) * 3 + 3 + 0.2 * Double(assault.attacks.count)
    if assault.attacks.contains(where: \.isTimed), outcome.processorTime > time {
      faults.append("it took \(outcome.processorTime) seconds of processor time")
    }
    let apps = assault.door.entry == .sharing ? 2 : 1
    let memory = (idle?.peakMemory ?? 0) + apps * Assault.memory + Self.memoryRoom
    if hasMemoryLimit, outcome.peakMemory > memory {
      faults.append("it took \(outcome.peakMemory >> 20) MiB of memory")
    }
    return faults
  }

  private static let memoryRoom = hasSanitizer ? 400 << 20 : 40 << 20
  private var hasMemoryLimit: Bool { assault.door.entry != .spec }

  private func goingOn(_ outcome: Program.Outcome) -> [String] {
    let goesOn =
      outcome.output.contains(Assault.token)
      || assault.mayBeGivenUp && outcome.output.contains(Assault.anew)
      // What a worker prints the server tells.
      || assault.door.isInWorker && outcome.errors.contains(": \(Assault.token)\n")
    let isGivenUp = [outcome.errors, outcome.output].contains {
      $0.contains("the interpreter is closed")
    }
    if isGivenUp && !assault.mayBeGivenUp { return ["it was given up"] }
    if isGivenUp || assault.mayBeLast { return [] }
    let code: Int32
    switch assault.door.entry {
    case .main:
      if outcome.status == .exited(65) { return swallowed(in: outcome) }
      code = Assault.code
    case .session:
      if !goesOn, outcome.errors.contains("[E"), outcome.status == .exited(Assault.code) {
        return swallowed(in: outcome)
      }
      code = Assault.code
    // A text that fails ends these.
    case .prompt:
      if outcome.status == .exited(1) { return swallowed(in: outcome) }
      code = 0
    case .spec:
      code = outcome.status == .exited(1) ? 1 : 0
    default: code = Assault.code
    }
    if !goesOn { return ["it does not go on"] }
    if outcome.status != .exited(code) { return ["it ended so: \(outcome.status)"] }
    return swallowed(in: outcome)
  }

  /// A fault if attacks that must end in an error were not reported.
  private func swallowed(in outcome: Program.Outcome) -> [String] {
    switch assault.door.entry {
    // Nothing is left to report it, or the report has other words.
    case .end, .spec, .changes, .replaces: return []
    // Who looks into the app is told, and not the app.
    case .inspector(.evaluates), .inspector(.reads), .preview: return []
    default: break
    }
    guard assault.attacks.allSatisfy(\.mustFail) else { return [] }
    let codes = ["E0404", "E0403", "E0405", "E0402", "E0202", "E0408"]
    return codes.contains { outcome.errors.contains("[\($0)]") } ? [] : ["nobody was told of it"]
  }

  private static func ends(_ text: String) -> String {
    if text.isEmpty { return "" }
    if text.utf8.count <= 1200 { return text + "\n" }
    return String(decoding: text.utf8.prefix(600), as: UTF8.self) + "\n…\n"
      + String(decoding: text.utf8.suffix(500), as: UTF8.self) + "\n"
  }
}

extension Attack {
  /// Whether it cannot come to its end.
  fileprivate var mustFail: Bool {
    expected.allSatisfy { [.time, .memory, .depth, .givenUp].contains($0) }
  }
}
