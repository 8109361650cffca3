import CTideSystem

/// The allocator of the process.
package enum SystemAllocator {
  /// Gives large blocks back to the system as soon as they are freed, for the rest of the process.
  ///
  /// By default the allocator keeps blocks of up to 32 MiB for later, with holes between them as
  /// large as themselves, so a process could take twice what its apps may.
  package static func returnLargeBlocks() { tide_return_large_blocks() }
}
