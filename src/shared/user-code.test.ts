import { expect, test } from 'vitest'
import { readUserCode } from './user-code.ts'

test.each(['BCDF-GHJK', 'bcdf-ghjk', 'BCDFGHJK', ' bcdf ghjk ', 'BCDF–GHJK', 'b-c-d-f-g-h-j-k'])(
  '%s is the code BCDF-GHJK',
  (text) => {
    expect(readUserCode(text)).toBe('BCDF-GHJK')
  },
)

test.each([
  '',
  'BCDF',
  'BCDF-GHJ',
  'BCDF-GHJKL',
  'ACDF-GHJK',
  'BCDF-GHJ0',
  'BCDF_GHJK',
  'ÉCDF-GHJK',
  'ſBCD-FGHJ',
])('"%s" is not a code', (text) => {
  expect(readUserCode(text)).toBeNull()
})
