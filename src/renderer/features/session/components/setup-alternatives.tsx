import { useMutation, useQuery } from '@tanstack/react-query'
import { TextButton } from '../../../components/form/text-button.tsx'
import type { FirstRun } from '../../../../shared/contracts/desk-session.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { restoreProgressQuery } from '../../../lib/app/bridge.api.ts'
import { useFillWithDemo } from '../sign-in.api.ts'
import { texts } from '../session.texts.ts'
import classes from './setup-alternatives.module.css'

const { alternatives } = texts.firstRun

/** Ways to start with data: restore a backup, or load the demo. */
export function SetupAlternatives({ code, firstRun }: { code: string; firstRun: FirstRun }) {
  const app = bridge
  const restore = useMutation({ mutationFn: () => app?.setup.restoreBackup() ?? Promise.resolve(false) })
  const demo = useFillWithDemo()
  const progress = useQuery({ ...restoreProgressQuery, enabled: restore.isPending })
  const failed = restore.error ?? demo.error
  const busy = restore.isPending || demo.isPending
  return (
    <div className={classes['other']} data-text="hint">
      <p>
        {alternatives.restore}{' '}
        {app === null ? (
          <>
            {alternatives.restoreCommand} <code>skilldock restore FILE</code>
          </>
        ) : (
          <TextButton
            inline
            disabled={busy}
            onClick={() => {
              demo.reset()
              restore.mutate()
            }}
          >
            {alternatives.restoreBackup}
          </TextButton>
        )}
      </p>
      {firstRun.mayFillDemo && (
        <p>
          {alternatives.demo}{' '}
          <TextButton
            inline
            disabled={busy}
            onClick={() => {
              restore.reset()
              demo.mutate({ code })
            }}
          >
            {alternatives.loadDemo}
          </TextButton>
        </p>
      )}
      <p role="status">
        {demo.isPending && alternatives.loadingDemo}
        {restore.isPending && typeof progress.data === 'string' && alternatives.restoring(progress.data)}
      </p>
      {failed !== null && (
        <p className={classes['wrong']} data-ink="bad" role="alert">
          {restore.error === null
            ? alternatives.demoFailed(asApiError(failed).message)
            : alternatives.restoreFailed(asApiError(failed).message)}
        </p>
      )}
    </div>
  )
}
