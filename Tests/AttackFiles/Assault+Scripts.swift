import FoundationEssentials

extension Assault {
  /// Printed at the very end if the app goes on.
  package static let token = "the app goes on"
  /// The same where a spec goes on in another interpreter, whose attacks are still to come.
  package static let anew = "the file goes on anew"
  /// The exit code with which the app then ends.
  package static let code: Int32 = 7

  /// The source of the app or the spec.
  package var app: String {
    switch door.entry {
    case .main, .session: main
    case .module: requirer
    case .saves("part.lua"): "require \"part\"\nevery(1, function() end)\n"
    case .saves, .replaces: version(0)
    case .changes:
      opening() + door.script + """
        print "version 0"
        every(0.005, function()
          if went >= 1 then print "\(Self.token)" exit(\(Self.code)) end
        end)
        """
    case .end:
      opening() + String(repeating: door.script + "\n", count: attacks.count)
        + Self.goingOn
    case .assigned:
      opening() + door.script + Self.goingOn
    case .spec: spec
    case .prompt: door.script
    case .attached: Self.attachedApp
    case .evaluate, .call, .coroutine: "every(0.01, function() end)\n"
    case .send: opening() + door.script
    case .inspector(.evaluates): Self.inspectedApp
    case .inspector(.writes), .inspector(.reads), .page, .sharing:
      opening(isOpen: false) + door.script + Self.ticking(rounds: Self.mostRoundsFromOutside)
    case .preview: preview(nil)
    case .ticks, .keys: opening(isOpen: false) + door.script + Self.ticking(rounds: 150)
    }
  }

  private static let goingOn = "after(0.005, function() print \"\(token)\" exit(\(code)) end)\n"

  /// What stands before the script of a door.
  private func opening(isOpen: Bool = true, entered: Int = 0) -> String {
    let chunks = attacks.map { "load(\(Self.quoted($0.source)), \"@\($0.name)\")" }
    // Last, because an attack may contain the other words.
    return Self.harness("opening").replacing("IS_SPEC", with: "\(door.entry == .spec)")
      .replacing("IS_OPEN", with: "\(isOpen)").replacing("ENTERED", with: "\(entered)")
      .replacing("ATTACKS", with: chunks.joined(separator: ", "))
  }

  /// Gives up after so many rounds of two milliseconds.
  private static func ticking(rounds: Int) -> String {
    harness("ticking").replacing("TOKEN", with: token).replacing("CODE", with: "\(code)")
      .replacing("ROUNDS", with: "\(rounds)")
  }

  /// A viewer or an inspector has to connect first, which takes time on a busy machine.
  private static let mostRoundsFromOutside = 4_000

  /// The app that keeps writing the shared model of the doors.
  package static let sharer = """
    local room = shared("room", { n = 0 })
    every(0.001, function() room.n = room.n + 1 end)
    """

  /// Shows that it goes on when its property has a certain value at last.
  private static let inspectedApp = """
    local print, exit = print, exit
    local looked = model "looked" { n = 0 }
    observe(looked, "n", function(n) if n == \(code) then print "\(token)" exit(\(code)) end end)
    every(1, function() end)
    print "version 0"
    """

  /// What somebody enters who looks into the app, one text after the other; further ones do no
  /// harm.
  package func textForInspector(_ index: Int) -> String {
    if case .inspector(.writes) = door.entry { return "\(index + 1)" }
    guard attacks.indices.contains(index) else { return "\(Self.code)" }
    return "(function(...)\n\(attacks[index].source)\nend)()"
  }

  /// What somebody types whose editor shows the app: each attack, and what does no harm for none.
  package func preview(_ index: Int?) -> String {
    guard let index else { return "return view.label { text = \"\(Self.token)\" }\n" }
    let attack = Assault(door, [attacks[index]])
    let isEntered = door.script.contains("step")
    let view = "show(view.label { text = \"shown\" })\n"
    return attack.opening() + (isEntered ? "" : "step()\n") + view + door.script
  }

  private static func harness(_ name: String) -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Harness/\(name).lua")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  private static func quoted(_ text: String) -> String {
    var level = ""
    while text.contains("]\(level)]") || text.hasSuffix("]" + level) { level += "=" }
    return "[\(level)[\n\(text)]\(level)]"
  }

  /// The last attack is the app itself; those before it are entered by its first line.
  private var main: String {
    let before = attacks.dropLast().map { "pcall(load(\(Self.quoted($0.source))))" }
    let line = """
      do local print, exit = print, exit after(0, function() print "\(Self.token)" \
      exit(\(Self.code)) end) end \(before.joined(separator: " "))
      """
    return line + " " + (attacks.last?.source ?? "")
  }

  /// Requires each attack, `part1.lua` and so on, and then one that does no harm.
  private var requirer: String {
    let parts = attacks.indices.map {
      "after(0.002 * \($0 + 1), function() require \"part\($0 + 1)\" end)\n"
    }
    return """
      local require, print, exit = require, print, exit
      \(parts.joined())
      after(0.002 * \(attacks.count + 2), function()
        require "harmless"
        print "\(Self.token)"
        exit(\(Self.code))
      end)
      """
  }

  private var spec: String {
    opening() + door.script
      + """

      it("goes on", function()
        if went >= 2 then print "\(Self.token)" elseif entered < needed then print "\(Self.anew)" end
      end)

      """
  }

  private static let attachedApp = """
    door = { after = after, sleep = sleep, print = print }
    local door, exit, rawget = door, exit, rawget
    every(0.005, function() if rawget(door, "finished") then exit(\(code)) end end)
    print "version 0"
    """

  /// What is typed at another prompt after the attacks, to prove that the app goes on.
  package static let attachedProof = """
    door.after(0.001, function() door.print "\(token)" end) door.sleep(0.05) rawset(door, "finished", true)
    """

  /// What is typed at a prompt before and after the attacks, to prove that the app goes on.
  package static let promptProof = (
    "local go, nap, say = after, sleep, print",
    "go(0.001, function() say \"\(token)\" end) nap(0.05)"
  )

  /// Modules beside the app.
  package var modules: [(name: String, text: String)] {
    switch door.entry {
    case .module:
      attacks.enumerated().map { ("part\($0 + 1).lua", $1.source) } + [
        ("harmless.lua", "return {}")
      ]
    case .saves("part.lua"): [("part.lua", version(0))]
    case .changes: [("part.lua", version(0))]
    default: []
    }
  }

  /// The file that is saved again and again; nil where none is.
  package var savedFile: String? {
    switch door.entry {
    case .saves(let file): file
    case .replaces: "app.lua"
    case .changes: "part.lua"
    default: nil
    }
  }

  /// The number of the last version; the first one, which does no harm, is 0.
  package var lastVersion: Int { attacks.count + 1 }

  /// A version of the file that is saved again and again. It prints its number at its end.
  package func version(_ number: Int) -> String {
    let isLast = number == lastVersion
    let end =
      isLast
      ? "after(0.01, function() print \"\(Self.token)\" exit(\(Self.code)) end)\n"
      : "print \"version \(number)\"\n"
    switch door.entry {
    case .changes: return "return { version = \(number) }\n"
    case .replaces:
      // Each registers the attack of its own number, which runs when the next one comes.
      let script = isLast ? "" : door.script
      return opening(entered: number) + script + "\n" + end
    default:
      let script = number == 0 ? "" : door.script
      guard let result = script.firstRange(of: "return {}") else {
        return opening(entered: number - 1) + script + "\n" + end
      }
      return opening(entered: number - 1) + script[..<result.lowerBound] + end + "return {}\n"
    }
  }
}
