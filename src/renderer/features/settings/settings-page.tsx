import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { CopyIcon } from '../../components/form/copy-button.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { bridge } from '../../lib/app/bridge.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { AppPreferences } from './components/app-preferences.tsx'
import { Webhooks } from './components/webhooks.tsx'
import { SettingGroupForm } from './components/setting-group-form.tsx'
import { changesOf, settingGroups } from './setting-fields.ts'
import { settingsQuery } from './settings.api.ts'
import { texts } from './settings.texts.ts'
import classes from './settings-page.module.css'
import { useDrafts } from './use-group-draft.ts'

const { page, webhooks } = texts
const webhooksGroup = { id: 'webhooks', title: webhooks.title }
const appGroup = { id: 'app', title: texts.groups.app.title }

/** All settings: the groups on the left, the settings of one group on the right. */
export function SettingsPage({ group: requested }: { group: string | undefined }) {
  const { data, error, refetch } = useQuery(settingsQuery)
  const drafts = useDrafts()
  const app = requested === appGroup.id ? bridge : null
  const isWebhooks = requested === webhooksGroup.id
  const isForm = app === null && !isWebhooks
  const group = settingGroups.find(({ id }) => id === requested) ?? settingGroups[0]
  const shown = app !== null ? appGroup : isWebhooks ? webhooksGroup : group
  useTitle(shown?.title ?? '', page.title)
  const unsaved = new Set(data === undefined ? [] : Object.keys(changesOf(drafts, data.items)))
  return (
    <div className={classes['page']}>
      <Region name="list" as="nav" className={classes['groups']} aria-label={page.groups}>
        <h1>{page.title}</h1>
        {settingGroups.map(({ id, title, keys }) => (
          <GroupLink
            key={id}
            id={id}
            title={title}
            here={isForm && id === group?.id}
            unsaved={keys.some((key) => unsaved.has(key))}
          />
        ))}
        <GroupLink {...webhooksGroup} here={isWebhooks} unsaved={false} />
        {bridge !== null && <GroupLink {...appGroup} here={app !== null} unsaved={false} />}
        {isForm && data !== undefined && data.file !== null && (
          <p className={classes['file']} data-text="hint">
            {page.savedIn} <FilePath path={data.file} /> <CopyIcon text={data.file} what={page.path} />
          </p>
        )}
      </Region>
      <ErrorBoundary what={page.group} resetKey={requested}>
        {app !== null ? (
          <AppPreferences app={app} />
        ) : isWebhooks ? (
          <Webhooks />
        ) : data === undefined || group === undefined ? (
          <Region name="sheet" className={classes['wait']}>
            {error === null ? (
              <Skeleton rows={6} height={56} what={page.loading} />
            ) : (
              <Failure error={error} what={page.loadFailed} retry={() => void refetch()} />
            )}
          </Region>
        ) : (
          <SettingGroupForm key={group.id} group={group} items={data.items} />
        )}
      </ErrorBoundary>
    </div>
  )
}

/** The path of a file, which may wrap before its name. */
function FilePath({ path }: { path: string }) {
  const start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  return (
    <code>
      {path.slice(0, start)}
      <wbr />
      {path.slice(start)}
    </code>
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
      {unsaved && <span>{page.unsaved}</span>}
    </Link>
  )
}
