// The only file that asks which C library there is; whoever imports this module gets it, too.

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#endif
