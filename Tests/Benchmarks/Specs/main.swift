// `tidelock test` as people run it: whole processes, from their start to their end.
import Driver

let driver = Driver()

do {
  switch driver.workload {
  case "thousand": try measureThousand(Runner.tidelock)
  case "thousand busted": try measureThousand(Runner.busted)
  case "one": try measureOne(Runner.tidelock)
  case "one busted": try measureOne(Runner.busted)
  case "plain": try measureScript(["test"])
  case "covered": try measureScript(["test", "--coverage"])
  case "forms": try measureForms(["test"])
  case "recorded forms": try measureForms(["test", "--artifacts", "artifacts"])
  case "watch": try measureWatch()
  default: driver.refuse()
  }
} catch { driver.fail("\(error)") }
