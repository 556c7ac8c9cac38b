import type { uploadRoutes } from '../../../shared/contracts/uploads.ts'
import { imageFileName, maxShowcaseImageBytes } from '../../../shared/contracts/images.ts'
import type { Image, UploadSuccess } from '../../../shared/contracts/images.ts'
import type { Call, Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { Slots } from '../../http/slots.ts'
import type { ImageLibrary, OpenPicture } from './image-library.service.ts'
import type { ImagesService } from './images.service.ts'

export interface UploadServices {
  images: ImagesService
  library: ImageLibrary
  uploadSlots: Slots
  /** Where clients reach the registry. */
  publicUrl(): string
}

type UploadCall = Pick<Call<typeof uploadRoutes.uploadBlogImage>, 'caller' | 'clientKey' | 'receive'>

/** The way in which every image of an administrator is taken: a slot, then its body. */
export async function takeImage(
  { images, uploadSlots }: Pick<UploadServices, 'images' | 'uploadSlots'>,
  { caller, clientKey, receive }: UploadCall,
): Promise<Image> {
  images.assertReady()
  const leave = uploadSlots.take(clientKey)
  try {
    const { file } = await receive(images)
    return await images.store(file, caller)
  } finally {
    leave()
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
    uploadBlogImage: async (call) => successOf(await takeImage(services, call)),
    async uploadShowcaseImage({ clientKey, headers, receive }) {
      const declared = Number(headers['content-length'] ?? maxShowcaseImageBytes)
      const release = images.reserveForStranger(clientKey, Math.min(declared, maxShowcaseImageBytes))
      try {
        const { file } = await receive(images)
        return successOf(await images.store(file, null))
      } finally {
        release()
      }
    },
    getUpload: async ({ params }) => replyWithPicture(await library.openUpload(params.file)),
    getMedia: async ({ params }) => replyWithPicture(await library.openMedia(params.file)),
  }
}
