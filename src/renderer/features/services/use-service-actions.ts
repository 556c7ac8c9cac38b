import type { DeskService } from '../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../shared/contracts/desk-settings.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { dismissToast, showToast } from '../../lib/state/toasts.ts'
import { useControlService } from './services.api.ts'
import { texts } from './services.texts.ts'

/** Runs the actions of one service and shows their results as toasts. */
export function useServiceActions(name: DeskService['name']): {
  /** The action in progress. */
  pending: ServiceAction | null
  act(action: ServiceAction): void
} {
  const control = useControlService(
    ({ action }) => showToast({ kind: 'done', text: doneText(name, action) }),
    (error) => {
      const { code, message } = asApiError(error)
      // The service's card explains this and offers another port.
      if (code !== 'PORT_TAKEN') showToast({ kind: 'error', text: message })
    },
  )
  const act = (action: ServiceAction): void => {
    // An earlier toast about the service may be outdated.
    dismissToast()
    control.mutate({ name, action })
  }
  return { pending: control.isPending ? control.variables.action : null, act }
}

function doneText(name: DeskService['name'], action: ServiceAction): string {
  return name === 'registry' ? texts.done.registry[action] : texts.done.localServices
}
