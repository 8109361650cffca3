/// The limit of open files and sockets of the process.
package enum OpenFileLimit {
  /// Raises the limit as far as the system allows, and returns the resulting limit.
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
