/// How many files and sockets the process may have open at once.
package enum OpenFileLimit {
  /// Has the system allow a number, as far as it does, and gives how many it allows.
  package static func raise(to wanted: Int) -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return wanted }
    let target = min(rlim_t(clamping: wanted), limit.rlim_max)
    if limit.rlim_cur < target {
      var raised = limit
      raised.rlim_cur = target
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
