/** The error numbers of WASI preview 1 that are used here. */
export const errno = {
  success: 0,
  badf: 8,
  fault: 21,
  inval: 28,
  notdir: 54,
  notsock: 57,
  notsup: 58,
  spipe: 70,
} as const
