import type { Random } from '../chaos/random.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** Longer inputs are cut, so that each takes little time. */
const maxLength = 65_536

/** Values at which lengths, counts and signs change their meaning. */
const interesting = [0, 1, 0x0a, 0x20, 0x22, 0x7f, 0x80, 0xfe, 0xff] as const

/** Changes an input in one to eight places. `other` is another known input, and `words` belong to the format. */
export function mutate(random: Random, input: Bytes, other: Bytes, words: readonly string[]): Bytes {
  let bytes = input
  for (let change = random.pick([1, 1, 2, 4, 8]); change > 0; change -= 1) {
    bytes = changeOnce(random, bytes, other, words)
  }
  return bytes.length > maxLength ? bytes.slice(0, maxLength) : bytes
}

function changeOnce(random: Random, bytes: Bytes, other: Bytes, words: readonly string[]): Bytes {
  const at = random.integer(0, bytes.length)
  const length = random.integer(1, random.pick([1, 4, 16, 256]))
  switch (random.integer(0, 7)) {
    case 0:
      return replaced(bytes, at, 1, [(bytes[at] ?? 0) ^ (1 << random.integer(0, 7))])
    case 1:
      return replaced(bytes, at, 1, [random.pick(interesting)])
    case 2:
      return replaced(bytes, at, 1, [random.integer(0, 255)])
    case 3:
      return replaced(bytes, at, length, [])
    case 4:
      return replaced(bytes, at, 0, random.bytes(length))
    case 5:
      return replaced(bytes, at, 0, partOf(random, bytes, length))
    case 6:
      return replaced(bytes, at, random.pick([0, length]), partOf(random, other, length))
    default:
      return replaced(bytes, at, random.pick([0, length]), wordOf(random, words))
  }
}

function partOf(random: Random, bytes: Bytes, length: number): Bytes {
  const from = random.integer(0, bytes.length)
  return bytes.slice(from, from + length)
}

function wordOf(random: Random, words: readonly string[]): Uint8Array {
  return Buffer.from(words[random.integer(0, words.length - 1)] ?? '', 'latin1')
}

function replaced(bytes: Bytes, at: number, removed: number, added: ArrayLike<number>): Bytes {
  const end = Math.min(bytes.length, at + removed)
  const result = new Uint8Array(bytes.length - (end - Math.min(at, end)) + added.length)
  result.set(bytes.subarray(0, at))
  result.set(added, at)
  result.set(bytes.subarray(end), at + added.length)
  return result
}
