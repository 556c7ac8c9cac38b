import type { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import type { Handlers } from '../../http/mount.ts'
import type { ImageLibrary } from './image-library.service.ts'
import type { ImagesService } from './images.service.ts'
import { replyWithPicture, sinkOf } from './uploads.routes.ts'

/** The bytes behind an address never change, but whoever may see them does. */
const deskHeaders = { 'Cache-Control': 'private, no-cache' }

export function deskImageHandlers(
  images: ImagesService,
  library: ImageLibrary,
): Handlers<typeof deskImageRoutes> {
  return {
    listImages: ({ caller, query }) => library.listImages(caller, query),
    async uploadImage({ caller, receive }) {
      images.assertReady()
      const { file } = await receive(sinkOf(images))
      return images.store(file, caller)
    },
    async deleteImage({ caller, params }) {
      await library.deleteImage(caller, params.sha256)
      return { success: true }
    },
    getRendition: async ({ caller, params }) =>
      replyWithPicture(await library.openRendition(caller, params.sha256, params.step), deskHeaders),
  }
}
