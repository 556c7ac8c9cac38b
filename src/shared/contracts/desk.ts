import { deskDecisionRoutes } from './desk-decisions.ts'
import { deskHistoryRoutes } from './desk-history.ts'
import { deskOwnAccessRoutes, deskOwnRoutes } from './desk-own.ts'
import { deskPeopleRoutes } from './desk-people.ts'
import { deskReviewRoutes } from './desk-review.ts'
import { deskServiceRoutes } from './desk-services.ts'
import { deskSessionRoutes, firstRunRoutes } from './desk-session.ts'
import { deskOperationRoutes, deskSettingsRoutes } from './desk-settings.ts'

/**
 * The desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints"). Every call but
 * the sign-in needs the desk session's key in the `Authorization` header, and every write an Origin of the desk itself.
 */
export const deskRoutes = {
  ...deskSessionRoutes,
  ...firstRunRoutes,
  ...deskServiceRoutes,
  ...deskReviewRoutes,
  ...deskDecisionRoutes,
  ...deskHistoryRoutes,
  ...deskPeopleRoutes,
  ...deskOwnRoutes,
  ...deskOwnAccessRoutes,
  ...deskSettingsRoutes,
  ...deskOperationRoutes,
}
