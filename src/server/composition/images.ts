import type { Config } from '../settings/config.ts'
import type { Database } from '../db/database.ts'
import { deskImageHandlers } from '../domains/uploads/desk-images.routes.ts'
import type { ImageLibrary } from '../domains/uploads/image-library.service.ts'
import { createImagesService } from '../domains/uploads/images.service.ts'
import { createAnonymousLimits } from '../domains/uploads/anonymous-limits.service.ts'
import type { RunExclusive } from '../domains/uploads/mutex.rules.ts'
import { uploadHandlers } from '../domains/uploads/uploads.routes.ts'
import { createSlots } from '../http/slots.ts'
import type { ImageMaker } from '../images/image-maker.ts'
import type { Logger } from '../operations/logging.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import type { FileStore } from '../storage/file-store.ts'
import { logTexts } from '../operations/log.texts.ts'

/** Milliseconds between two removals of unused images. */
const sweepMs = 3_600_000

/** Concurrent image uploads. A quarter of them, one client's share, is as many as one project has. */
const uploadsAtOnce = 24

interface UploadParts {
  database: Database
  imageFiles: FileStore
  library: ImageLibrary
  runExclusive: RunExclusive
  imageMaker: ImageMaker
  config: Readonly<Config>
  log: Logger
  /** The URL at which clients reach the registry. */
  publicUrl(): string
  clock?: () => Date
}

/** The services behind images: uploading, listing and removing them. */
export function createUploads(parts: UploadParts) {
  const { log, library } = parts
  const uploadSlots = createSlots(() => uploadsAtOnce, 'image uploads')
  const images = createImagesService({
    ...parts,
    maker: parts.imageMaker,
    limits: createAnonymousLimits({ ...parts, slots: uploadSlots }),
  })

  const sweep = async (): Promise<void> => {
    try {
      const removed = await library.sweep()
      if (removed > 0) log.info({ images: removed }, logTexts.imagesRemoved)
    } catch (error) {
      log.warn({ err: error }, logTexts.imagesNotRemoved)
    }
  }

  return {
    images,
    handlers: uploadHandlers({ images, library, uploadSlots, publicUrl: parts.publicUrl }),
    deskHandlers: deskImageHandlers({ images, library, uploadSlots }),
    sweeping: createRecurringTask(sweep, { firstMs: 0, everyMs: sweepMs }),
  }
}
