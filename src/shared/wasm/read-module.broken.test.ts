import { describe, expect, it } from 'vitest'
import { moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import { describeModuleProblem, type ModuleProblem } from './module-problem.ts'
import { readModule } from './read-module.ts'

const problemOf = (bytes: Uint8Array): ModuleProblem => {
  const reading = readModule(bytes)
  if (reading.ok) throw new Error('the module was not refused')
  return reading.problem
}

describe('broken modules', () => {
  const type = section(1, [1, 0x60, 0, 0])

  it.each([
    [
      'a section longer than the file',
      [[1, 9, 1, 0x60, 0]],
      'truncated',
      8,
      /type section declares 9 bytes.*after 3/,
    ],
    ['an id without a size', [[1]], 'truncated', 9, /ends inside the size/],
    ['a list longer than its section', [section(1, [9, 0x60, 0, 0])], 'truncated', 10, /declares 9 types/],
    ['four billion types', [section(1, [0xff, 0xff, 0xff, 0xff, 0x0f, 0])], 'truncated', 10, /4294967295/],
    [
      'a number of 33 bits',
      [section(1, [0xff, 0xff, 0xff, 0xff, 0x1f, 0])],
      'malformed',
      14,
      /too many bits/,
    ],
    [
      'a number of 6 bytes',
      [section(1, [0x80, 0x80, 0x80, 0x80, 0x80, 0])],
      'malformed',
      14,
      /too many bits/,
    ],
    [
      'an entry that continues in the next section',
      [section(5, [1, 1, 1]), section(0, [0])],
      'truncated',
      13,
      /memory section ends inside the maximum/,
    ],
    [
      'a heap type of 34 bits',
      [section(1, [1, 0x60, 1, 0x63, 0x80, 0x80, 0x80, 0x80, 0x10, 0])],
      'malformed',
      18,
      /too many bits/,
    ],
    ['bytes after the last entry', [section(5, [1, 0, 1, 0])], 'malformed', 13, /has 1 byte after/],
    ['a repeated section', [type, type], 'section-order', 14, /type section appears twice/],
    ['a section repeated later', [type, section(5, [0]), type], 'section-order', 17, /appears twice/],
    [
      'a section out of order',
      [section(5, [0]), type],
      'section-order',
      11,
      /type section must come before the memory/,
    ],
    [
      'tags after globals',
      [section(6, [0]), section(13, [0])],
      'section-order',
      11,
      /tag section must come before/,
    ],
    [
      'data count after code',
      [section(10, [0]), section(12, [0])],
      'section-order',
      11,
      /data count section must/,
    ],
    ['an unknown section', [section(15, [0])], 'unsupported', 8, /unknown id 15/],
    ['an unknown value type', [section(1, [1, 0x60, 1, 0x40, 0])], 'unsupported', 13, /0x40/],
    ['an unknown heap type', [section(1, [1, 0x60, 1, 0x63, 0x40, 0])], 'unsupported', 14, /heap type/],
    ['an unknown type form', [section(1, [1, 0x61, 0])], 'unsupported', 11, /form 0x61/],
    ['a group within a group', [section(1, [1, 0x4e, 1, 0x4e, 0])], 'unsupported', 13, /form 0x4e/],
    ['unknown limits', [section(5, [1, 8, 1])], 'unsupported', 11, /flags 0x8/],
    ['an import of an unknown kind', [section(2, [1, 0, 0, 5, 0])], 'unsupported', 13, /kind 0x5/],
    ['an import of an unknown type', [section(2, [1, 0, 0, 0, 3])], 'malformed', 14, /has type 3/],
    ['a name that is not UTF-8', [section(2, [1, 1, 0xff, 0, 2, 0, 1])], 'malformed', 12, /UTF-8/],
    [
      'a name longer than its section',
      [section(2, [1, 9, 0x61, 0, 2])],
      'truncated',
      12,
      /ends inside the module name/,
    ],
    ['a function of an unknown type', [type, section(3, [1, 1])], 'malformed', 17, /Function 0 has type 1/],
    [
      'a function that is a struct',
      [section(1, [1, 0x5f, 0]), section(3, [1, 0])],
      'malformed',
      16,
      /not a function type/,
    ],
    ['functions without bodies', [type, section(3, [1, 0])], 'malformed', 18, /1 function but has no bodies/],
    [
      'too few bodies',
      [type, section(3, [1, 0]), section(10, [0])],
      'malformed',
      20,
      /1 function but has 0 bodies/,
    ],
    [
      'a body too long',
      [type, section(3, [1, 0]), section(10, [1, 3, 0, 0x0b])],
      'truncated',
      22,
      /body of function 0/,
    ],
    [
      'locals past the body',
      [type, section(3, [1, 0]), section(10, [1, 2, 1, 1, 0x7f, 0x0b])],
      'malformed',
      21,
      /its locals/,
    ],
    ['an export of no function', [section(7, [1, 1, 0x66, 0, 0])], 'malformed', 14, /function 0, which/],
    [
      'two exports of one name',
      [section(7, [2, 1, 0x66, 2, 0, 1, 0x66, 2, 0])],
      'malformed',
      15,
      /same name/,
    ],
  ])('are rejected with the position: %s', (_what, sections, code, offset, message) => {
    const bytes = moduleBytes(...sections)
    expect(WebAssembly.validate(bytes)).toBe(false)
    const problem = problemOf(bytes)
    expect(problem).toMatchObject({ code, offset })
    expect(describeModuleProblem(problem)).toMatch(message)
    expect(describeModuleProblem(problem)).toContain(`(at byte ${offset})`)
  })
})
