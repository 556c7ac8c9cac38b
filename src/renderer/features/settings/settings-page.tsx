import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { Bones } from '../../components/feedback/bones.tsx'
import { CopyIcon } from '../../components/form/copy-button.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { bridge } from '../../lib/app/bridge.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { AppPreferences } from './components/app-preferences.tsx'
import { SettingGroupForm } from './components/setting-group-form.tsx'
import { changesOf, settingGroups } from './setting-fields.ts'
import { settingsQuery } from './settings.api.ts'
import classes from './settings-page.module.css'
import { useDrafts } from './use-group-draft.ts'

const appGroup = { id: 'app', title: 'This app' }

/** Every setting, in groups at the left and with its fields at the right. */
export function SettingsPage({ group: wanted }: { group: string | undefined }) {
  const { data, error, refetch } = useQuery(settingsQuery)
  const drafts = useDrafts()
  const app = wanted === appGroup.id ? bridge : null
  const group = settingGroups.find(({ id }) => id === wanted) ?? settingGroups[0]
  useTitle(app !== null ? appGroup.title : (group?.title ?? ''), 'Settings')
  const unsaved = new Set(data === undefined ? [] : Object.keys(changesOf(drafts, data.items)))
  return (
    <div className={classes['page']}>
      <Region name="list" as="nav" className={classes['groups']} aria-label="Groups of settings">
        <h1>Settings</h1>
        {settingGroups.map(({ id, title, keys }) => (
          <GroupLink
            key={id}
            id={id}
            title={title}
            here={app === null && id === group?.id}
            unsaved={keys.some((key) => unsaved.has(key))}
          />
        ))}
        {bridge !== null && <GroupLink {...appGroup} here={app !== null} unsaved={false} />}
        {data !== undefined && (
          <p className={classes['file']}>
            Kept in <code>{data.file}</code> <CopyIcon text={data.file} what="the path" />
          </p>
        )}
      </Region>
      <ErrorBoundary what="This group" resetKey={wanted}>
        {app !== null ? (
          <AppPreferences app={app} />
        ) : data === undefined || group === undefined ? (
          <Region name="sheet" className={classes['wait']}>
            {error === null ? (
              <Bones rows={6} height={56} what="the settings" />
            ) : (
              <Failure error={error} what="The settings cannot be read" retry={() => void refetch()} />
            )}
          </Region>
        ) : (
          <SettingGroupForm key={group.id} group={group} items={data.items} />
        )}
      </ErrorBoundary>
    </div>
  )
}

interface GroupLinkProps {
  id: string
  title: string
  here: boolean
  unsaved: boolean
}

function GroupLink({ id, title, here, unsaved }: GroupLinkProps) {
  return (
    <Link
      href={`/settings/${id}`}
      className={classes['group']}
      aria-current={here ? 'page' : undefined}
      data-ring="inside"
    >
      {title}
      {unsaved && <span>not saved</span>}
    </Link>
  )
}
