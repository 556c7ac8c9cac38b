import { withPeople } from '../../../src/server/commands/open-people.ts'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../../src/server/db/database.ts'
import { createBuiltInVerifier } from '../../../src/server/domains/identity/built-in-tokens.service.ts'
import { readSigningKey } from '../../../src/server/storage/signing-key.ts'
import { DomainError } from '../../../src/shared/errors.ts'
import { rawToken } from '../../support/server/tokens.ts'
import { ascii, assert, textOf } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

export async function tokenTarget(folder: string): Promise<Target> {
  const { token } = await withPeople(
    (people) => people.issueToken({ subject: 'alice', role: 'developer' }),
    folder,
  )
  const paths = dataPaths(folder)
  const database = openDatabase(paths.database)
  const verify = createBuiltInVerifier(database, readSigningKey(paths.signingKey), () => null)
  const partsOf = (text: string): string =>
    text
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('hex'))
      .join('.')
  return {
    batchSize: 100,
    seeds: [ascii(token), ascii(rawToken({ alg: 'none' }, { sub: 'alice', exp: 1e12, iat: 0, jti: 'x' }))],
    words: ['.', 'eyJhbGciOiJub25lIn0', 'eyJhbGciOiJIUzI1NiJ9', '==', 'e30'],
    async read(bytes) {
      const sent = textOf(bytes)
      try {
        await verify(sent)
      } catch (error) {
        if (error instanceof DomainError) return
        throw error
      }
      assert(partsOf(sent) === partsOf(token), 'a changed token was accepted')
    },
    close: () => database.close(),
  }
}
