import { createLocalFileStore } from './local-file-store.ts'
import type { FileStore } from './file-store.ts'
import type { BucketLocation } from './bucket.ts'

interface FileStores {
  packages: FileStore
  /** Images and their renditions. */
  pictures: FileStore
}

/** Bytes that the local copies of packages may take, and as many of images. */
const defaultCacheBytes = 2 * 1024 ** 3

/**
 * The packages and images of a registry: in the bucket if there is one, with local copies in the data folder, otherwise
 * in the data folder.
 */
export async function openFileStores(
  folders: { packages: string; pictures: string },
  location: BucketLocation | null,
  { cacheBytes = defaultCacheBytes }: { cacheBytes?: number } = {},
): Promise<FileStores> {
  if (location === null) {
    const [packages, pictures] = await Promise.all([
      createLocalFileStore(folders.packages),
      createLocalFileStore(folders.pictures),
    ])
    return { packages, pictures }
  }
  const [{ openBucket }, { createS3FileStore }] = await Promise.all([
    import('./bucket.ts'),
    import('./s3-file-store.ts'),
  ])
  const bucket = openBucket(location)
  const open = (name: keyof FileStores): Promise<FileStore> =>
    createS3FileStore({
      bucket,
      name,
      folder: folders[name],
      cacheBytes,
    })
  const [packages, pictures] = await Promise.all([open('packages'), open('pictures')])
  return { packages, pictures }
}
