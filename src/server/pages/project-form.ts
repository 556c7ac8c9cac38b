import { maxShowcaseImageBytes } from '../../shared/contracts/images.ts'
import { projectPictures } from '../../shared/contracts/pages.ts'
import type { pageRoutes } from '../../shared/contracts/pages.ts'
import { DomainError } from '../../shared/errors.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { summarize } from '../../shared/validation.ts'
import type { ProjectSubmissions } from '../domains/showcase/submit-project.service.ts'
import type { ImageLookup } from '../domains/uploads/image-uses.service.ts'
import type { ImagesService } from '../domains/uploads/images.service.ts'
import { createHourlyLimit } from '../domains/uploads/upload-limits.rules.ts'
import { toDomainError } from '../http/error-handler.ts'
import type { Call, Handlers } from '../http/mount.ts'
import { RefusedPage, WithHeaders } from '../http/replies.ts'
import { pageHeaders } from './layout.ts'
import { siteAt } from './site.ts'
import type { Site } from './site.ts'
import { sentPage, submitPage } from './submit.page.ts'
import { readSubmission } from './submitted-form.ts'

export interface ProjectFormParts {
  images: ImageLookup
  uploads: { images: Pick<ImagesService, 'reserveForStranger' | 'receive' | 'discard' | 'store'> }
  projectSubmissions: ProjectSubmissions
  publicUrl(): string
}

type FormRoutes = Pick<typeof pageRoutes, 'showSubmitProject' | 'sendProject'>
type Received = Awaited<ReturnType<ImagesService['receive']>>

/** Projects that one client may submit within an hour, with pictures or without. */
const submissionsPerHour = 60

/** Stands in the form where no person looks: whoever fills it in is told that all went well. */
const trap = 'website'

type Texts = Readonly<Record<string, string>>

/** The public form and what it sends. `siteAway` needs nothing that may be away. */
export function createProjectForm(
  parts: ProjectFormParts,
  siteNow: () => Site,
  siteAway: () => Site,
): Handlers<FormRoutes> {
  const { projectSubmissions } = parts
  const { images: library } = parts.uploads
  const { findImage } = parts.images
  const hourly = createHourlyLimit(() => submissionsPerHour)

  const countSubmission = (client: string): void => {
    const wait = hourly.count(client, performance.now())
    if (wait === 0) return
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      `You have reached the limit of ${submissionsPerHour} projects per hour.`,
      { retryAfter: wait },
    )
  }

  const sendProject = async ({
    receive,
    clientKey,
  }: Call<FormRoutes['sendProject']>): Promise<string | RefusedPage> => {
    const releases: (() => void)[] = []
    const sent = new Map<number, string>()
    let texts: Texts | null = null
    try {
      const form = await receive({
        async receive(stream) {
          releases.push(library.reserveForStranger(clientKey, maxShowcaseImageBytes))
          return library.receive(stream)
        },
        discard: library.discard,
      })
      texts = form.texts
      const thanks = `${siteAt(parts.publicUrl()).base}/showcase/submit?sent=1`
      if ((texts[trap] ?? '') !== '') {
        await Promise.all([...form.files.values()].map(library.discard))
        return thanks
      }
      const issues = [...tooLarge(form.refused), ...(await storePictures(texts, form.files, sent))]
      const [other] = [...form.refused.values()].filter(({ code }) => code !== 'BODY_TOO_LARGE')
      if (other !== undefined) throw other
      const read = readSubmission(texts, sent)
      const wrong = 'issues' in read ? [...issues, ...read.issues] : issues
      if ('submission' in read && wrong.length === 0) {
        countSubmission(clientKey)
        await projectSubmissions.submitProject(read.submission)
        return thanks
      }
      return refuse(texts, sent, onePerField(wrong))
    } catch (error) {
      const refusal = toDomainError(error)
      if (texts === null || refusal.code === 'INTERNAL') throw error
      return giveBack(refusal, texts, sent)
    } finally {
      for (const release of releases) release()
    }
  }

  /** Adds to `sent` those that were sent now, and those of an earlier attempt; gives what is wrong with others. */
  const storePictures = async (
    texts: Texts,
    files: ReadonlyMap<string, Received>,
    sent: Map<number, string>,
  ): Promise<ErrorIssue[]> => {
    const issues: ErrorIssue[] = []
    const waiting = new Map(files)
    try {
      for (let n = 1; n <= projectPictures; n += 1) {
        const part = `picture${n}`
        const file = waiting.get(part)
        const keptBefore = texts[`kept${n}`] ?? ''
        if (file === undefined) {
          if (keptBefore !== '' && findImage(keptBefore) !== null) sent.set(n, keptBefore)
          continue
        }
        waiting.delete(part)
        // One after the other: decoding takes a processor and a lot of memory.
        // oxlint-disable-next-line no-await-in-loop
        const result = await storeOne(n, file)
        if (typeof result === 'string') sent.set(n, result)
        else issues.push(result)
      }
    } finally {
      await Promise.all([...waiting.values()].map(library.discard))
    }
    return issues
  }

  const storeOne = async (n: number, file: Received): Promise<string | ErrorIssue> => {
    try {
      return (await library.store(file, null)).sha256
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_IMAGE') throw error
      return { path: `picture${n}`, message: `Picture ${n}: ${error.message}` }
    }
  }

  const refuse = (
    texts: Texts,
    sent: ReadonlyMap<number, string>,
    issues: readonly ErrorIssue[],
  ): RefusedPage => {
    const error = new DomainError('VALIDATION_FAILED', `The form is not accepted: ${summarize(issues)}`, {
      issues: [...issues],
    })
    const page = submitPage(siteNow(), { values: valuesOf(texts, sent), issues, findImage })
    return new RefusedPage(error, page, pageHeaders)
  }

  /** Nothing is wrong with what was typed, and nobody is to type it twice. */
  const giveBack = (error: DomainError, texts: Texts, sent: ReadonlyMap<number, string>): RefusedPage => {
    const values = valuesOf(texts, sent)
    const issues = [{ path: '', message: error.message }]
    const page = (): Buffer => {
      try {
        return submitPage(siteNow(), { values, issues, findImage })
      } catch {
        return submitPage(siteAway(), { values, issues, findImage: () => null })
      }
    }
    return new RefusedPage(error, page(), pageHeaders)
  }

  return {
    showSubmitProject({ query }) {
      const at = siteNow()
      const page =
        query.sent === undefined ? submitPage(at, { values: {}, issues: [], findImage }) : sentPage(at)
      return new WithHeaders(page, pageHeaders)
    },
    sendProject,
  }
}

/** What was typed, and the pictures that are there. */
function valuesOf(texts: Texts, sent: ReadonlyMap<number, string>): Texts {
  const kept = Array.from({ length: projectPictures }, (_, at) => [`kept${at + 1}`, sent.get(at + 1) ?? ''])
  return { ...texts, ...(Object.fromEntries(kept) as Record<string, string>) }
}

function tooLarge(refused: ReadonlyMap<string, DomainError>): ErrorIssue[] {
  return [...refused]
    .filter(([, { code }]) => code === 'BODY_TOO_LARGE')
    .map(([path]) => ({
      path,
      message: `Picture ${path.replace('picture', '')} is larger than 10 MiB. Choose a smaller one.`,
    }))
}

const onePerField = (issues: readonly ErrorIssue[]): ErrorIssue[] => {
  const first = new Map<string, ErrorIssue>()
  for (const issue of issues) if (!first.has(issue.path)) first.set(issue.path, issue)
  return [...first.values()]
}
