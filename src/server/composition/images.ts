import type { Config } from '../settings/config.ts'
import type { Database } from '../db/database.ts'
import { deskImageHandlers } from '../domains/uploads/desk-images.routes.ts'
import { createImageLibrary } from '../domains/uploads/image-library.service.ts'
import { createImagesService } from '../domains/uploads/images.service.ts'
import { createStrangerLimits } from '../domains/uploads/stranger-limits.service.ts'
import { createTurns } from '../domains/uploads/turns.rules.ts'
import { uploadHandlers } from '../domains/uploads/uploads.routes.ts'
import { createSlots } from '../http/slots.ts'
import type { ImageMaker } from '../images/image-maker.ts'
import type { Logger } from '../operations/logging.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import type { FileStore } from '../storage/file-store.ts'

/** Milliseconds between two looks for pictures that nothing uses. */
const sweepMs = 3_600_000

/** Images on their way at once. A quarter of them is as many as one project has. */
const uploadsAtOnce = 24

export interface UploadParts {
  database: Database
  pictures: FileStore
  imageMaker: ImageMaker
  config: Readonly<Config>
  log: Logger
  /** Where clients reach the registry. */
  publicUrl(): string
  clock?: () => Date
}

/** Everything behind pictures: taking, listing, serving and removing them. */
export function createUploads(parts: UploadParts) {
  const { log } = parts
  const shared = { ...parts, maker: parts.imageMaker, inTurn: createTurns() }
  const library = createImageLibrary(shared)
  const uploadSlots = createSlots(() => uploadsAtOnce, 'image uploads')
  const images = createImagesService({
    ...shared,
    limits: createStrangerLimits({ ...parts, slots: uploadSlots }),
  })

  const sweep = async (): Promise<void> => {
    try {
      const removed = await library.sweep()
      if (removed > 0) log.info({ pictures: removed }, 'removed pictures that no project has used for a day')
    } catch (error) {
      log.warn(
        { err: error },
        'pictures that nothing uses could not be removed; it is tried again in an hour',
      )
    }
  }

  return {
    images,
    handlers: uploadHandlers({ images, library, uploadSlots, publicUrl: parts.publicUrl }),
    deskHandlers: deskImageHandlers({ images, library, uploadSlots }),
    sweeping: createRecurringTask(sweep, { firstMs: 0, everyMs: sweepMs }),
  }
}

export type Uploads = ReturnType<typeof createUploads>
