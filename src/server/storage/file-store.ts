import type { Readable } from 'node:stream'

/** Bytes received and on their way to be kept: a file under a temporary name, not yet part of the store. */
export interface ReceivedFile {
  /** Path of the temporary file, for checks that read it. */
  readonly path: string
  /** Lowercase hex SHA-256. */
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

export interface StoredFile {
  /** Bytes. */
  readonly size: number
  /** Streams the bytes and closes the file at the end, also when the stream is destroyed. */
  stream(): Readable
  /** For a caller that does not stream. */
  close(): Promise<void>
}

/** A stored file as it is sent to a client. */
export interface NamedFile {
  /** Safe in a header. */
  fileName: string
  file: StoredFile
}

/** What `FileStore.open` throws when the bytes under a digest are gone or are no longer those of the digest. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  readonly sha256: string
  readonly damage: 'missing' | 'changed'

  constructor(sha256: string, damage: 'missing' | 'changed') {
    super(`The file ${sha256} is ${damage}`)
    this.sha256 = sha256
    this.damage = damage
  }
}

/** Files named by the SHA-256 of their bytes. */
export interface FileStore {
  /** Streams bytes to a temporary file while hashing, and flushes it. On any error nothing is left behind. */
  receive(source: Readable): Promise<ReceivedFile>
  /** Removes a received file that is not wanted; never touches a kept file. */
  discard(file: ReceivedFile): Promise<void>
  /** Gives a received file its final name and flushes the folder; the same bytes twice are one file. */
  keep(file: ReceivedFile): Promise<void>
  /** Opens a file after its bytes were checked against the digest. Throws DamagedFileError. */
  open(sha256: string): Promise<StoredFile>
  /** The path of a file whose bytes were checked against the digest, for who cannot stream. Throws DamagedFileError. */
  locate(sha256: string): Promise<string>
  /** Removes a kept file that nothing refers to any more. */
  remove(sha256: string): Promise<void>
  /** Throws where no file could be received at this moment. */
  tryWrite(): Promise<void>
  /** Removes temporary files and every file whose digest `isUsed` does not know; gives how many. */
  sweep(isUsed: (sha256: string) => boolean): Promise<number>
}
