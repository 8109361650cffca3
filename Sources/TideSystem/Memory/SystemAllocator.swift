import CTideSystem

/// The process's allocator.
package enum SystemAllocator {
  /// Makes the allocator return large blocks to the system as soon as they are freed, for the rest
  /// of the process.
  ///
  /// By default it retains free blocks of up to 32 MiB, and fragmentation can double the process's
  /// memory use.
  package static func returnLargeBlocks() { tide_return_large_blocks() }
}
