import { Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Region } from '../../../components/feedback/region.tsx'
import type { DesktopBridge, Preferences } from '../../../../shared/ipc-schema.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { preferencesQuery } from '../../../lib/app/bridge.api.ts'
import { useChange } from '../../../lib/server/use-change.ts'
import { texts } from '../settings.texts.ts'
import classes from './setting-group-form.module.css'
import own from './app-preferences.module.css'

const choices: readonly (keyof Preferences)[] = [
  'startAtLogin',
  'keepInTray',
  'notifySubmissions',
  'notifyCrashes',
  'notifyBudgets',
]

/** The preferences of the desktop app on this computer. Each is saved as soon as it is changed. */
export function AppPreferences({ app }: { app: DesktopBridge }) {
  const client = useQueryClient()
  const { data, error } = useQuery(preferencesQuery)
  const set = useChange(preferencesQuery.queryKey, (part: Partial<Preferences>) => app.preferences.set(part))
  /** Updates the checkbox immediately; the refetch reverts it if the app refused the change. */
  const change = async (part: Partial<Preferences>): Promise<void> => {
    // A read that has already started does not contain the change.
    await client.cancelQueries({ queryKey: preferencesQuery.queryKey })
    client.setQueryData(preferencesQuery.queryKey, (all) => (all === undefined ? all : { ...all, ...part }))
    set.mutate(part)
  }
  return (
    <div className={classes['form']}>
      <Region name="sheet" className={classes['body']}>
        <h2>{texts.groups.app.title}</h2>
        <p className={classes['lead']}>{texts.groups.app.lead}</p>
        {error !== null && <Failure error={error} what={texts.app.loadFailed} />}
        {set.error !== null && <Failure error={set.error} what={texts.app.saveFailed} />}
        {data !== undefined &&
          choices.map((key) => (
            <div key={key} className={own['choice']}>
              <Checkbox
                classNames={{
                  body: own['body'] ?? '',
                  inner: own['box'] ?? '',
                  description: own['hint'] ?? '',
                }}
                label={texts.app[key].label}
                description={texts.app[key].hint}
                checked={data[key]}
                onChange={(event) => void change({ [key]: event.currentTarget.checked })}
              />
            </div>
          ))}
      </Region>
      <div className={own['toasts']}>
        <ToastArea />
      </div>
    </div>
  )
}
