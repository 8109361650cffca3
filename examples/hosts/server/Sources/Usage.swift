import Glibc

/// What the process holds at the moment.
struct Usage {
  /// Kilobytes of memory.
  let memory: Int
  let descriptors: Int

  init() {
    var pages = 0
    if let file = fopen("/proc/self/statm", "re") {
      var line = [CChar](repeating: 0, count: 200)
      if fgets(&line, Int32(line.count), file) != nil {
        let numbers = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
          .split(separator: " ")
        pages = numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0
      }
      fclose(file)
    }
    memory = pages * Int(sysconf(Int32(_SC_PAGESIZE))) >> 10
    var count = 0
    if let folder = opendir("/proc/self/fd") {
      while readdir(folder) != nil { count += 1 }
      closedir(folder)
    }
    descriptors = count
  }
}
