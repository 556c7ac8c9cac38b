import type { uploadRoutes } from '../../../shared/contracts/uploads.ts'
import { imageFileName, maxShowcaseImageBytes } from '../../../shared/contracts/images.ts'
import type { Image, UploadSuccess } from '../../../shared/contracts/images.ts'
import type { Call, Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { Slots } from '../../http/slots.ts'
import type { ImageLibrary, OpenImage } from './image-library.service.ts'
import type { ImagesService } from './images.service.ts'

export interface UploadServices {
  images: ImagesService
  library: ImageLibrary
  uploadSlots: Slots
  /** The registry's public URL. */
  publicUrl(): string
}

type UploadCall = Pick<Call<typeof uploadRoutes.uploadBlogImage>, 'caller' | 'clientKey' | 'receive'>

/** Receives an editor's image: takes a slot, then receives the body. */
export async function takeImage(
  { images, uploadSlots }: Pick<UploadServices, 'images' | 'uploadSlots'>,
  { caller, clientKey, receive }: UploadCall,
): Promise<Image> {
  images.assertReady()
  const releaseSlot = uploadSlots.take(clientKey)
  try {
    const { file } = await receive(images)
    return await images.store(file, caller)
  } finally {
    releaseSlot()
  }
}

/** Uploaded bytes must never be able to run anything in a browser. */
const servedHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
}

export function replyWithImage(image: OpenImage, headers: Record<string, string> = servedHeaders): FileReply {
  return {
    mediaType: image.type,
    size: image.file.size,
    etag: `"${image.sha256}"`,
    headers,
    bytes: image.file.bytes,
    chunks: image.file.chunks,
    close: image.file.close,
  }
}

/** Section 4.4, and the endpoints that serve the images. */
export function uploadHandlers(services: UploadServices): Handlers<Omit<typeof uploadRoutes, ServedImages>> {
  const { images, publicUrl } = services
  const successOf = (image: Image): UploadSuccess => {
    const key = `uploads/${imageFileName(image.sha256, image.type)}`
    return { url: `${publicUrl()}/${key}`, key }
  }
  return {
    uploadBlogImage: async (call) => successOf(await takeImage(services, call)),
    async uploadShowcaseImage({ clientKey, headers, receive }) {
      const declared = Number(headers['content-length'] ?? maxShowcaseImageBytes)
      const release = images.reserveAnonymous(clientKey, Math.min(declared, maxShowcaseImageBytes))
      try {
        const { file } = await receive(images)
        return successOf(await images.store(file, null))
      } finally {
        release()
      }
    },
  }
}

type ServedImages = 'getUpload' | 'getMedia'

export function servedImageHandlers(
  library: Pick<ImageLibrary, 'openUpload' | 'openMedia'>,
): Handlers<Pick<typeof uploadRoutes, ServedImages>> {
  return {
    getUpload: async ({ params }) => replyWithImage(await library.openUpload(params.file)),
    getMedia: async ({ params }) => replyWithImage(await library.openMedia(params.file)),
  }
}
