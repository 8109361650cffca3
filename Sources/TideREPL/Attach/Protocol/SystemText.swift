#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system calls an error of its own.
func systemText(_ number: Int32) -> String { String(cString: strerror(number)) }
