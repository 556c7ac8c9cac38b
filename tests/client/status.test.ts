import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ClientError } from '../../src/client/client-error.ts'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { waitForDecision } from '../../src/client/registry/wait-for-decision.ts'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { cleanUp } from '../support/server/command-line.ts'
import { getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { startHostileServer } from '../support/client/hostile-server.ts'
import type { HostileServer } from '../support/client/hostile-server.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let proxy: HostileServer
beforeAll(async () => {
  app = await startTestRegistry()
  proxy = await startHostileServer(app)
})
afterAll(async () => {
  await proxy.stop()
  await app.stop()
  await cleanUp()
})
beforeEach(() => proxy.reset())

let people = 0
/** A developer without any releases. */
async function developer(): Promise<string> {
  people += 1
  return app.token({ subject: `dev-${people}`, name: `Dev ${people}` })
}

const skill = (token: string, ...args: string[]): Promise<HereEnded> =>
  skillHere(args, { env: { SKILL_REGISTRY: proxy.url, SKILL_TOKEN: token } })

let modules = 0
async function submit(token: string, name: string, version = '1.0.0', license = 'MIT'): Promise<number> {
  modules += 1
  return app.submit({ ...goodManifest, name, version, license }, token, await quietModule(modules))
}

interface Shown {
  release: OwnRelease
}

describe('skill status', () => {
  test('shows the last submitted release, overall or of a name, or the given version', async () => {
    const token = await developer()
    await submit(token, 'one-tool')
    await submit(token, 'one-tool', '1.1.0')
    await submit(token, 'two-tool')
    const shown = async (...args: string[]): Promise<string> => {
      const { status, stdout } = await skill(token, 'status', ...args, '--json')
      expect(status).toBe(exitCodes.done)
      const { name, version } = (JSON.parse(stdout) as Shown).release
      return `${name}@${version}`
    }
    expect(await shown()).toBe('two-tool@1.0.0')
    expect(await shown('one-tool')).toBe('one-tool@1.1.0')
    expect(await shown('one-tool@1.0.0')).toBe('one-tool@1.0.0')
  })

  test('shows the position in the queue and the next step', async () => {
    const token = await developer()
    await submit(token, 'waiting-tool')
    const { stdout } = await skill(token, 'status', 'waiting-tool')
    const [title, submitted, , next] = stdout.split('\n')
    expect(title).toMatch(/^waiting-tool 1\.0\.0 {2}pending, #\d+ of \d+ in queue$/)
    expect(submitted).toMatch(/^submitted \d{4}-\d\d-\d\dT.*Z, SHA-256 [a-f0-9]{64}$/)
    expect(next).toBe(
      'A person reviews every release. To wait for the decision, run: skill status waiting-tool@1.0.0 --wait',
    )
  })

  test.each<[string, string[], number, string]>([
    ['approved', ['approved'], exitCodes.done, 'Anyone can install it with: skill install'],
    ['rejected', ['rejected'], exitCodes.failed, 'Fix the problem, bump the version and publish again'],
    [
      'revoked',
      ['approved', 'revoked'],
      exitCodes.failed,
      'Fix the problem, bump the version and publish again',
    ],
  ])('shows that it was %s, with the review notes', async (state, actions, exitCode, next) => {
    const token = await developer()
    await app.decide(await submit(token, `${state}-tool`), ...actions)
    const { status, stdout } = await skill(token, 'status', `${state}-tool`)
    expect(status).toBe(exitCode)
    expect(stdout).toMatch(`${state}-tool 1.0.0  ${state}\n`)
    expect(stdout).toMatch(`Review notes\n  It was ${state} with good reason.\n`)
    expect(stdout).toMatch(next)
  })

  test('shows findings with severity, place, reason, advice, and whether they were dismissed', async () => {
    const token = await developer()
    const id = await submit(token, 'found-tool', '1.0.0', 'mit')
    const rita = await signIn(app, 'rita')
    const [finding] = (await getDeskRelease(rita, id)).checks?.findings ?? []
    const before = await skill(token, 'status', 'found-tool')
    expect(before.status).toBe(exitCodes.done)
    expect(before.stdout).toMatch(`Findings: 1 ${finding?.severity}\n`)
    for (const text of [
      finding?.severity,
      finding?.title,
      finding?.reason,
      finding?.advice,
      finding?.check,
    ]) {
      expect(before.stdout).toContain(text)
    }
    expect(before.stdout).toMatch(/where +license in the manifest\n/)
    await rita.send('POST', `/releases/${id}/judgements`, {
      fingerprint: finding?.fingerprint,
      reason: 'It is MIT in lowercase.',
    })
    expect((await skill(token, 'status', 'found-tool')).stdout).toMatch(
      /status +dismissed by rita: It is MIT in lowercase\.\n/,
    )
  })

  test('finds a release on a later page without reading more pages than needed', async () => {
    const token = await developer()
    for (let count = 0; count < 52; count += 1) await submit(token, `paged-${count}`)
    proxy.reset()
    expect((await skill(token, 'status', 'paged-0')).status).toBe(exitCodes.done)
    expect(proxy.seen.map(({ path }) => path)).toEqual([
      '/api/skilldock/mine?offset=0',
      '/api/skilldock/mine?offset=50',
    ])
    proxy.reset()
    expect((await skill(token, 'status', 'paged-51')).status).toBe(exitCodes.done)
    expect(proxy.seen).toHaveLength(1)
  })

  test('says that there is no release of that name, or none at all', async () => {
    const token = await developer()
    const none = await skill(token, 'status')
    expect(none.status).toBe(exitCodes.notFound)
    expect(none.stderr).toMatch(/^skill: You have no releases at 127\.0\.0\.1:\d+ yet\.\n/)
    expect(none.stderr).toMatch('Create a skill with: skill init\n')
    await submit(token, 'some-tool')
    const other = await skill(token, 'status', 'some-tool@9.0.0')
    expect(other.status).toBe(exitCodes.notFound)
    expect(other.stderr).toMatch('You have no release some-tool@9.0.0 at')
    expect(other.stderr).toMatch('To list your releases, run: skill mine\n')
  })

  test('suggests skill login without a token and with a rejected one', async () => {
    const anonymous = await skillHere(['status'], { env: { SKILL_REGISTRY: proxy.url } })
    expect(anonymous.status).toBe(exitCodes.notAllowed)
    expect(anonymous.stderr).toMatch('Sign in with: skill login\n')
    expect(proxy.seen).toEqual([])
    const broken = await skill('not-a-token', 'status')
    expect(broken.status).toBe(exitCodes.notAllowed)
    expect(broken.stderr).toMatch('SKILL_TOKEN is set.')
    expect(broken.stderr).toMatch('skill login')
  })
})

describe('skill status --wait', () => {
  test('waits for the decision', async () => {
    const token = await developer()
    const id = await submit(token, 'decided-tool')
    const written = { stdout: '', stderr: '' }
    const env = { SKILL_REGISTRY: proxy.url, SKILL_TOKEN: token }
    const ended = skillHere(['status', 'decided-tool', '--wait', '--timeout', '2s'], { env, written })
    await until('one poll has been answered', () => written.stderr !== '')
    await app.decide(id, 'approved')
    const { status, stdout, stderr } = await ended
    expect(status).toBe(exitCodes.done)
    expect(stderr).toMatch(/^decided-tool@1\.0\.0 is pending, #\d+ of \d+ in queue\.\n$/)
    expect(stdout).toMatch(/^decided-tool 1\.0\.0 {2}approved\n/)
  })

  test('exits with 124 if there is no decision when the time is up', async () => {
    const token = await developer()
    await submit(token, 'patient-tool')
    const { status, stdout } = await skill(token, 'status', '--wait', '--timeout', '1s')
    expect(status).toBe(exitCodes.timeLimit)
    expect(stdout).toMatch('patient-tool 1.0.0  pending')
    expect(stdout).toMatch(
      'Still pending when the time was up. Run the same command again to keep waiting.\n',
    )
  })

  test('shows an existing decision without waiting', async () => {
    const token = await developer()
    await app.decide(await submit(token, 'old-tool'), 'rejected')
    const { status, stderr } = await skill(token, 'status', '--wait')
    expect({ status, stderr }).toEqual({ status: exitCodes.failed, stderr: '' })
    expect(proxy.seen).toHaveLength(1)
  })

  test('is canceled by Ctrl+C', async () => {
    const token = await developer()
    await submit(token, 'left-tool')
    const ending = new AbortController()
    const env = { SKILL_REGISTRY: proxy.url, SKILL_TOKEN: token }
    const ended = skillHere(['status', '--wait'], { env, signal: ending.signal })
    await until('it has polled', () => proxy.seen.length === 1)
    ending.abort()
    expect((await ended).status).toBe(exitCodes.interrupted)
  })

  test.each([
    [['--timeout', '2h'], '--timeout requires --wait.'],
    [['--wait', '--timeout', 'soon'], '--timeout must be a duration such as 90s, 30m or 2h, at most a week.'],
    [['--wait', '--timeout', '0'], '--timeout must be a duration such as 90s, 30m or 2h, at most a week.'],
    [
      ['--wait', '--timeout', '8000h'],
      '--timeout must be a duration such as 90s, 30m or 2h, at most a week.',
    ],
  ])('rejects %j', async (args, sentence) => {
    const { status, stderr } = await skill('token', 'status', ...args)
    expect(status).toBe(exitCodes.usage)
    expect(stderr).toMatch(sentence)
    expect(proxy.seen).toEqual([])
  })
})

describe('the conversation', () => {
  const question = 'Why does it read the clock?'
  const ask = async (name: string, more: object = {}): Promise<void> => {
    const rita = await signIn(app, 'rita')
    const { status } = await rita.send('POST', `/review/${name}/1.0.0/thread`, { text: question, ...more })
    expect(status).toBe(201)
  }

  test('is shown with what it refers to, the label, and how to answer', async () => {
    const token = await developer()
    const id = await submit(token, 'asked-tool', '1.0.0', 'mit')
    const [finding] = (await getDeskRelease(await signIn(app, 'rita'), id)).checks?.findings ?? []
    await ask('asked-tool', {
      requestsChanges: true,
      about: { kind: 'finding', fingerprint: finding?.fingerprint },
    })
    await ask('asked-tool', { about: { kind: 'function', index: 7, name: 'main' } })
    const { status, stdout } = await skill(token, 'status', 'asked-tool')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toMatch(/pending, #\d+ of \d+ in queue, changes requested\n/)
    expect(stdout).toContain('Conversation\n')
    expect(stdout).toMatch(/Reviewer \d+ requested changes on 2\S+Z, about license-unknown: .+\n/)
    expect(stdout).toMatch(
      /Reviewer \d+ asked on 2\S+Z, about function 7 \(main\)\n {4}Why does it read the clock\?\n/,
    )
    expect(stdout).toContain('To answer the question, run: skill reply asked-tool@1.0.0 "YOUR ANSWER"')
  })

  test('is answered with skill reply', async () => {
    const token = await developer()
    const id = await submit(token, 'answered-tool')
    await ask('answered-tool')
    const sent = await skill(token, 'reply', 'answered-tool', 'It names\nthe output.')
    expect(sent).toMatchObject({ status: exitCodes.done })
    expect(sent.stdout).toContain('Your answer about answered-tool@1.0.0 was sent to the reviewers.')
    const { thread } = await getDeskRelease(await signIn(app, 'rita'), id)
    expect(thread.messages.map(({ text }) => text)).toEqual([question, 'It names\nthe output.'])
    const { stdout } = await skill(token, 'status', 'answered-tool')
    expect(stdout).toContain('    It names\n    the output.\n')
    expect(stdout).not.toContain('skill reply')
  })

  test('about a release that a co-owner submitted is shown and answered', async () => {
    const publisher = await developer()
    const coOwner = await developer()
    await submit(publisher, 'co-owned-tool')
    await ask('co-owned-tool')
    await skill(publisher, 'owner', 'offer', 'co-owned-tool', `dev-${people}`)
    expect((await skill(coOwner, 'status', 'co-owned-tool')).status).toBe(exitCodes.notFound)
    await skill(coOwner, 'owner', 'accept', 'co-owned-tool')
    const { stdout } = await skill(coOwner, 'status', 'co-owned-tool')
    expect(stdout).toMatch(/submitted 2\S+Z by Dev \d+, SHA-256/)
    expect(stdout).toContain(question)
    expect((await skill(coOwner, 'reply', 'co-owned-tool', 'It names the output.')).status).toBe(
      exitCodes.done,
    )
    expect((await skill(publisher, 'status', 'co-owned-tool')).stdout).toContain('It names the output.')
    expect((await skill(coOwner, 'mine')).stdout).toMatch(/^co-owned-tool .+ by Dev \d+$/m)
    // Without a name, a release that another owner submitted is not the user's latest.
    expect((await skill(coOwner, 'status')).status).toBe(exitCodes.notFound)
    await skill(publisher, 'owner', 'leave', 'co-owned-tool')
    expect((await skill(publisher, 'status', 'co-owned-tool')).stdout).not.toContain(question)
  })

  test.each([
    ['a text that is empty', 'blank-tool', ' ', exitCodes.usage, "The answer can't be sent: it"],
    [
      'a release that is not yours',
      'foreign-tool',
      'Yes.',
      exitCodes.notFound,
      'You have no release foreign-tool',
    ],
    ['a release without a question', 'unasked-tool', 'Yes.', exitCodes.refused, 'there is nothing to answer'],
  ])('skill reply rejects %s', async (_what, name, text, exitCode, sentence) => {
    const token = await developer()
    await submit(name === 'foreign-tool' ? await developer() : token, name)
    const { status, stderr } = await skill(token, 'reply', name, text)
    expect(status).toBe(exitCode)
    expect(stderr).toContain(sentence)
  })
})

test('a rejected release is shown with the findings at that time', async () => {
  const token = await developer()
  await app.decide(await submit(token, 'rule-tool', '1.0.0', 'mit'), 'rejected')
  const { stdout } = await skill(token, 'status', 'rule-tool')
  expect(stdout).toMatch(/Findings when it was rejected: 1 (?:note|warning)\n/)
  expect(stdout).toContain('license-unknown')
})

describe('polling', () => {
  const release = (status: OwnRelease['status']): OwnRelease => ({
    id: 1,
    name: 'tool',
    version: '1.0.0',
    status,
    size: 8,
    sha256: '0'.repeat(64),
    createdAt: '2026-01-01T00:00:00.000Z',
    reviewReason: null,
    place: status === 'pending' ? 1 : null,
    waiting: 1,
    findings: [],
    rejectedFor: null,
    submittedBy: null,
    thread: null,
  })
  /**
   * Waits with a clock that only `pause` advances. Resolves to the last status, the pauses in seconds and the number of
   * errors.
   */
  const watched = async (
    answers: readonly (OwnRelease | Error)[],
    deadline: number,
  ): Promise<{ seen: string; pauses: number[]; errors: number }> => {
    const pauses: number[] = []
    let now = 0
    let errors = 0
    const seen = await waitForDecision(release('pending'), {
      async fetchRelease() {
        const answer = answers[pauses.length - 1] ?? release('pending')
        if (answer instanceof Error) throw answer
        return answer
      },
      async pause(ms) {
        pauses.push(ms / 1000)
        now += ms
      },
      now: () => now,
      deadline,
      onPending: () => {},
      onError: () => (errors += 1),
    })
    return { seen: seen.status, pauses, errors }
  }

  test('starts every 15 s, slows down to every minute, and checks once more at the end', async () => {
    const { seen, pauses } = await watched([], 300_000)
    expect(seen).toBe('pending')
    expect(pauses).toEqual([15, 22.5, 33.75, 50.625, 60, 60, 58.125])
  })

  test('continues if the registry is unavailable or busy, and stops if it refuses', async () => {
    const unavailable = new ClientError(exitCodes.unreachable, { sentence: 'It is unavailable.' })
    const busy = new ClientError(exitCodes.refused, { sentence: 'It is busy.' }, { retryAfter: 50 })
    const denied = new ClientError(exitCodes.notAllowed, { sentence: 'The token has expired.' })
    expect(await watched([unavailable, busy, release('rejected')], 600_000)).toEqual({
      seen: 'rejected',
      pauses: [15, 22.5, 50],
      errors: 2,
    })
    await expect(watched([unavailable, denied], 600_000)).rejects.toBe(denied)
  })
})

describe('skill mine', () => {
  test('lists your releases with status and review notes, newest first, in pages', async () => {
    const token = await developer()
    const first = await submit(token, 'first-tool')
    await submit(token, 'second-tool')
    await app.decide(first, 'rejected')
    const { status, stdout } = await skill(token, 'mine')
    expect(status).toBe(exitCodes.done)
    const [headings, second, rejected, end] = stdout.split('\n')
    expect(headings).toMatch(/^NAME +VERSION +STATUS +SUBMITTED +REVIEW NOTES$/)
    expect(second).toMatch(/^second-tool +1\.0\.0 +pending, #\d+ of \d+ in queue +\d{4}-\d\d-\d\d$/)
    expect(rejected).toMatch(
      /^first-tool +1\.0\.0 +rejected +\d{4}-\d\d-\d\d +It was rejected with good reason\.$/,
    )
    expect(end).toBe('')
    const none = await skill(token, 'mine', '--offset', '2')
    expect(none.stdout).toBe('--offset 2 is past the end: you have 2 releases.\n')
    expect((await skill(token, 'mine', '--offset', '-1')).status).toBe(exitCodes.usage)
  })

  test('says how to see the next page', async () => {
    const token = await developer()
    for (let count = 0; count < 51; count += 1) await submit(token, `many-${count}`)
    const first = await skill(token, 'mine')
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(52)
    expect(first.stdout).toMatch(/\nFor more: --offset 50\n$/)
    const { stdout } = await skill(token, 'mine', '--offset', '50', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ name: 'many-0' }], total: 51, nextOffset: null })
  })

  test('suggests skill init if there are no releases', async () => {
    expect((await skill(await developer(), 'mine')).stdout).toBe(
      'You have no releases in this registry yet. Create a skill with: skill init\n',
    )
  })
})
