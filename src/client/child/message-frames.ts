import { texts } from './child.texts.ts'

/** Kinds of messages from a child. */
const frameKinds = ['ready', 'stdout', 'stderr', 'progress', 'answer'] as const
export type FrameKind = (typeof frameKinds)[number]

const headBytes = 5
/** The content of the largest frame: the output of a run to one stream, at the highest limit. */
const maxBytes = 67_108_864

/** The header of a frame: its kind (1 byte) and the length of its content (4 bytes, little endian). */
export function frameHead(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(frameKinds.indexOf(kind))
  head.writeUInt32LE(length, 1)
  return head
}

/** Reassembles frames from chunks and passes on each complete one. Throws if the data is invalid. */
export function createFrameReader(onFrame: (kind: FrameKind, bytes: Buffer) => void) {
  let chunks: Buffer[] = []
  let length = 0
  let frameEnd = headBytes
  return (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    if (length < frameEnd) return
    let rest = Buffer.concat(chunks)
    for (;;) {
      const end = rest.length < headBytes ? headBytes : headBytes + rest.readUInt32LE(1)
      frameEnd = end
      if (end > headBytes + maxBytes) throw new Error(texts.tooMuchData)
      if (rest.length < end) break
      const kind = frameKinds[rest.readUInt8()]
      if (kind === undefined) throw new Error(texts.invalidData)
      onFrame(kind, rest.subarray(headBytes, end))
      rest = rest.subarray(end)
    }
    chunks = [rest]
    length = rest.length
  }
}
