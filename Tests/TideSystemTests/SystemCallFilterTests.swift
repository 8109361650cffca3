import CTideSystem
import Testing

@testable import TideSystem

@Suite struct `The filter of system calls` {
  typealias Architecture = SystemCallFilter.Architecture

  @Test(arguments: [Architecture.x86, .arm], [false, true])
  func `refuses each call that it names and allows all others`(
    architecture: Architecture, allowsNetwork: Bool
  ) {
    let kernel = Kernel(architecture, allowsNetwork: allowsNetwork)
    let refused = Set(SystemCall.refused.compactMap(architecture.number))
    let absent = Set(SystemCall.absent.compactMap(architecture.number))
    let special = Set(
      `System calls`.all.compactMap(architecture.number)
    ).subtracting(refused).subtracting(absent)
    for number in 0...SystemCall.newest where !special.contains(number) {
      let expected: Answer =
        refused.contains(number) ? .refused : absent.contains(number) ? .absent : .allowed
      #expect(kernel.call(number) == expected, "\(number)")
    }
    for number in [SystemCall.newest + 1, 1000, 0x4000_0000, 0x4000_0027, -1] {
      #expect(kernel.call(number) == .absent, "\(number)")
    }
  }

  @Test func `answers other architectures that the call is absent`() {
    for other in [UInt32(0x4000_0003), 0x4000_0028, 0xC000_00B7, 0] {
      #expect(Kernel(.x86).call(39, as: other) == .absent)
    }
  }

  @Test(arguments: [Architecture.x86, .arm])
  func `lets threads be started, and no processes or namespaces`(architecture: Architecture) {
    let kernel = Kernel(architecture)
    #expect(kernel.call(.clone, [0x3D_0F00]) == .allowed)
    #expect(kernel.call(.clone, [17]) == .refused)
    #expect(kernel.call(.clone, [0x4111]) == .refused)
    for bit in [17, 25, 26, 27, 28, 29, 30, 7] {
      #expect(kernel.call(.clone, [0x3D_0F00 | 1 << UInt64(bit)]) == .refused)
    }
  }

  @Test(arguments: [Architecture.x86, .arm])
  func `lets the process signal itself and stop its job`(architecture: Architecture) {
    let kernel = Kernel(architecture)
    #expect(kernel.call(.kill, [77, 9]) == .allowed)
    #expect(kernel.call(.kill, [0, 20]) == .allowed)
    for (process, number): (UInt64, UInt64) in [(0, 9), (0, 0), (78, 0), (1, 20)] {
      #expect(kernel.call(.kill, [process, number]) == .refused)
    }
    // The upper 32 bits do not count.
    #expect(kernel.call(.kill, [0xFFFF_FFFF_0000_004D, 9]) == .allowed)
    #expect(kernel.call(.kill, [UInt64(bitPattern: -1), 9]) == .refused)
    #expect(kernel.call(.kill, [UInt64(bitPattern: -77), 9]) == .refused)
    for call in SystemCall.signalling {
      #expect(kernel.call(call, [77]) == .allowed)
      for other: UInt64 in [0, 1, 78, UInt64(bitPattern: -1)] {
        #expect(kernel.call(call, [other]) == .refused)
      }
    }
    for call in SystemCall.aboutProcesses {
      #expect(kernel.call(call, [0]) == .allowed)
      #expect(kernel.call(call, [77]) == .allowed)
      #expect(kernel.call(call, [1]) == .refused)
    }
    #expect(kernel.call(.setPriority, [0, 0]) == .allowed)
    #expect(kernel.call(.setPriority, [0, 1]) == .refused)
    #expect(kernel.call(.setPriority, [2, 0]) == .refused)
    #expect(kernel.call(.setDiskPriority, [1, 77]) == .allowed)
    #expect(kernel.call(.setDiskPriority, [3, 0]) == .refused)
  }

