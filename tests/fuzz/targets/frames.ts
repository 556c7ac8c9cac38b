import { createFrameReader, frameHead } from '../../../src/client/child/message-frames.ts'
import { assert } from '../fuzz-target.ts'
import type { Bytes } from '../mutate.ts'
import type { Target } from '../fuzz-target.ts'

/** Frames as the parent of a sandbox reads them. */
export function frameTarget(): Target {
  const frame = (kind: Parameters<typeof frameHead>[0], text: string): Buffer =>
    Buffer.concat([frameHead(kind, text.length), Buffer.from(text)])
  return {
    batchSize: 100,
    seeds: [
      new Uint8Array(Buffer.concat([frame('ready', ''), frame('stdout', 'hello'), frame('answer', '{}')])),
    ],
    words: ['\0\0\0\0', '\xff\xff\xff\xff', '\x01\0\0\0\x04'],
    read(bytes) {
      const framesOf = (chunks: Bytes[]): string => {
        const frames: string[] = []
        const receive = createFrameReader((kind, content) => void frames.push(kind, content.toString('hex')))
        try {
          for (const chunk of chunks) receive(Buffer.from(chunk))
        } catch (error) {
          // The reader's own sentences; a RangeError of a Buffer is not one.
          if (!(error instanceof Error) || error.constructor !== Error) throw error
          frames.push(error.message)
        }
        return frames.join()
      }
      const middle = Math.floor(bytes.length / 2)
      assert(
        framesOf([bytes]) === framesOf([bytes.slice(0, middle), bytes.slice(middle)]),
        'the frames depend on how their bytes are divided',
      )
    },
  }
}
