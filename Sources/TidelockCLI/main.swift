print("tidelock")
