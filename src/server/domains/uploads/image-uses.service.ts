import type { Image } from '../../../shared/contracts/images.ts'
import type { Connection, Database } from '../../db/database.ts'
import { imageRepository } from './images.repository.ts'
import type { ImageUseKind } from './images.repository.ts'

export interface ImageUses {
  /**
   * Notes which pictures a post or a project names, instead of those before: with none it uses none. For use inside
   * `transact`. Pictures that are not there are left out.
   */
  recordUses(kind: ImageUseKind, ownerId: number, sha256s: readonly string[]): void
}

/** For the domains whose texts name pictures. `connection` is the one that writes. */
export function createImageUses(connection: Connection): ImageUses {
  return { recordUses: imageRepository(connection).recordUses }
}

export interface ImageLookup {
  /** Null where there is no such picture. */
  findImage(sha256: string): Image | null
  /** Those that are there, in the order asked for, each once. */
  findImages(sha256s: readonly string[]): Image[]
}

/** What is known of pictures, for pages and documents. */
export function createImageLookup(database: Pick<Database, 'reader'>): ImageLookup {
  const images = imageRepository(database.reader)
  return {
    findImage: images.find,
    findImages: (sha256s) =>
      [...new Set(sha256s)].map(images.find).filter((image): image is Image => image !== null),
  }
}
