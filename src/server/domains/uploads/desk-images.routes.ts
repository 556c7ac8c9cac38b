import type { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import type { Handlers } from '../../http/mount.ts'
import { replyWithImage, takeImage } from './uploads.routes.ts'
import type { UploadServices } from './uploads.routes.ts'

/** The bytes at a URL never change, but the permission to see them may. */
const deskHeaders = { 'Cache-Control': 'private, no-cache' }

export function deskImageHandlers(
  services: Omit<UploadServices, 'publicUrl'>,
): Handlers<typeof deskImageRoutes> {
  const { library } = services
  return {
    listImages: ({ query }) => library.listImages(query),
    uploadImage: (call) => takeImage(services, call),
    deleteImage: ({ params }) => library.deleteImage(params.sha256),
    getRendition: async ({ params }) =>
      replyWithImage(await library.openRendition(params.sha256, params.step), deskHeaders),
  }
}
