import Driver

Driver().compare(
  chain: chain, fanOut: fanOut, diamond: diamond, pairs: pairs, twoWay: twoWay,
  transformer: transformer, depth: depth)
