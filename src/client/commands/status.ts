import { withDefault } from '../../shared/command-line/command-table.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import type { Thread } from '../../shared/contracts/thread.ts'
import { usageError } from '../client-error.ts'
import type { Command, Context } from '../command.ts'
import { texts } from './commands.texts.ts'
import { readDuration } from '../terminal/read-duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { getOwnRelease, showReason, statusText, submittedText, titleOf } from '../registry/own-releases.ts'
import { nameOf, readReleaseName } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'
import { findThread, showThread } from '../registry/thread.ts'
import { countFindings, showFindings } from '../project/show-findings.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { waitForDecision } from '../registry/wait-for-decision.ts'

const defaultWait = '1h'

/** Shows the review status of the user's own release, and optionally waits for the decision. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the status of your release: queue position, notes, findings, questions',
  usage: ['[NAME[@VERSION]] [--wait [--timeout TIME]]'],
  about: `Without a version, shows the latest submission of NAME, by any of its owners; without NAME, your latest
submission.`,
  options: {
    wait: {
      type: 'boolean',
      help: 'wait for the decision, polling every 15 s at first and every minute later',
    },
    timeout: {
      type: 'string',
      value: 'TIME',
      help: withDefault('maximum time to wait, such as 90s, 30m or 2h', defaultWait),
    },
  },
  notes: `Exits with 0 if the release is pending or approved, and 1 if it was rejected or revoked. With --wait, exits with 124
if it is still pending when the time is up.

  skill status
  skill status csv-to-json@1.0.0 --json
  skill status csv-to-json --wait --timeout 2h`,
  positionals: { min: 0, max: 1 },
  async run(context, [word], options) {
    const requested = word === undefined ? null : readReleaseName(word)
    const isWaiting = options.flag('wait')
    const timeout = options.text('timeout')
    if (timeout !== undefined && !isWaiting) throw usageError(texts.status.onlyWithWait)
    const maxWaitMs = readDuration('--timeout', timeout ?? defaultWait)
    const registry = context.registry()
    const first = await getOwnRelease(registry, requested)
    const release = isWaiting ? await waitFor(context, registry, first, maxWaitMs) : first
    const thread = await findThread(registry, release)
    return {
      data: { release, thread },
      exitCode: exitCodeOf(release, isWaiting),
      print(terminal) {
        print(terminal, release, thread, isWaiting)
      },
    }
  },
}

function waitFor(
  { terminal, signal }: Context,
  registry: Registry,
  first: OwnRelease,
  maxWaitMs: number,
): Promise<OwnRelease> {
  const { name, version } = first
  let lastLine = ''
  const report = (text: string): void => {
    if (text !== lastLine) terminal.note(text)
    lastLine = text
  }
  const onPending = (release: OwnRelease): void =>
    report(texts.status.pending(nameOf(release), statusText(release)))
  if (first.status === 'pending') onPending(first)
  return waitForDecision(first, {
    fetchRelease: () => getOwnRelease(registry, { name, version }),
    pause: (ms) => wait(ms, undefined, { signal }),
    now: () => performance.now(),
    deadline: performance.now() + maxWaitMs,
    onPending,
    onError: ({ message }) => report(texts.status.retrying(message)),
  })
}

function exitCodeOf({ status }: OwnRelease, isWaiting: boolean): number {
  if (status === 'pending') return isWaiting ? exitCodes.timeLimit : exitCodes.done
  return status === 'approved' ? exitCodes.done : exitCodes.failed
}

function print(terminal: Terminal, release: OwnRelease, thread: Thread | null, isWaiting: boolean): void {
  const { createdAt, sha256, status, rejectedFor, submittedBy } = release
  const findings = rejectedFor ?? release.findings
  terminal.line(titleOf(terminal, release))
  const submitted = submittedText(createdAt, submittedBy)
  terminal.note(texts.status.facts(submitted, plainLine(sha256)))
  if (release.firstApproval !== undefined) {
    const { approvedBy, approvedAt } = release.firstApproval
    terminal.note(texts.status.firstApproval(plainLine(approvedBy), approvedAt))
  }
  showReason(terminal, release)
  if (findings.length > 0) {
    terminal.line()
    terminal.line(
      terminal.style('bold', texts.status.findings(countFindings(findings), rejectedFor !== null)),
    )
    showFindings(terminal, findings)
  }
  if (thread !== null) showThread(terminal, thread)
  terminal.line()
  terminal.note(nextOf(release, status === 'pending' && isWaiting))
}

function nextOf(release: OwnRelease, isTimeUp: boolean): string {
  const { install, bumpVersion, timeUp, inReview, reply } = texts.status
  if (release.status === 'approved') return install(nameOf(release))
  if (release.status !== 'pending') return bumpVersion
  if (release.thread?.waitingFor === 'publisher') return reply(nameOf(release))
  return isTimeUp ? timeUp : inReview(nameOf(release))
}
