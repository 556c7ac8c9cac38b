import type { clientRoutes } from '../../../shared/contracts/client.ts'
import type { Handlers } from '../../http/mount.ts'
import type { ClientFiles } from './client-files.service.ts'

export function clientHandlers(files: ClientFiles): Handlers<typeof clientRoutes> {
  return {
    getInstallScript: () => files.getInstallScript(),
    getClient: () => files.getClient(),
  }
}
