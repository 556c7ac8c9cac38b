import type { DeskService } from '../../../shared/contracts/desk-services.ts'
import type { ServiceAction } from '../../../shared/contracts/desk-settings.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import { dismissToast, showToast } from '../../lib/state/toasts.ts'
import { useControlService } from './services.api.ts'

const done: Record<ServiceAction, string> = {
  start: 'The registry is started.',
  stop: 'The registry is stopped. Nobody can publish or download until it is started.',
  restart: 'The registry is started anew.',
}

/** The buttons of one service, and what became of them. */
export function useServiceActions(name: DeskService['name']): {
  /** What is being done now. */
  pending: ServiceAction | null
  act(action: ServiceAction): void
} {
  const control = useControlService(
    ({ action }) => showToast({ kind: 'done', text: doneWords(name, action) }),
    (error) => {
      const { code, message } = asApiError(error)
      // The card of the service says it, with the ways out.
      if (code !== 'PORT_TAKEN') showToast({ kind: 'error', text: message })
    },
  )
  const act = (action: ServiceAction): void => {
    // What it says of the service may not hold any more.
    dismissToast()
    control.mutate({ name, action })
  }
  return { pending: control.isPending ? control.variables.action : null, act }
}

function doneWords(name: DeskService['name'], action: ServiceAction): string {
  return name === 'registry' ? done[action] : 'The desk and dashboard are started anew.'
}
