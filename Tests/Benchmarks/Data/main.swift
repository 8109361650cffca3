// Live data as people use it: whole programs, fed through pipes, files and a server of this
// machine.
import Driver

let driver = Driver()

do {
  switch driver.workload {
  case "follow tidelock": try measureFollowing(.tidelock)
  case "follow less": try measureFollowing(.less)
  case "follow lnav": try measureFollowing(.lnav)
  case "decode tidelock": try measureDecoding(.tidelock)
  case "decode python": try measureDecoding(.python)
  case "resources": try measureResources()
  case "query list": try measureQueryList()
  case "kept writes": try measureKeptWrites()
  case "recovery": try measureRecovery()
  case "shared writes": try measureSharedWrites()
  case "shared appends": try measureSharedAppends()
  case "shared screen": try measureSharedScreen()
  default: driver.refuse()
  }
} catch { driver.fail("\(error)") }
