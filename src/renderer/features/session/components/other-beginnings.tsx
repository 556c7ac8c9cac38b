import { useMutation, useQuery } from '@tanstack/react-query'
import type { FirstRun } from '../../../../shared/contracts/desk-session.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { restoreProgressQuery } from '../../../lib/app/bridge.api.ts'
import { useFillWithDemo } from '../session.api.ts'
import classes from './other-beginnings.module.css'

/** The ways to begin with something: what another computer has kept, or the demo. */
export function OtherBeginnings({ code, firstRun }: { code: string; firstRun: FirstRun }) {
  const app = bridge
  const restore = useMutation({ mutationFn: () => app?.setup.restoreBackup() ?? Promise.resolve(false) })
  const demo = useFillWithDemo()
  const progress = useQuery({ ...restoreProgressQuery, enabled: restore.isPending })
  const failed = restore.error ?? demo.error
  const busy = restore.isPending || demo.isPending
  return (
    <div className={classes['other']}>
      <p>
        Coming from another computer?{' '}
        {app === null ? (
          <>
            Stop Skilldock and restore a backup into an empty data folder: <code>skilldock restore FILE</code>
          </>
        ) : (
          <button
            type="button"
            className={classes['link']}
            disabled={busy}
            onClick={() => {
              demo.reset()
              restore.mutate()
            }}
          >
            Restore a backup…
          </button>
        )}
      </p>
      {firstRun.mayFillDemo && (
        <p>
          Just looking?{' '}
          <button
            type="button"
            className={classes['link']}
            disabled={busy}
            onClick={() => {
              restore.reset()
              demo.mutate(code)
            }}
          >
            Fill it with a demo
          </button>
        </p>
      )}
      <p role="status">
        {demo.isPending && 'Filling the registry with the demo. It takes a few seconds.'}
        {restore.isPending && typeof progress.data === 'string' && `Reading the backup: ${progress.data}.`}
      </p>
      {failed !== null && (
        <p className={classes['wrong']} role="alert">
          {restore.error === null ? 'The demo was not made. ' : 'Nothing was restored. '}
          {asApiError(failed).message}
        </p>
      )}
    </div>
  )
}
