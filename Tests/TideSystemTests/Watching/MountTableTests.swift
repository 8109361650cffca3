import Testing

@testable import TideSystem

struct MountTableTests {
  let table = MountTable(
    """
    22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    30 22 0:30 / /home rw shared:2 - nfs4 server:/home rw
    31 30 8:2 / /home/local rw - ext4 /dev/sda2 rw
    32 22 0:31 / /mnt/my\\040disk rw - fuse.sshfs host: rw
    33 22 0:32 / /mnt/twice rw - nfs server:/x rw
    34 22 0:33 / /mnt/twice rw - tmpfs tmpfs rw
    garbage
    """)

  @Test func `the innermost mount decides`() {
    #expect(!table.isSilent("/usr/app"))
    #expect(table.isSilent("/home/ada/app"))
    #expect(!table.isSilent("/home/local/app"))
    #expect(!table.isSilent("/homework"))
  }

  @Test func `names with blanks are understood`() {
    #expect(table.isSilent("/mnt/my disk/app"))
  }

  @Test func `the later of two mounts at one point decides`() {
    #expect(!table.isSilent("/mnt/twice"))
  }

  @Test func `this machine's table can be read`() {
    #expect(!MountTable.current.isSilent("/proc"))
  }
}
