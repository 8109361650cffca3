// The only file that selects the C library; modules that import TideSystem get it as well.

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#endif
