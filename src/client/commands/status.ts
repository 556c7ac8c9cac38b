import { setTimeout as wait } from 'node:timers/promises'
import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { readDuration } from '../terminal/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { findOwnRelease, showReason, stateWords, titleOf } from '../registry/own-releases.ts'
import { nameOf, readReleaseName } from '../registry/registry.ts'
import type { Registry, ReleaseName } from '../registry/registry.ts'
import { countFindings, showFindings } from '../project/show-findings.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilDecided } from '../registry/until-decided.ts'

const defaultWait = '1h'

/** Shows the review status of the user's own release, and optionally waits for the decision. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the status of your release: place in the queue, review notes, findings',
  usage: '[NAME[@VERSION]] [--wait [--timeout TIME]]',
  help: `Without a version, shows the latest submission of NAME; without NAME, your latest submission.

  --wait          Wait for the decision, polling every 15 s at first and every minute later
  --timeout TIME  Maximum time to wait, such as 90s, 30m or 2h (default: ${defaultWait})

Exits with 0 if the release is pending or approved, and 1 if it was rejected or revoked. With --wait, exits with 124
if it is still pending when the time is up.

  skill status
  skill status csv-to-json@1.0.0 --json
  skill status csv-to-json --wait --timeout 2h`,
  options: { wait: { type: 'boolean' }, timeout: { type: 'string' } },
  words: { min: 0, max: 1 },
  async run(context, [word], options) {
    const wanted = word === undefined ? null : readReleaseName(word)
    const isWaiting = options.flag('wait')
    const timeout = options.text('timeout')
    if (timeout !== undefined && !isWaiting) throw onlyWithWait()
    const patienceMs = readDuration('--timeout', timeout ?? defaultWait)
    const registry = context.registry()
    const first = await findOwn(registry, wanted)
    const release = isWaiting ? await waitFor(context, registry, first, patienceMs) : first
    return {
      data: { release },
      exitCode: exitCodeOf(release, isWaiting),
      print(terminal) {
        print(terminal, release, isWaiting)
      },
    }
  },
}

function onlyWithWait(): ClientError {
  return new ClientError(exitCodes.usage, '--timeout requires --wait.', {
    code: 'USAGE',
    next: 'Example: skill status NAME --wait --timeout 2h',
  })
}

async function findOwn(registry: Registry, wanted: ReleaseName | null): Promise<OwnRelease> {
  const found = await findOwnRelease(
    registry,
    ({ name, version }) =>
      wanted === null || (name === wanted.name && (wanted.version ?? version) === version),
  )
  if (found !== null) return found
  throw new ClientError(
    exitCodes.notFound,
    wanted === null
      ? `You have no releases at ${registry.address.host} yet.`
      : `You have no release ${nameOf(wanted)} at ${registry.address.host}.`,
    { code: 'NOT_FOUND', next: 'To list your releases, run: skill mine' },
  )
}

function waitFor(
  { terminal, signal }: Context,
  registry: Registry,
  first: OwnRelease,
  patienceMs: number,
): Promise<OwnRelease> {
  const { name, version } = first
  let told = ''
  const tell = (words: string): void => {
    if (words !== told) terminal.line(terminal.style('dim', words))
    told = words
  }
  const onPending = (release: OwnRelease): void => tell(`${nameOf(release)} is ${stateWords(release)}.`)
  if (first.status === 'pending') onPending(first)
  return untilDecided(first, {
    look: () => findOwn(registry, { name, version }),
    pause: (ms) => wait(ms, undefined, { signal }),
    now: () => performance.now(),
    deadline: performance.now() + patienceMs,
    onPending,
    onTrouble: ({ message }) => tell(`${message} Retrying.`),
  })
}

function exitCodeOf({ status }: OwnRelease, isWaiting: boolean): number {
  if (status === 'pending') return isWaiting ? exitCodes.timeLimit : exitCodes.done
  return status === 'approved' ? exitCodes.done : exitCodes.no
}

function print(terminal: Terminal, release: OwnRelease, isWaiting: boolean): void {
  const { createdAt, sha256, findings, status } = release
  terminal.line(titleOf(terminal, release))
  terminal.line(terminal.style('dim', `submitted ${createdAt}, SHA-256 ${plainLine(sha256)}`))
  showReason(terminal, release)
  if (findings.length > 0) {
    terminal.line()
    terminal.line(terminal.style('bold', `Findings: ${countFindings(findings)}`))
    showFindings(terminal, findings)
  }
  terminal.line()
  terminal.line(terminal.style('dim', nextOf(release, status === 'pending' && isWaiting)))
}

function nextOf(release: OwnRelease, isTimeUp: boolean): string {
  const { status } = release
  if (status === 'approved') return `Anyone can install it with: skill install ${nameOf(release)}`
  if (status !== 'pending') return 'Fix the problem, bump the version and publish again.'
  return isTimeUp
    ? 'Still pending when the time was up. Run the same command again to keep waiting.'
    : `A person reviews every release. To wait for the decision, run: skill status ${nameOf(release)} --wait`
}
