import { describe, expect, it } from 'vitest'
import { hexRange, hexRow, landmarks, rangeOf } from './hex-rows.ts'
import { formatOffset, formatShare, readOffset } from './offsets.ts'

describe('offsets', () => {
  it('are padded to the size of the file, and parsed in the usual notations', () => {
    expect(formatOffset(0xb41c, 184_302)).toBe('0x00b41c')
    expect(formatOffset(0, 2 ** 24 + 1)).toBe('0x0000000')
    expect(['0xB41C', 'b41ch', '46108', ' 46,108 '].map(readOffset)).toEqual([46108, 46108, 46108, 46108])
    expect(['', 'xyz', '0x', '-1', '1.5', 'b41c', '9999999999'].map(readOffset)).toEqual(
      Array.from({ length: 7 }, () => null),
    )
  })
})

describe('shares', () => {
  it('never round a small part down to zero', () => {
    expect([formatShare(126, 1000), formatShare(1, 1e6), formatShare(0, 10), formatShare(0, 0)]).toEqual([
      '12.6%',
      '<0.1%',
      '0%',
      '0%',
    ])
  })
})

describe('rows of bytes', () => {
  it('have 16 bytes as hex and ASCII, and the rest in the last row', () => {
    const range = Uint8Array.from([...Buffer.from('\0asm\x01 A~\x7fé________'), 0x0a])
    expect(hexRow(range, 0x10000, 0)).toEqual({
      offset: 0x10000,
      bytes: '00 61 73 6d 01 20 41 7e 7f c3 a9 5f 5f 5f 5f 5f'.split(' '),
      text: '.asm. A~..._____',
    })
    expect(hexRow(range, 0x10000, 1)).toEqual({
      offset: 0x10010,
      bytes: ['5f', '5f', '5f', '0a'],
      text: '___.',
    })
  })

  it('are in ranges that start at multiples of the range size', () => {
    expect(rangeOf(0, 10)).toBe(0)
    expect(rangeOf(hexRange, 3 * hexRange)).toBe(hexRange)
    expect(rangeOf(hexRange - 1, 3 * hexRange)).toBe(0)
    expect(rangeOf(1e9, 3 * hexRange)).toBe(2 * hexRange)
    expect(rangeOf(5, 0)).toBe(0)
  })

  it('list the sections that begin in them', () => {
    const sections = [
      { id: 1, name: 'type', offset: 8, size: 4 },
      { id: 3, name: 'function', offset: 14, size: 2 },
      { id: 10, name: 'code', offset: 18, size: 9 },
    ]
    expect(landmarks(sections, 0)).toEqual(['type', 'function'])
    expect(landmarks(sections, 16)).toEqual(['code'])
    expect(landmarks(sections, 32)).toEqual([])
  })
})
