/** What a child says, each with bytes. */
export const frameKinds = ['up', 'stdout', 'stderr', 'seen', 'answer'] as const
export type FrameKind = (typeof frameKinds)[number]

const headBytes = 5
/** Whatever a child has to say is shorter: the output of a run at most. */
const mostBytes = 67_108_864

/** A frame is its kind, the number of its bytes, and these. */
export function frameHead(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(frameKinds.indexOf(kind))
  head.writeUInt32LE(length, 1)
  return head
}

/** Puts together again what arrives in pieces, and hands on each whole frame. Throws for what is none. */
export function createFrameReader(onFrame: (kind: FrameKind, bytes: Buffer) => void) {
  let pieces: Buffer[] = []
  let length = 0
  let wanted = headBytes
  return (piece: Buffer): void => {
    pieces.push(piece)
    length += piece.length
    if (length < wanted) return
    let rest = Buffer.concat(pieces)
    for (;;) {
      const end = rest.length < headBytes ? headBytes : headBytes + rest.readUInt32LE(1)
      wanted = end
      if (end > headBytes + mostBytes) throw new Error('It says too much.')
      if (rest.length < end) break
      const kind = frameKinds[rest.readUInt8()]
      if (kind === undefined) throw new Error('What it says cannot be read.')
      onFrame(kind, rest.subarray(headBytes, end))
      rest = rest.subarray(end)
    }
    pieces = [rest]
    length = rest.length
  }
}
