import Driver

let driver = Driver()
switch driver.workload {
case "W1": chain(driver)
case "W2": fanOut(driver)
case "W3": diamond(driver)
case "W4": pairs(driver)
case "W5": twoWay(driver)
case "W6": transformer(driver)
case "depth": depth(driver)
default: driver.refuse()
}
