import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { summarize } from '../../shared/validation.ts'
import { isAcceptable } from '../project/check-project.ts'
import type { ProjectCheck } from '../project/check-project.ts'
import { ClientError } from '../client-error.ts'
import type { Command, Context, Options } from '../command.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from '../exit-codes.ts'
import { showReason, statusText } from '../registry/own-releases.ts'
import { nameOf } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'
import { showCheck } from '../project/show-check.ts'
import { countFindings, showFindings } from '../project/show-findings.ts'
import type { Submission } from '../registry/submission-body.ts'
import { findPublished, submit } from '../registry/submit.ts'
import { asTrustedPublisher } from '../sign-in/trusted-publishing.ts'
import { progressBar } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { interrupted } from '../to-client-error.ts'
import { checkFiles, describeCheck, fileOptions } from './check.ts'

/** Submits a release for review. */
export const publishCommand: Command = {
  name: 'publish',
  summary: 'Check a skill and submit it for review',
  usage: ['[FOLDER] [--manifest FILE] [--wasm FILE] [--no-examples]'],
  about: `FOLDER (default: the current folder) contains manifest.json and the module NAME.wasm, where NAME is the name in
the manifest. Both are checked first, as with skill check. Nothing is uploaded if the registry would reject the
release. Findings and failing examples are shown but do not stop the upload: a reviewer assesses them.`,
  options: {
    ...fileOptions,
    'no-examples': { type: 'boolean', help: 'do not run the examples first' },
  },
  notes: `It is safe to run this again: a version that the registry already has is not submitted twice. A version never
changes. To publish a different module, bump the version.

A job of a trusted publisher needs no token: GitHub Actions with the permission id-token: write,
and others with an identity token in SKILL_ID_TOKEN.

  skill publish
  skill publish build --json
  SKILL_TOKEN=… skill publish --registry https://skills.example.com`,
  arguments: ['folder'],
  positionals: { min: 0, max: 1 },
  async run(context, [folder], options) {
    const { submission, check, registry, before } = await prepare(context, folder, options)
    const release = before ?? (await send(context, registry, submission))
    const known = new Set(check.findings.map(({ fingerprint }) => fingerprint))
    return {
      data: { submitted: before === null, release, check: describeCheck(check) },
      print(terminal) {
        if (before === null) printSubmitted(terminal, submission, release, known)
        else printAlreadySubmitted(terminal, before)
      },
    }
  },
}

interface Prepared {
  submission: Submission
  check: ProjectCheck
  registry: Registry
  /** The release if it was submitted before; null if not. */
  before: OwnRelease | null
}

async function prepare(context: Context, folder: string | undefined, options: Options): Promise<Prepared> {
  try {
    const { submission, check } = await checkFirst(context, folder, options)
    const own = context.registry()
    const trusted = await asTrustedPublisher(context, own, submission.name)
    const registry = trusted ?? own
    // The token of a trusted publisher can only submit.
    const before = trusted === null ? await findPublished(registry, submission) : null
    if (before !== null && before.sha256 !== submission.sha256) throw otherModule(submission)
    return { submission, check, registry, before }
  } catch (error) {
    if (!context.signal.aborted) throw error
    throw interrupted(context.signal, texts.publish.interrupted)
  }
}

/** Checks the project and returns what to submit. Throws if the registry would reject it. */
async function checkFirst(
  context: Context,
  folder: string | undefined,
  options: Options,
): Promise<{ submission: Submission; check: ProjectCheck }> {
  const { terminal, isJson } = context
  const { project, check } = await checkFiles(context, folder, options, !options.flag('no-examples'))
  const { manifest, sha256 } = check
  if (manifest === null || !isAcceptable(check)) throw notAcceptable(check)
  if (!isJson) {
    showCheck(terminal, check)
    terminal.line()
  }
  const { name, version } = manifest
  // The registry removes a byte order mark before it measures the manifest, but with it the `manifest` part of the
  // request might exceed its limit.
  const manifestText = project.manifestText.replace(/^\uFEFF/, '')
  return { submission: { name, version, manifestText, module: project.module, sha256 }, check }
}

function notAcceptable({ manifest, manifestProblems, moduleProblems }: ProjectCheck): ClientError {
  const [file, code] =
    manifest === null ? (['manifest', 'INVALID_MANIFEST'] as const) : (['module', 'INVALID_PACKAGE'] as const)
  const issues = [...manifestProblems, ...moduleProblems]
  const [first, ...more] = issues.map(({ path, message }) => ({
    // The sentence already names the module or the manifest.
    path: path === 'manifest' || path.startsWith('wasm') ? '' : path,
    message: message.replace(/\.$/, ''),
  }))
  const reason = summarize(first === undefined ? [] : [first, ...more])
  return new ClientError(exitCodes.failed, texts.publish.rejected(file, reason), { code, issues })
}

const otherModule = ({ name, version, sha256 }: Submission): ClientError =>
  new ClientError(exitCodes.refused, texts.publish.otherModule(name, version, sha256), {
    code: 'VERSION_EXISTS',
  })

/** Submits the release. Resolves to the release as the registry has it, or null if that could not be fetched. */
async function send(
  { terminal, signal }: Context,
  registry: Registry,
  submission: Submission,
): Promise<OwnRelease | null> {
  try {
    await submit(registry, submission, {
      onProgress: (done, total) =>
        terminal.status(
          done < total ? progressBar(terminal, texts.publish.uploading, done, total) : texts.publish.uploaded,
        ),
      onLost: ({ message }) => {
        terminal.status('')
        terminal.note(texts.publish.checking(message))
      },
    })
    return await findPublished(registry, submission).catch((error: unknown) => {
      // The release was accepted. An error here only means that its status is unknown.
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
  const submitted = texts.publish.submitted(name, version, release === null ? null : statusText(release))
  terminal.outcome(true, submitted)
  const more = (release?.findings ?? []).filter(({ fingerprint }) => !known.has(fingerprint))
  if (more.length > 0) {
    terminal.line()
    terminal.line(terminal.style('bold', texts.publish.moreFindings(countFindings(more))))
    showFindings(terminal, more)
    terminal.line()
  }
  terminal.note(texts.publish.inReview(name))
}

function printAlreadySubmitted(terminal: Terminal, release: OwnRelease): void {
  const { name, version, status } = release
  const { alreadySubmitted, bumpVersion, changeManifest, notUploaded } = texts.publish
  const advice = status === 'rejected' || status === 'revoked' ? bumpVersion : changeManifest
  terminal.line(alreadySubmitted(name, version, statusText(release)))
  showReason(terminal, release)
  terminal.line()
  terminal.note(notUploaded(advice, nameOf(release)))
}
