import type { uploadRoutes } from '../../../shared/contracts/uploads.ts'
import { imageFileName, maxShowcaseImageBytes } from '../../../shared/contracts/images.ts'
import type { Image, UploadSuccess } from '../../../shared/contracts/images.ts'
import type { Handlers } from '../../http/mount.ts'
import type { MultipartSink } from '../../http/multipart.ts'
import type { FileReply } from '../../http/replies.ts'
import type { ImageLibrary, OpenPicture } from './image-library.service.ts'
import type { ImagesService } from './images.service.ts'

export interface UploadServices {
  images: ImagesService
  library: ImageLibrary
  /** Where clients reach the registry. */
  publicUrl(): string
}

type Received = Awaited<ReturnType<ImagesService['receive']>>

export function sinkOf(images: ImagesService): MultipartSink<Received> {
  return {
    receive: (stream) => images.receive(stream),
    discard: (file) => images.discard(file),
    tooLarge: { image: 'BODY_TOO_LARGE' },
  }
}

/** Nothing in these bytes may ever do anything, whoever opens the address. */
const servedHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
}

export function replyWithPicture(
  picture: OpenPicture,
  headers: Record<string, string> = servedHeaders,
): FileReply {
  return {
    mediaType: picture.type,
    size: picture.file.size,
    etag: `"${picture.sha256}"`,
    headers,
    stream: () => picture.file.stream(),
    close: () => picture.file.close(),
  }
}

/** Section 4.4, and the addresses under which pictures are served. */
export function uploadHandlers(services: UploadServices): Handlers<typeof uploadRoutes> {
  const { images, library, publicUrl } = services
  const successOf = (image: Image): UploadSuccess => {
    const key = `uploads/${imageFileName(image.sha256, image.type)}`
    return { url: `${publicUrl()}/${key}`, key }
  }
  return {
    async uploadBlogImage({ caller, receive }) {
      images.assertReady()
      const { file } = await receive(sinkOf(images))
      return successOf(await images.store(file, caller))
    },
    async uploadShowcaseImage({ address, headers, receive }) {
      const declared = Number(headers['content-length'] ?? maxShowcaseImageBytes)
      const release = images.reserveForStranger(address, Math.min(declared, maxShowcaseImageBytes))
      try {
        const { file } = await receive(sinkOf(images))
        return successOf(await images.store(file, null))
      } finally {
        release()
      }
    },
    getUpload: async ({ params }) => replyWithPicture(await library.openUpload(params.file)),
    getMedia: async ({ params }) => replyWithPicture(await library.openMedia(params.file)),
  }
}
