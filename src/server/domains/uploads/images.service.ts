import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Image, Rendition } from '../../../shared/contracts/images.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { renditionPath } from '../../images/image-maker.ts'
import type { ImageExamination, ImageMaker } from '../../images/image-maker.ts'
import { DamagedFileError } from '../../storage/file-store.ts'
import type { FileStore, ReceivedFile } from '../../storage/file-store.ts'
import { imageRepository } from './images.repository.ts'
import type { StrangerLimits } from './stranger-limits.service.ts'
import type { InTurn } from './turns.rules.ts'

export interface ImagesParts {
  database: Database
  /** Where pictures and their copies are. */
  pictures: FileStore
  maker: ImageMaker
  limits: StrangerLimits
  /** Shared with whoever removes pictures. */
  inTurn: InTurn
  clock?: () => Date
}

/** Takes pictures: received while hashing, checked and copied in another process, kept once. */
export interface ImagesService {
  /** Throws what `store` would throw for the database, before anything is read. */
  assertReady(): void
  /**
   * To be asked before each picture of a stranger is read. Throws TOO_MANY_REQUESTS where this client is sending too
   * many at once or has sent too many within the hour, or strangers too many bytes that no approved project uses; counts
   * one picture else. The function that it gives ends the reservation, once the picture is stored or refused.
   */
  reserveForStranger(client: string, maxBytes: number): () => void
  /** For a multipart sink. */
  receive(source: Readable): Promise<ReceivedFile>
  discard(file: ReceivedFile): Promise<void>
  /**
   * Checks a received picture and keeps it with its copies. Throws INVALID_IMAGE with the reason in words. Whatever
   * it throws, the received file is gone afterwards. `uploadedBy` is null for a stranger.
   */
  store(file: ReceivedFile, uploadedBy: Administrator | null): Promise<Image>
}

/**
 * The order is what keeps a crash harmless: the files take their final names, and only then the rows are written; a
 * file without a row goes with the next start.
 */
export function createImagesService(parts: ImagesParts): ImagesService {
  const { database, pictures, maker, limits, inTurn, clock = () => new Date() } = parts
  const reading = imageRepository(database.reader)
  const writing = imageRepository(database.writer)

  const isWhole = async (sha256: string): Promise<boolean> => {
    try {
      await (await pictures.open(sha256)).close()
      return true
    } catch (error) {
      if (error instanceof DamagedFileError) return false
      throw error
    }
  }

  /** The picture, if it is there already with every byte of it. */
  const findKept = (sha256: string, uploadedBy: number | null): Promise<Image | null> =>
    inTurn(async () => {
      const image = reading.find(sha256)
      if (image === null) return null
      const files = [sha256, ...image.renditions.map((rendition) => rendition.sha256)]
      const whole = await Promise.all(files.map(isWhole))
      if (whole.includes(false)) return null
      return database.transact(() => {
        writing.renew(sha256, uploadedBy, clock().toISOString())
        return writing.find(sha256)
      })
    })

  /** Receives the copies that lie beside the picture. */
  const receiveCopies = async (
    path: string,
    made: Extract<ImageExamination, { ok: true }>['renditions'],
  ): Promise<{ rendition: Rendition; file: ReceivedFile }[]> => {
    const copies: { rendition: Rendition; file: ReceivedFile }[] = []
    try {
      for (const one of made) {
        // oxlint-disable-next-line no-await-in-loop
        const file = await pictures.receive(createReadStream(renditionPath(path, one.step)))
        copies.push({ rendition: { ...one, sha256: file.sha256, size: file.size }, file })
      }
      return copies
    } catch (error) {
      await Promise.all(copies.map((copy) => pictures.discard(copy.file)))
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
    return inTurn(async () => {
      try {
        database.assertAvailable()
        for (const received of [file, ...copies.map((copy) => copy.file)]) {
          // oxlint-disable-next-line no-await-in-loop
          await pictures.keep(received)
        }
      } catch (error) {
        await Promise.all(copies.map((copy) => pictures.discard(copy.file)))
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
        if (image === null) throw new Error('A picture that was just noted is not there')
        return image
      })
    })
  }

  return {
    assertReady: () => database.assertAvailable(),
    reserveForStranger: limits.reserve,
    receive: (source) => pictures.receive(source),
    discard: (file) => pictures.discard(file),

    async store(file, uploadedBy) {
      const owner = uploadedBy?.id ?? null
      try {
        database.assertAvailable()
        const kept = await findKept(file.sha256, owner)
        if (kept !== null) return kept
        const examination = await maker.examine(file.path, uploadedBy === null)
        if (examination.ok) return await keep(file, examination, owner)
        const { problem } = examination
        throw new DomainError('INVALID_IMAGE', problem, { issues: [{ path: 'image', message: problem }] })
      } finally {
        await maker.clear(file.path)
        await pictures.discard(file)
      }
    },
  }
}
