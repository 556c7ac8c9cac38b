import { maxShowcaseImageBytes } from '../../shared/contracts/images.ts'
import { maxProjectImages } from '../../shared/contracts/pages.ts'
import type { pageRoutes } from '../../shared/contracts/pages.ts'
import { DomainError } from '../../shared/errors.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { summarize } from '../../shared/validation.ts'
import type { ProjectSubmissions } from '../domains/showcase/submit-project.service.ts'
import type { ImageLookup } from '../domains/uploads/image-uses.service.ts'
import type { ImagesService } from '../domains/uploads/images.service.ts'
import { createHourlyLimit } from '../domains/uploads/upload-rate.rules.ts'
import { toDomainError } from '../http/error-handler.ts'
import type { Call, Handlers } from '../http/mount.ts'
import { RefusedPage, WithHeaders } from '../http/replies.ts'
import { pageHeaders } from './layout.ts'
import { texts } from './pages.texts.ts'
import { siteAt } from './site.ts'
import type { Site } from './site.ts'
import { sentPage, submitPage } from './submit.page.ts'
import { readSubmission } from './submitted-form.ts'

interface ProjectFormParts {
  images: ImageLookup
  uploads: { images: Pick<ImagesService, 'reserveAnonymous' | 'receive' | 'discard' | 'store'> }
  projectSubmissions: ProjectSubmissions
  publicUrl(): string
  siteNow(): Site
  /** Works without the database. */
  offlineSite(): Site
}

export type FormRoutes = Pick<typeof pageRoutes, 'showSubmitProject' | 'sendProject'>
type Received = Awaited<ReturnType<ImagesService['receive']>>

/** Projects that one client may submit within an hour, with or without images. */
const submissionsPerHour = 60

/** A field that people don't see. A bot that fills it in gets the normal thank-you page. */
const trap = 'website'

type Fields = Readonly<Record<string, string>>

/** The public form and its submission. */
export function createProjectForm(parts: ProjectFormParts): Handlers<FormRoutes> {
  const { projectSubmissions, siteNow, offlineSite } = parts
  const { images: library } = parts.uploads
  const { findImage } = parts.images
  const hourly = createHourlyLimit(() => submissionsPerHour)

  const countSubmission = (client: string): void => {
    const wait = hourly.count(client, performance.now())
    if (wait === 0) return
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      texts.submit.errors.limit(submissionsPerHour, Math.ceil(wait / 60)),
      { retryAfter: wait },
    )
  }

  const sendProject = async ({
    receive,
    clientKey,
  }: Call<FormRoutes['sendProject']>): Promise<string | RefusedPage> => {
    const releases: (() => void)[] = []
    const sent = new Map<number, string>()
    let fields: Fields | null = null
    try {
      const form = await receive({
        async receive(stream) {
          releases.push(library.reserveAnonymous(clientKey, maxShowcaseImageBytes))
          return library.receive(stream)
        },
        discard: library.discard,
      })
      fields = form.texts
      const thanks = `${siteAt(parts.publicUrl()).base}/showcase/submit?sent=1`
      if ((fields[trap] ?? '') !== '') {
        await Promise.all([...form.files.values()].map(library.discard))
        return thanks
      }
      const issues = [...tooLarge(form.refused), ...(await storeImages(fields, form.files, sent))]
      const [other] = [...form.refused.values()].filter(({ code }) => code !== 'BODY_TOO_LARGE')
      if (other !== undefined) throw other
      const read = readSubmission(fields, sent)
      const wrong = 'issues' in read ? [...issues, ...read.issues] : issues
      if ('submission' in read && wrong.length === 0) {
        countSubmission(clientKey)
        await projectSubmissions.submitProject(read.submission)
        return thanks
      }
      return refuse(fields, sent, onePerField(wrong))
    } catch (error) {
      const refusal = toDomainError(error)
      if (fields === null || refusal.code === 'INTERNAL') throw error
      return returnForm(refusal, fields, sent)
    } finally {
      for (const release of releases) release()
    }
  }

  /** Adds the images of this request and of earlier attempts to `sent`; returns the errors of the others. */
  const storeImages = async (
    fields: Fields,
    files: ReadonlyMap<string, Received>,
    sent: Map<number, string>,
  ): Promise<ErrorIssue[]> => {
    const issues: ErrorIssue[] = []
    const waiting = new Map(files)
    try {
      for (let n = 1; n <= maxProjectImages; n += 1) {
        const part = `picture${n}`
        const file = waiting.get(part)
        const earlier = fields[`kept${n}`] ?? ''
        if (file === undefined) {
          if (earlier !== '' && findImage(earlier) !== null) sent.set(n, earlier)
          continue
        }
        waiting.delete(part)
        // One at a time: decoding takes a lot of CPU and memory.
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
      return { path: `picture${n}`, message: texts.submit.errors.image(n, error.message) }
    }
  }

  const refuse = (
    fields: Fields,
    sent: ReadonlyMap<number, string>,
    issues: readonly ErrorIssue[],
  ): RefusedPage => {
    const error = new DomainError('VALIDATION_FAILED', texts.submit.errors.invalid(summarize(issues)), {
      issues: [...issues],
    })
    const page = submitPage(siteNow(), { values: valuesOf(fields, sent), issues, findImage })
    return new RefusedPage(error, page, pageHeaders)
  }

  /** Returns the filled form with an error that isn't about its fields, so that nothing must be typed again. */
  const returnForm = (error: DomainError, fields: Fields, sent: ReadonlyMap<number, string>): RefusedPage => {
    const values = valuesOf(fields, sent)
    const issues = [{ path: '', message: error.message }]
    const page = (): Buffer => {
      try {
        return submitPage(siteNow(), { values, issues, findImage })
      } catch {
        return submitPage(offlineSite(), { values, issues, findImage: () => null })
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

/** The entered values, with the images that are already stored. */
function valuesOf(fields: Fields, sent: ReadonlyMap<number, string>): Fields {
  const kept = Array.from({ length: maxProjectImages }, (_, at) => [`kept${at + 1}`, sent.get(at + 1) ?? ''])
  return { ...fields, ...(Object.fromEntries(kept) as Record<string, string>) }
}

function tooLarge(refused: ReadonlyMap<string, DomainError>): ErrorIssue[] {
  return [...refused]
    .filter(([, { code }]) => code === 'BODY_TOO_LARGE')
    .map(([path]) => ({
      path,
      message: texts.submit.errors.imageTooLarge(path.replace('picture', '')),
    }))
}

const onePerField = (issues: readonly ErrorIssue[]): ErrorIssue[] => {
  const first = new Map<string, ErrorIssue>()
  for (const issue of issues) if (!first.has(issue.path)) first.set(issue.path, issue)
  return [...first.values()]
}
