import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { longestTurnBelow } from '../support/cpu-time.ts'
import { manifest, publish } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry

/** A manifest has at most 25,600 bytes. */
const readmeBytes = 19_900
/** Texts of the maximum length of a readme, each made to slow down one of the checks. */
const repeated = (start: string, part: string): string =>
  start + part.repeat(Math.floor((readmeBytes - Buffer.byteLength(start)) / Buffer.byteLength(part)))

const hostile: [string, Partial<SkillManifest>][] = [
  ['a URL with thousands of dots', { readme: `${repeated('http://', '.')}a` }],
  ['a URL that starts with a bracket', { readme: repeated('http://[', ']') }],
  ['thousands of brackets', { readme: repeated('[', '[') }],
  ['thousands of links without a label', { readme: repeated('', '](http://') }],
  ['elements with thousands of attributes', { readme: repeated('<a ', ' onload') }],
  ['thousands of commands without a shell', { readme: repeated('', 'curl ') }],
  ['thousands of spaces after a pipe', { readme: `${repeated('curl |', ' ')}sudo` }],
  ['thousands of hidden characters', { readme: repeated('text', '\u200B\u202E') }],
  ['a license of thousands of parentheses', { license: '('.repeat(100) }],
]

beforeAll(async () => {
  app = await startTestRegistry()
  // Code that runs for the first time is slower.
  for (const at of [1, 2, 3]) {
    await app.submit({ name: 'warm-up', version: `1.0.${at}`, readme: repeated('Reads text. ', 'word ') })
  }
})
afterAll(() => app.stop())

describe('a manifest made to slow down the checks', () => {
  test.each(hostile)('is checked without holding up the server for 20 ms: %s', async (_name, change) => {
    const name = `hostile-${hostile.findIndex(([, other]) => other === change)}`
    let answer: unknown
    const turn = await longestTurnBelow(20, async (attempt) => {
      const version = `1.0.${attempt}`
      const reply = await publish(
        app.registry,
        app.developer,
        manifest({ name, version, ...change }),
        app.wasm,
      )
      answer = reply.body
    })
    expect(answer).toMatchObject({ status: 'pending' })
    expect(turn).toBeLessThan(20)
  })
})
