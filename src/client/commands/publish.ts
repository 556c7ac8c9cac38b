import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { summarize } from '../../shared/validation.ts'
import { checkProject, isAcceptable } from '../project/check-project.ts'
import type { ProjectCheck } from '../project/check-project.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context, Options } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { showReason, stateWords } from '../registry/own-releases.ts'
import { readProject } from '../project/project.ts'
import { nameOf } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'
import { showCheck } from '../project/show-check.ts'
import { countFindings, showFindings } from '../project/show-findings.ts'
import type { Submission } from '../registry/submission-body.ts'
import { findPublished, submit } from '../registry/submit.ts'
import { progressBar } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { describeCheck } from './check.ts'

/** Submits a release for review. */
export const publishCommand: Command = {
  name: 'publish',
  summary: 'Check a skill and submit it for review',
  usage: '[FOLDER] [--manifest FILE] [--wasm FILE] [--no-examples]',
  help: `The folder, this one without a word, holds manifest.json and the module with the name that stands there:
NAME.wasm. Both are checked first, as skill check does. What the registry would refuse is not sent; what the
checks find is shown, and a person decides about it.

  --manifest FILE   Another manifest than the one in the folder
  --wasm FILE       Another module than NAME.wasm beside it
  --no-examples     Do not run the examples first

A release is sent once. Where the answer is lost, or the version is there already, the registry is asked what it
has, so that doing it again does no harm. A version never changes: for other bytes it has to be raised.

  skill publish
  skill publish build --json
  SKILL_TOKEN=… skill publish --registry https://skills.example.com`,
  options: { manifest: { type: 'string' }, wasm: { type: 'string' }, 'no-examples': { type: 'boolean' } },
  words: { min: 0, max: 1 },
  async run(context, [folder], options) {
    const { submission, check, registry, before } = await prepare(context, folder, options)
    const release = before ?? (await send(context, registry, submission))
    const known = new Set(check.findings.map(({ fingerprint }) => fingerprint))
    return {
      data: { submitted: before === null, release, check: describeCheck(check) },
      print(terminal) {
        if (before === null) printSubmitted(terminal, submission, release, known)
        else printBefore(terminal, before)
      },
    }
  },
}

interface Prepared {
  submission: Submission
  check: ProjectCheck
  registry: Registry
  /** What is there already; null where it is to be sent. */
  before: OwnRelease | null
}

/** Everything before the sending. */
async function prepare(context: Context, folder: string | undefined, options: Options): Promise<Prepared> {
  try {
    const { submission, check } = await checkFirst(context, folder, options)
    const registry = context.registry()
    const before = await findPublished(registry, submission)
    if (before !== null && before.sha256 !== submission.sha256) throw otherModule(submission)
    return { submission, check, registry, before }
  } catch (error) {
    if (!context.signal.aborted) throw error
    throw new ClientError(exitCodes.interrupted, 'Ended before anything was sent.', { code: 'INTERRUPTED' })
  }
}

/** What is to be sent, and what the checks say of it. Throws where the registry would refuse it. */
async function checkFirst(
  { folder: from, signal, program, terminal, isJson }: Context,
  folder: string | undefined,
  options: Options,
): Promise<{ submission: Submission; check: ProjectCheck }> {
  const files = { manifest: options.text('manifest'), wasm: options.text('wasm') }
  const project = await readProject({ from, folder, ...files })
  const check = await checkProject(project, {
    signal,
    program,
    runsExamples: !options.flag('no-examples'),
    onStep: (step) => terminal.status(step),
  }).finally(() => terminal.status(''))
  const { manifest, sha256 } = check
  if (manifest === null || !isAcceptable(check)) throw notAcceptable(check)
  if (!isJson) {
    showCheck(terminal, check)
    terminal.line()
  }
  const { name, version } = manifest
  // The registry leaves a byte order mark out before it counts, but with it a part may be longer than a part can be.
  const manifestText = project.manifestText.replace(/^\uFEFF/, '')
  return { submission: { name, version, manifestText, module: project.module, sha256 }, check }
}

function notAcceptable({ manifest, manifestProblems, moduleProblems }: ProjectCheck): ClientError {
  const [what, code] =
    manifest === null ? (['manifest', 'INVALID_MANIFEST'] as const) : (['module', 'INVALID_PACKAGE'] as const)
  const issues = [...manifestProblems, ...moduleProblems]
  const [first, ...more] = issues.map(({ path, message }) => ({
    // That it is the module, or the manifest, is said already.
    path: path === 'manifest' || path.startsWith('wasm') ? '' : path,
    message: message.replace(/\.$/, ''),
  }))
  const reason = summarize(first === undefined ? [] : [first, ...more])
  return new ClientError(exitCodes.no, `Nothing was sent, for the ${what} would be refused: ${reason}.`, {
    code,
    issues,
    next: 'Mend it, and look again with: skill check',
  })
}

function otherModule({ name, version, sha256 }: Submission): ClientError {
  return new ClientError(
    exitCodes.refused,
    `${name} ${version} was submitted before with another module than this one (SHA-256 ${sha256}).`,
    {
      code: 'VERSION_EXISTS',
      next: 'A version never changes: raise the version in the manifest and publish again.',
    },
  )
}

/** Sends it; what the registry has then, or null where it could not be asked for that. */
async function send(
  { terminal, signal }: Context,
  registry: Registry,
  submission: Submission,
): Promise<OwnRelease | null> {
  try {
    await submit(registry, submission, {
      onProgress: (done, whole) =>
        terminal.status(
          done < whole ? progressBar('Uploading', done, whole) : 'All is sent. Waiting for the registry.',
        ),
      onLost: ({ message }) => {
        terminal.status('')
        terminal.line(terminal.style('dim', `${message} The registry is asked whether it has arrived.`))
      },
    })
    return await findPublished(registry, submission).catch((error: unknown) => {
      // It has arrived, whatever comes now.
      if (error instanceof ClientError || signal.aborted) return null
      throw error
    })
  } finally {
    terminal.status('')
  }
}

function printSubmitted(
  terminal: Terminal,
  submission: Submission,
  release: OwnRelease | null,
  known: ReadonlySet<string>,
): void {
  const { name, version } = submission
  const state = release === null ? '' : `: ${stateWords(release)}`
  terminal.line(`${terminal.style('green', '✓')} ${name} ${version} is submitted${state}.`)
  const more = (release?.findings ?? []).filter(({ fingerprint }) => !known.has(fingerprint))
  if (more.length > 0) {
    terminal.line()
    terminal.line(terminal.style('bold', `What only the registry's checks found: ${countFindings(more)}`))
    showFindings(terminal, more)
    terminal.line()
  }
  terminal.line(
    terminal.style('dim', `It is reviewed by hand. See what becomes of it with: skill status ${name}`),
  )
}

function printBefore(terminal: Terminal, release: OwnRelease): void {
  const { name, version, status } = release
  const advice =
    status === 'rejected' || status === 'revoked'
      ? 'Mend it, raise the version and publish again.'
      : 'For another manifest raise the version.'
  terminal.line(`${name} ${version} with this module was submitted before: ${stateWords(release)}.`)
  showReason(terminal, release)
  terminal.line()
  terminal.line(
    terminal.style('dim', `Nothing was sent. ${advice} More with: skill status ${nameOf(release)}`),
  )
}
