import { describe, expect, test } from 'vitest'
import { createFrameReader, frameHead } from './message-frames.ts'
import type { FrameKind } from './message-frames.ts'

const frame = (kind: FrameKind, text: string): Buffer =>
  Buffer.concat([frameHead(kind, Buffer.byteLength(text)), Buffer.from(text)])

/** The frames read from chunks of this length. */
function readInPieces(bytes: Buffer, length: number): [FrameKind, string][] {
  const seen: [FrameKind, string][] = []
  const read = createFrameReader((kind, content) => seen.push([kind, content.toString()]))
  for (let at = 0; at < bytes.length; at += length) read(bytes.subarray(at, at + length))
  return seen
}

describe('frames', () => {
  const bytes = Buffer.concat([
    frame('ready', ''),
    frame('stdout', 'hello'),
    frame('stderr', 'x'.repeat(300)),
    frame('answer', '{}'),
  ])

  test.each([1, 2, 3, 5, 7, 64, 1000])('are read from chunks of %i bytes', (length) => {
    expect(readInPieces(bytes, length)).toEqual([
      ['ready', ''],
      ['stdout', 'hello'],
      ['stderr', 'x'.repeat(300)],
      ['answer', '{}'],
    ])
  })

  test('are passed on only when they are complete', () => {
    expect(readInPieces(bytes.subarray(0, 9), 9)).toEqual([['ready', '']])
  })

  test('of an unknown kind or an excessive length are rejected', () => {
    const unknown = frame('ready', '')
    unknown[0] = 200
    expect(() => readInPieces(unknown, 5)).toThrow('invalid data')
    expect(() => readInPieces(frameHead('stdout', 67_108_865), 5)).toThrow('too much data')
  })
})
