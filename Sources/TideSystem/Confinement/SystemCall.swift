/// A system call and its number on each architecture; nil where it does not exist.
///
/// A test compares the numbers with the kernel's headers.
struct SystemCall {
  let name: StaticString
  let x86: Int?
  let arm: Int?

  init(_ name: StaticString, _ x86: Int?, _ arm: Int?) {
    self.name = name
    self.x86 = x86
    self.arm = arm
  }

  /// The highest number considered. Calls added by later kernels are answered as not implemented.
  static let newest = 462

  /// Refused with EPERM regardless of their arguments.
  static let refused: [SystemCall] = [
    // Starting programs and processes that would outlive this one.
    SystemCall("execve", 59, 221),
    SystemCall("execveat", 322, 281),
    SystemCall("fork", 57, nil),
    SystemCall("vfork", 58, nil),
    // Inspecting and signalling other processes.
    SystemCall("ptrace", 101, 117),
    SystemCall("process_vm_readv", 310, 270),
    SystemCall("process_vm_writev", 311, 271),
    SystemCall("process_madvise", 440, 440),
    SystemCall("process_mrelease", 448, 448),
    SystemCall("kcmp", 312, 272),
    SystemCall("pidfd_open", 434, 434),
    SystemCall("pidfd_getfd", 438, 438),
    SystemCall("pidfd_send_signal", 424, 424),
    SystemCall("tkill", 200, 130),
    SystemCall("move_pages", 279, 239),
    SystemCall("migrate_pages", 256, 238),
    // Namespaces, mounts and roots.
    SystemCall("unshare", 272, 97),
    SystemCall("setns", 308, 268),
    SystemCall("mount", 165, 40),
    SystemCall("umount2", 166, 39),
    SystemCall("pivot_root", 155, 41),
    SystemCall("chroot", 161, 51),
    SystemCall("open_tree", 428, 428),
    SystemCall("move_mount", 429, 429),
    SystemCall("fsopen", 430, 430),
    SystemCall("fsconfig", 431, 431),
    SystemCall("fsmount", 432, 432),
    SystemCall("fspick", 433, 433),
    SystemCall("mount_setattr", 442, 442),
    SystemCall("statmount", 457, 457),
    SystemCall("listmount", 458, 458),
    SystemCall("quotactl", 179, 60),
    SystemCall("quotactl_fd", 443, 443),
    // Access that bypasses a file's path, and metadata, which Landlock does not cover.
    SystemCall("open_by_handle_at", 304, 265),
    SystemCall("name_to_handle_at", 303, 264),
    SystemCall("mknod", 133, nil),
    SystemCall("mknodat", 259, 33),
    SystemCall("truncate", 76, 45),
    // These also work on read-only descriptors.
    SystemCall("chmod", 90, nil),
    SystemCall("fchmod", 91, 52),
    SystemCall("fchmodat", 268, 53),
    SystemCall("fchmodat2", 452, 452),
    SystemCall("chown", 92, nil),
    SystemCall("lchown", 94, nil),
    SystemCall("fchown", 93, 55),
    SystemCall("fchownat", 260, 54),
    SystemCall("setxattr", 188, 5),
    SystemCall("lsetxattr", 189, 6),
    SystemCall("fsetxattr", 190, 7),
    SystemCall("removexattr", 197, 14),
    SystemCall("lremovexattr", 198, 15),
    SystemCall("fremovexattr", 199, 16),
    SystemCall("utime", 132, nil),
    SystemCall("utimes", 235, nil),
    SystemCall("futimesat", 261, nil),
    SystemCall("utimensat", 280, 88),
    SystemCall("fanotify_init", 300, 262),
    SystemCall("fanotify_mark", 301, 263),
    // Memory and messages shared with other processes.
    SystemCall("shmget", 29, 194),
    SystemCall("shmat", 30, 196),
    SystemCall("shmctl", 31, 195),
    SystemCall("msgget", 68, 186),
    SystemCall("msgsnd", 69, 189),
    SystemCall("msgrcv", 70, 188),
    SystemCall("msgctl", 71, 187),
    SystemCall("semget", 64, 190),
    SystemCall("semop", 65, 193),
    SystemCall("semtimedop", 220, 192),
    SystemCall("semctl", 66, 191),
    SystemCall("mq_open", 240, 180),
    SystemCall("mq_unlink", 241, 181),
    // The kernel itself.
    SystemCall("bpf", 321, 280),
    SystemCall("perf_event_open", 298, 241),
    SystemCall("userfaultfd", 323, 282),
    SystemCall("keyctl", 250, 219),
    SystemCall("add_key", 248, 217),
    SystemCall("request_key", 249, 218),
    SystemCall("init_module", 175, 105),
    SystemCall("finit_module", 313, 273),
    SystemCall("delete_module", 176, 106),
    SystemCall("kexec_load", 246, 104),
    SystemCall("kexec_file_load", 320, 294),
    SystemCall("syslog", 103, 116),
    SystemCall("lookup_dcookie", 212, 18),
    SystemCall("nfsservctl", 180, 42),
    SystemCall("uselib", 134, nil),
    SystemCall("modify_ldt", 154, nil),
    SystemCall("iopl", 172, nil),
    SystemCall("ioperm", 173, nil),
    SystemCall("personality", 135, 92),
    // The machine.
    SystemCall("reboot", 169, 142),
    SystemCall("swapon", 167, 224),
    SystemCall("swapoff", 168, 225),
    SystemCall("acct", 163, 89),
    SystemCall("settimeofday", 164, 170),
    SystemCall("clock_settime", 227, 112),
    SystemCall("adjtimex", 159, 171),
    SystemCall("clock_adjtime", 305, 266),
    SystemCall("sethostname", 170, 161),
    SystemCall("setdomainname", 171, 162),
    SystemCall("vhangup", 153, 58),
  ]

