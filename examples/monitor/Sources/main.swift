import Tidelock
