import type { deskNotificationRoutes } from '../../../shared/contracts/desk-notifications.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Deliveries } from './deliveries.service.ts'
import type { OwnNotificationsService } from './mail.service.ts'

/** Deliveries in the log of e-mail. */
const shownDeliveries = 100

export function notificationHandlers(
  own: OwnNotificationsService,
  deliveries: Pick<Deliveries, 'listMailDeliveries'>,
): Handlers<typeof deskNotificationRoutes> {
  return {
    getOwnNotifications: ({ caller }) => own.getNotifications(caller),
    setOwnAddress: ({ caller, body }) => own.setAddress(caller, body.address),
    verifyOwnAddress: ({ caller, body }) => own.verifyAddress(caller, body.code),
    chooseOwnEvents: ({ caller, body }) => own.chooseEvents(caller, body.events),
    removeOwnAddress: ({ caller }) => own.removeAddress(caller),
    listMailDeliveries: () => ({ items: deliveries.listMailDeliveries(shownDeliveries) }),
  }
}
