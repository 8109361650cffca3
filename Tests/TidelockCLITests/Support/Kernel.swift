import Glibc

/// A kernel that gives less than this one, as the program `Confined` plays it.
struct Kernel {
  /// As its flags are numbered.
  let lacks: Int

  static let withoutLandlock = Kernel(lacks: 1)
  static let withoutSeccomp = Kernel(lacks: 2)
  static let withOldLandlock = Kernel(lacks: 4)
  static let withLandlockOff = Kernel(lacks: 8)

  /// Whether this machine's can confine a program as a whole.
  static let confines: Bool = {
    guard let folder = try? ScratchFolder() else { return false }
    folder.write("", to: "empty.lua")
    let outcome = try? Program.run(["repl", "-e", "1", "--confine", "required"], in: folder)
    return outcome?.status == .exited(0)
  }()
}
