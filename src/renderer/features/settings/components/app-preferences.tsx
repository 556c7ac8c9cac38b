import { Checkbox } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Region } from '../../../components/feedback/region.tsx'
import type { DesktopBridge, Preferences } from '../../../../shared/ipc-schema.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { preferencesQuery } from '../../../lib/app/bridge.api.ts'
import classes from './setting-group-form.module.css'
import own from './app-preferences.module.css'

const choices: readonly { key: keyof Preferences; label: string; hint: string }[] = [
  { key: 'startAtLogin', label: 'Start at login', hint: 'The services then run without a window.' },
  {
    key: 'keepInTray',
    label: 'Closing the window keeps the services',
    hint: 'They go on in the tray; Quit stops them. Else closing asks.',
  },
  {
    key: 'notifySubmissions',
    label: 'Tell of new submissions',
    hint: 'One message for several that come together.',
  },
  {
    key: 'notifyCrashes',
    label: 'Tell of a service that has crashed',
    hint: 'It is started again by itself.',
  },
  { key: 'notifyBudgets', label: 'Tell of budgets', hint: 'And of the other alerts of the dashboard.' },
]

/** What this app does on this computer; each counts at once and is known to no other desk. */
export function AppPreferences({ app }: { app: DesktopBridge }) {
  const client = useQueryClient()
  const { data, error } = useQuery(preferencesQuery)
  const set = useMutation({
    mutationFn: (part: Partial<Preferences>) => app.preferences.set(part),
    onSettled: () => client.invalidateQueries({ queryKey: preferencesQuery.queryKey }),
  })
  /** The box shows at once what was wanted; then what is set, which is another thing where that was refused. */
  const change = (part: Partial<Preferences>): void => {
    client.setQueryData(preferencesQuery.queryKey, (all) => (all === undefined ? all : { ...all, ...part }))
    set.mutate(part)
  }
  return (
    <div className={classes['form']}>
      <Region name="sheet" className={classes['body']}>
        <h2>This app</h2>
        <p className={classes['lead']}>On this computer only. Each takes effect at once.</p>
        {error !== null && <Failure error={error} what="What is set for this app cannot be read" />}
        {set.error !== null && <Failure error={set.error} what="That was not set" />}
        {data !== undefined &&
          choices.map(({ key, label, hint }) => (
            <div key={key} className={own['choice']}>
              <Checkbox
                classNames={{
                  body: own['body'] ?? '',
                  inner: own['box'] ?? '',
                  description: own['hint'] ?? '',
                }}
                label={label}
                description={hint}
                checked={data[key]}
                onChange={(event) => change({ [key]: event.currentTarget.checked })}
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
