import { expect, test } from 'vitest'
import { gramQuery } from './releases.rules.ts'

test.each([
  ['strict parse invoice', ['t p', 'e i', 'ct ']],
  ['parse 12', [' 12', 'e 1', 'se ']],
  ['parser', ['par', 'ser', 'ars']],
  ['in', ['in']],
])('a search for %j looks up at most three runs, the rarest and then those at its ends', (term, runs) => {
  const tokens = gramQuery(term).split(' AND ')
  expect(tokens.map((token) => Buffer.from(token.slice(1), 'hex').toString('utf16le'))).toEqual(runs)
})
