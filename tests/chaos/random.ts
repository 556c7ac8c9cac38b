/** Random numbers that depend on the seed alone. */
export interface Random {
  /** An integer from `min` up to and including `max`. */
  integer(min: number, max: number): number
  bytes(length: number): Uint8Array<ArrayBuffer>
  pick<T>(values: readonly [T, ...T[]]): T
}

/** Mulberry32: quick, and good enough to vary what a test does. */
export function createRandom(seed: number): Random {
  let state = Math.trunc(seed)
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    integer,
    bytes: (length) => Uint8Array.from({ length }, () => integer(0, 255)),
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
  }
}
