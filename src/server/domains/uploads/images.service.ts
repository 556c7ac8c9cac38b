import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Image, Rendition } from '../../../shared/contracts/images.ts'
import type { Editor } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { renditionPath } from '../../images/image-maker.ts'
import type { ImageExamination, ImageMaker } from '../../images/image-maker.ts'
import { DamagedFileError } from '../../storage/file-store.ts'
import type { FileStore, ReceivedFile } from '../../storage/file-store.ts'
import { imageRepository } from './images.repository.ts'
import type { AnonymousLimits } from './anonymous-limits.service.ts'
import type { RunExclusive } from './mutex.rules.ts'

interface ImagesParts {
  database: Database
  /** Stores images and their renditions. */
  imageFiles: FileStore
  maker: ImageMaker
  limits: AnonymousLimits
  /** Shared with the service that deletes images. */
  runExclusive: RunExclusive
  clock?: () => Date
}

/**
 * Receives images. Each is hashed as it arrives, then checked and resized in a helper process. Equal images are stored
 * only once. The order makes a crash harmless: the files get their final names, and only then are the rows written.
 * Files without a row are deleted at the next start.
 */
export function createImagesService(parts: ImagesParts) {
  const { database, imageFiles, maker, limits, runExclusive, clock = () => new Date() } = parts
  const reading = imageRepository(database.reader)
  const writing = imageRepository(database.writer)

  const isIntact = async (sha256: string): Promise<boolean> => {
    try {
      await (await imageFiles.open(sha256)).close()
      return true
    } catch (error) {
      if (error instanceof DamagedFileError) return false
      throw error
    }
  }

  /** The image, if it is already stored and undamaged. */
  const findStored = (sha256: string, uploadedBy: number | null): Promise<Image | null> =>
    runExclusive(async () => {
      const image = reading.find(sha256)
      if (image === null) return null
      const files = [sha256, ...image.renditions.map((rendition) => rendition.sha256)]
      const intact = await Promise.all(files.map(isIntact))
      if (intact.includes(false)) return null
      return database.transact(() => {
        writing.renew(sha256, uploadedBy, clock().toISOString())
        return writing.find(sha256)
      })
    })

  /** Receives the renditions that are next to the image file. */
  const receiveCopies = async (
    path: string,
    made: Extract<ImageExamination, { ok: true }>['renditions'],
  ): Promise<{ rendition: Rendition; file: ReceivedFile }[]> => {
    const copies: { rendition: Rendition; file: ReceivedFile }[] = []
    try {
      for (const one of made) {
        const file = await imageFiles.receive(createReadStream(renditionPath(path, one.step)))
        copies.push({ rendition: { ...one, sha256: file.sha256, size: file.size }, file })
      }
      return copies
    } catch (error) {
      await Promise.all(copies.map((copy) => imageFiles.discard(copy.file)))
      throw error
    }
  }

  const keep = async (
    file: ReceivedFile,
    examination: Extract<ImageExamination, { ok: true }>,
    uploadedBy: number | null,
  ): Promise<Image> => {
    const { type, width, height, frames, hasPosition } = examination
    const copies = await receiveCopies(file.path, examination.renditions)
    return runExclusive(async () => {
      try {
        database.assertAvailable()
        for (const received of [file, ...copies.map((copy) => copy.file)]) {
          await imageFiles.keep(received)
        }
      } catch (error) {
        await Promise.all(copies.map((copy) => imageFiles.discard(copy.file)))
        throw error
      }
      return database.transact(() => {
        const uploadedAt = clock().toISOString()
        const { sha256, size } = file
        writing.insert({
          image: { sha256, type, width, height, frames, size, hasPosition, uploadedAt },
          uploadedBy,
          renditions: copies.map(({ rendition }) => rendition),
        })
        writing.renew(sha256, uploadedBy, uploadedAt)
        const image = writing.find(sha256)
        if (image === null) throw new Error('An image that was just inserted does not exist')
        return image
      })
    })
  }

  return {
    /** Throws DATABASE_UNAVAILABLE before anything is received. */
    assertReady: (): void => database.assertAvailable(),
    /** To be called before an anonymous upload is received; see `reserve` in anonymous-limits.service.ts. */
    reserveAnonymous: limits.reserve,
    /** For a multipart sink. */
    receive: (source: Readable): Promise<ReceivedFile> => imageFiles.receive(source),
    discard: (file: ReceivedFile): Promise<void> => imageFiles.discard(file),

    /**
     * Checks a received image and stores it with its renditions. Throws INVALID_IMAGE with the reason. The received file
     * is deleted in any case. `uploadedBy` is null for an anonymous upload.
     */
    async store(file: ReceivedFile, uploadedBy: Editor | null): Promise<Image> {
      const owner = uploadedBy?.id ?? null
      try {
        database.assertAvailable()
        const stored = await findStored(file.sha256, owner)
        if (stored !== null) return stored
        const examination = await maker.examine(file.path, uploadedBy === null)
        if (examination.ok) return await keep(file, examination, owner)
        const { problem } = examination
        throw new DomainError('INVALID_IMAGE', problem, { issues: [{ path: 'image', message: problem }] })
      } finally {
        await maker.clear(file.path)
        await imageFiles.discard(file)
      }
    },
  }
}

export type ImagesService = ReturnType<typeof createImagesService>
