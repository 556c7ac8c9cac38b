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

/** Shows what has become of an own release, and waits for it where that is wanted. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'Show what has become of a release of yours: place in line, notes, findings',
  usage: '[NAME[@VERSION]] [--wait [--timeout TIME]]',
  help: `Without a version it is the one that you submitted last, without a name the last one of all.

  --wait          Wait until it is decided: asks every 15 s at first, and every minute later
  --timeout TIME  Wait no longer than so, such as 90s, 30m or 2h; ${defaultWait} without it

It ends with 0 while the release is pending and once it is approved, and with 1 where it was rejected or
revoked. With --wait it ends with 124 where it is still pending when the time is up.

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
  return new ClientError(exitCodes.usage, '--timeout is only of use with --wait.', {
    code: 'USAGE',
    next: 'Write it as: skill status NAME --wait --timeout 2h',
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
      ? `You have published nothing at ${registry.address.host} yet.`
      : `You have published no ${nameOf(wanted)} at ${registry.address.host}.`,
    { code: 'NOT_FOUND', next: 'See what you have published with: skill mine' },
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
    onTrouble: ({ message }) => tell(`${message} It is asked again.`),
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
    terminal.line(terminal.style('bold', `What the registry's checks found: ${countFindings(findings)}`))
    showFindings(terminal, findings)
  }
  terminal.line()
  terminal.line(terminal.style('dim', nextOf(release, status === 'pending' && isWaiting)))
}

function nextOf(release: OwnRelease, isTimeUp: boolean): string {
  const { status } = release
  if (status === 'approved') return `Everybody can have it with: skill install ${nameOf(release)}`
  if (status !== 'pending') return 'A version stays as it is: mend it, raise the version and publish again.'
  return isTimeUp
    ? 'It was not decided in that time. Go on waiting with the same command.'
    : `It is reviewed by hand. Wait for it with: skill status ${nameOf(release)} --wait`
}
