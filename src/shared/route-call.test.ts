import { expect, test } from 'vitest'
import { addressOf } from './route-call.ts'

test('parameters are inserted and encoded, and empty query values are omitted', () => {
  expect(
    addressOf('/desk/api/people/{id}/access/{kind}/{access}', { id: 7, kind: 'token', access: 'a/b' }),
  ).toBe('/desk/api/people/7/access/token/a%2Fb')
  expect(addressOf('/desk/api/releases', {}, { view: 'all', q: '', status: undefined, offset: 0 })).toBe(
    '/desk/api/releases?view=all&offset=0',
  )
})
