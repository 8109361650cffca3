import TestFolders
import Glibc

/// A kernel that offers less than this one, which the program `Confined` simulates.
struct Kernel {
  /// The flags of NativeAttacks.h.
  let lacks: Int

  static let withoutLandlock = Kernel(lacks: 1)
  static let withoutSeccomp = Kernel(lacks: 2)
  static let withOldLandlock = Kernel(lacks: 4)
  static let withLandlockOff = Kernel(lacks: 8)

  /// Whether this machine's kernel can confine a program entirely.
  static let confines: Bool = {
    guard let folder = try? ScratchFolder() else { return false }
    folder.write("", to: "empty.lua")
    let outcome = try? Program.run(["repl", "-e", "1", "--confine", "required"], in: folder)
    return outcome?.status == .exited(0)
  }()
}