  @Test(arguments: [Architecture.x86, .arm])
  func `refuses controls of devices, files and the process one by one`(architecture: Architecture) {
    let kernel = Kernel(architecture)
    for control: UInt64 in [0x5401, 0x5404, 0x5413, 0x541B, 0x5451, 0x802C_542A] {
      #expect(kernel.call(.controlDevice, [0, control]) == .allowed)
    }
    // Among others FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FICLONE and FIDEDUPERANGE.
    let refused: [UInt64] = [
      0x5410, 0x5412, 0x5414, 0x541C, 0x541D, 0x5423, 0x8901, 0x8902, 0x4B49, 0x4008_6602,
      0x401C_5820, 0x4004_9409, 0xC018_9436, 0,
    ]
    for control in refused {
      #expect(kernel.call(.controlDevice, [0, control]) == .refused)
      // The kernel uses only the lower 32 bits.
      #expect(kernel.call(.controlDevice, [0, control | 0x1_0000_0000]) == .refused)
    }
    for control: UInt64 in [0, 1, 2, 3, 4, 5, 6, 7, 37, 1030] {
      #expect(kernel.call(.controlFile, [0, control]) == .allowed)
    }
    for control: UInt64 in [8, 10, 15, 1024, 1026, 1031, 1033, 1036, 1038, 2000] {
      #expect(kernel.call(.controlFile, [0, control]) == .refused)
    }
    #expect(kernel.call(.controlProcess, [15]) == .allowed)
    #expect(kernel.call(.controlProcess, [4]) == .refused)
  }

  @Test(arguments: [Architecture.x86, .arm])
  func `refuses to make files that run with their owner's rights`(architecture: Architecture) {
    let kernel = Kernel(architecture)
    let calls: [(SystemCall, flags: Int?, mode: Int)] = [
      (.openAt, 2, 3), (.open, 1, 2), (.create, nil, 1),
    ]
    for (call, flags, mode) in calls where architecture.number(of: call) != nil {
      for bits: UInt64 in [0o4755, 0o2755, 0o6000, 0o1777, 0o644, 0] {
        // Those that make files: O_CREAT | O_WRONLY, and O_TMPFILE | O_RDWR.
        for makes: UInt64 in [0o101, 0o20_200_002] {
          var arguments = [UInt64](repeating: 0, count: 4)
          if let flags { arguments[flags] = makes }
          arguments[mode] = bits
          #expect(kernel.call(call, arguments) == (bits & 0o6000 == 0 ? .allowed : .refused))
        }
        guard let flags else { continue }
        // Without them the mode is whatever the register holds. O_RDONLY | O_DIRECTORY.
        var arguments = [UInt64](repeating: 0, count: 4)
        (arguments[flags], arguments[mode]) = (0o200_000, bits)
        #expect(kernel.call(call, arguments) == .allowed)
      }
    }
  }