  /// Answered with ENOSYS, because a filter cannot inspect arguments in memory. Libraries then fall
  /// back to older calls.
  static let absent: [SystemCall] = [
    SystemCall("clone3", 435, 435),
    SystemCall("openat2", 437, 437),
    SystemCall("io_uring_setup", 425, 425),
    SystemCall("io_uring_enter", 426, 426),
    SystemCall("io_uring_register", 427, 427),
  ]

  static let clone = SystemCall("clone", 56, 220)
  static let open = SystemCall("open", 2, nil)
  static let openAt = SystemCall("openat", 257, 56)
  static let create = SystemCall("creat", 85, nil)
  static let socket = SystemCall("socket", 41, 198)
  static let socketPair = SystemCall("socketpair", 53, 199)
  static let connect = SystemCall("connect", 42, 203)
  static let bind = SystemCall("bind", 49, 200)
  static let listen = SystemCall("listen", 50, 201)
  static let sendTo = SystemCall("sendto", 44, 206)
  static let sendMessage = SystemCall("sendmsg", 46, 211)
  static let sendMessages = SystemCall("sendmmsg", 307, 269)
  static let kill = SystemCall("kill", 62, 129)
  static let controlProcess = SystemCall("prctl", 157, 167)
  static let controlDevice = SystemCall("ioctl", 16, 29)
  static let controlFile = SystemCall("fcntl", 72, 25)
  static let setPriority = SystemCall("setpriority", 141, 140)
  static let setDiskPriority = SystemCall("ioprio_set", 251, 30)

  static let mapMemory = SystemCall("mmap", 9, 222)

  /// Calls that create files in memory, which no process limit counts.
  static let memoryFiles: [SystemCall] = [
    SystemCall("memfd_create", 319, 279),
    SystemCall("memfd_secret", 447, 447),
  ]

  /// Calls whose first argument is the affected process, 0 for the caller's.
  static let aboutProcesses: [SystemCall] = [
    SystemCall("prlimit64", 302, 261),
    SystemCall("sched_setaffinity", 203, 122),
    SystemCall("sched_setscheduler", 144, 119),
    SystemCall("sched_setparam", 142, 118),
    SystemCall("sched_setattr", 314, 274),
  ]

  /// Calls whose first argument is the process to signal.
  static let signalling: [SystemCall] = [
    SystemCall("tgkill", 234, 131),
    SystemCall("rt_sigqueueinfo", 129, 138),
    SystemCall("rt_tgsigqueueinfo", 297, 240),
  ]
}
