import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { PlacedImage } from '../../../shared/contracts/content.ts'
import { imageReferencePrefix } from '../../../shared/contracts/content.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import type { Database } from '../../db/database.ts'
import { createPostPublishing } from '../../domains/blog/publish-post.service.ts'
import { createPostWriting } from '../../domains/blog/write-post.service.ts'
import { createProjectEditing } from '../../domains/showcase/edit-project.service.ts'
import { createProjectSubmissions } from '../../domains/showcase/submit-project.service.ts'
import { createImageLookup, createImageUses } from '../../domains/uploads/image-uses.service.ts'
import { createImagesService } from '../../domains/uploads/images.service.ts'
import { createMutex } from '../../domains/uploads/mutex.rules.ts'
import type { ImageMaker } from '../../images/image-maker.ts'
import type { FileStore } from '../../storage/file-store.ts'
import type { Moment } from './demo-content.ts'
import { demoPosts } from './demo-posts.ts'
import { demoProjects } from './demo-projects.ts'
import type { DemoImage, DemoPost, DemoProject } from './demo-texts.ts'

interface ContentParts {
  database: Database
  imageFiles: FileStore
  imageMaker: ImageMaker
  /** Holds the images. */
  folder: string
  now: Date
  /** The time of the current event. */
  clock(): Date
  getAdministrator(): Administrator
}

interface ContentEvent {
  moment: Moment
  run(): Promise<void>
}

const dayMs = 86_400_000

/** Everything that happens to the demo's posts and projects; run the events in order of their moments. */
export function contentEvents(parts: ContentParts): ContentEvent[] {
  const { database, imageFiles, clock, getAdministrator } = parts
  const written = {
    database,
    uses: createImageUses(database.writer),
    images: createImageLookup(database),
    // Nothing that is stored contains an address.
    publicUrl: () => '',
    clock,
  }
  const writing = createPostWriting(written)
  const publishing = createPostPublishing(written)
  const editing = createProjectEditing(written)
  const submissions = createProjectSubmissions(database, written.uses, clock)
  const images = createImagesService({
    database,
    imageFiles,
    maker: parts.imageMaker,
    limits: { reserve: () => () => {} },
    runExclusive: createMutex(),
    clock,
  })

  const uploadImage = async ({ file, alt }: DemoImage, by: Administrator | null): Promise<PlacedImage> => {
    const received = await images.receive(createReadStream(join(parts.folder, file)))
    return { sha256: (await images.store(received, by)).sha256, alt }
  }

  const write = async (post: DemoPost): Promise<void> => {
    const administrator = getAdministrator()
    const { title, slug, summary, tags } = post
    const cover = post.cover === null ? null : await uploadImage(post.cover, administrator)
    let { markdown } = post
    for (const [reference, file = ''] of post.markdown.matchAll(/demo:([\w.-]+)/g)) {
      const { sha256 } = await uploadImage({ file, alt: '' }, administrator)
      markdown = markdown.replace(reference, imageReferencePrefix + sha256)
    }
    const { id, revision } = await writing.createPost(administrator)
    const content = { title, slug, summary, markdown, tags: [...tags], cover }
    const saved = await writing.savePost(administrator, id, { revision, content })
    if (post.isDraft === true) return
    const at =
      post.publishInDays === undefined
        ? null
        : `${new Date(parts.now.getTime() + post.publishInDays * dayMs).toISOString().slice(0, 10)}T08:00:00.000Z`
    await publishing.publishPost(administrator, id, { revision: saved.revision, at })
  }

  const ids = new Map<DemoProject, number>()
  const submit = async (project: DemoProject): Promise<void> => {
    const { title, tagline, author, markdown, links } = project
    const shown: PlacedImage[] = []
    for (const image of project.images) {
      shown.push(await uploadImage(image, null))
    }
    const content = { title, tagline, author, markdown: markdown.trim(), links: [...links], pictures: shown }
    ids.set(project, (await submissions.submitProject(content)).id)
  }
  const decide = async (
    project: DemoProject,
    { action, reason }: NonNullable<DemoProject['decision']>,
  ): Promise<void> => {
    const id = ids.get(project) ?? 0
    await editing.decideProject(getAdministrator(), id, { action, reason })
    if (project.isFeatured === true) await editing.featureProject(id, true)
  }

  return [
    ...demoPosts.map((post) => ({ moment: post.at, run: () => write(post) })),
    ...demoProjects.flatMap((project) => {
      const { decision } = project
      const submitted = { moment: project.at, run: () => submit(project) }
      return decision === undefined
        ? [submitted]
        : [submitted, { moment: decision.at, run: () => decide(project, decision) }]
    }),
  ]
}