  @Test(arguments: [Architecture.x86, .arm])
  func `refuses sockets as a whole, but for what was allowed`(architecture: Architecture) {
    let closed = Kernel(architecture)
    let open = Kernel(architecture, allowsNetwork: true)
    for family: UInt64 in 0...45 {
      #expect(closed.call(.socket, [family, 1]) == .refused)
      #expect(
        open.call(.socket, [family, 1]) == ([2, 10, 16].contains(family) ? .allowed : .refused))
    }
    for call in [SystemCall.connect, .bind, .listen] {
      #expect(closed.call(call) == .refused)
      #expect(open.call(call) == .allowed)
    }
    for family: UInt64 in [2, 10] {
      for (kind, type): (UInt64, UInt64) in [(1, 6), (2, 17), (1 | 0o2004000, 0), (2, 0)] {
        #expect(open.call(.socket, [family, kind, type]) == .allowed)
      }
      // Multipath TCP, ICMP, SCTP; raw sockets.
      for (kind, type): (UInt64, UInt64) in [(1, 262), (2, 1), (1, 132), (3, 1), (3, 0), (5, 0)] {
        #expect(open.call(.socket, [family, kind, type]) == .refused)
      }
    }
    #expect(open.call(.socket, [16, 3, 0]) == .allowed)
    #expect(open.call(.socket, [16, 3, 15]) == .refused)
    let fast: UInt64 = 0x2000_0000
    for (call, flags) in [(SystemCall.sendTo, 3), (.sendMessage, 2), (.sendMessages, 3)] {
      var arguments = [UInt64](repeating: 0, count: 4)
      #expect(open.call(call, arguments) == .allowed)
      arguments[flags] = fast | 0x4000
      #expect(open.call(call, arguments) == .refused)
    }
    let client = Kernel(architecture, allowsNetwork: true, allowsServing: false)
    #expect(client.call(.listen) == .refused)
    #expect(client.call(.connect) == .allowed)
    #expect(closed.call(.sendTo, [3, 1, 1, 0, 0]) == .allowed)
    #expect(closed.call(.sendTo, [3, 1, 1, 0, 1 << 40]) == .refused)
    #expect(closed.call(.socketPair, [1, 1 | 0o2000000]) == .allowed)
    #expect(closed.call(.socketPair, [1, 5]) == .allowed)
    #expect(closed.call(.socketPair, [1, 2]) == .refused)
    #expect(closed.call(.socketPair, [2, 1]) == .refused)
  }

  @Test(arguments: [Architecture.x86, .arm])
  func `holds memory that the limits of a process do not count`(architecture: Architecture) {
    let (open, held) = (Kernel(architecture), Kernel(architecture, holdsMemory: true))
    for call in SystemCall.memoryFiles {
      #expect(open.call(call) == .allowed)
      #expect(held.call(call) == .refused)
    }
    // Private memory, a private and a shared file, then what all processes share.
    for flags: UInt64 in [0x22, 0x02, 0x01, 0x03, 0x4022] {
      #expect(held.call(.mapMemory, [0, 4096, 3, flags]) == .allowed)
    }
    for flags: UInt64 in [0x21, 0x23, 0x8021] {
      #expect(held.call(.mapMemory, [0, 4096, 3, flags]) == .refused)
      #expect(open.call(.mapMemory, [0, 4096, 3, flags]) == .allowed)
    }
  }

  // MARK: The kernel's part

  enum Answer: Equatable { case allowed, refused, absent, broken }

  /// Runs the filter as the kernel would.
  struct Kernel {
    private let architecture: Architecture
    private let instructions: [TideFilterInstruction]

    init(
      _ architecture: Architecture, allowsNetwork: Bool = false, allowsServing: Bool = true,
      holdsMemory: Bool = false
    ) {
      self.architecture = architecture
      instructions =
        SystemCallFilter(
          for: architecture, process: 77, allowsNetwork: allowsNetwork,
          allowsServing: allowsServing, holdsMemory: holdsMemory
        ).instructions
    }

    func call(_ call: SystemCall, _ arguments: [UInt64] = []) -> Answer {
      architecture.number(of: call).map { self.call($0, arguments) } ?? .broken
    }

    func call(_ number: Int, _ arguments: [UInt64] = [], as code: UInt32? = nil) -> Answer {
      // `struct seccomp_data`: number, architecture, instruction pointer, six arguments.
      var words = [UInt32(truncatingIfNeeded: number), code ?? architecture.code, 0, 0]
      for index in 0..<6 {
        let argument = index < arguments.count ? arguments[index] : 0
        words += [UInt32(truncatingIfNeeded: argument), UInt32(argument >> 32)]
      }
      var position = 0
      var held: UInt32 = 0
      while position < instructions.count {
        let instruction = instructions[position]
        position += 1
        func jump(_ isTrue: Bool) {
          position += Int(isTrue ? instruction.jump_true : instruction.jump_false)
        }
        switch instruction.code {
        case 0x20:
          guard instruction.value % 4 == 0, instruction.value / 4 < 16 else { return .broken }
          held = words[Int(instruction.value / 4)]
        case 0x05: position += Int(instruction.value)
        case 0x15: jump(held == instruction.value)
        case 0x25: jump(held > instruction.value)
        case 0x35: jump(held >= instruction.value)
        case 0x45: jump(held & instruction.value != 0)
        case 0x54: held &= instruction.value
        case 0x06:
          return switch instruction.value {
          case 0x7FFF_0000: .allowed
          case 0x0005_0001: .refused
          case 0x0005_0026: .absent
          default: .broken
          }
        default: return .broken
        }
      }
      return .broken
    }
  }
}
