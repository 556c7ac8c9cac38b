import { useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from '../components/feedback/error-boundary.tsx'
import { NotAllowed, NotFound } from '../components/feedback/not-found.tsx'
import type { DeskPerson } from '../../shared/contracts/desk-common.ts'
import { LostDecisions } from '../features/review/decision/lost-decisions.tsx'
import { ReleaseAddress } from '../features/review/sheet/release-address.tsx'
import { ReviewPage } from '../features/review/review-page.tsx'
import { useOwnHeldDecisions } from '../features/review/decision/use-own-held-decisions.ts'
import { ToastAnnouncer } from '../components/feedback/toast-announcer.tsx'
import { OwnRole, accessTo, isOnlyLocal, mayOpen, startPageOf } from '../lib/app/areas.ts'
import { handleKey } from '../lib/keys/actions.ts'
import classes from './desk.module.css'
import { Bar } from './frame/bar.tsx'
import { ConnectionNotice } from './frame/connection-notice.tsx'
import { useFrameActions } from './frame/frame-actions.ts'
import { HealthNotice, MirrorNotice } from './frame/health-notice.tsx'
import { KeysSheet } from './frame/keys-sheet.tsx'
import { Palette } from './frame/palette.tsx'
import { lazyPage } from './lazy-page.tsx'
import { PageScripts } from './page-scripts.tsx'

const AgentsArea = lazyPage(async () => (await import('../features/agents/agents-area.tsx')).AgentsArea)
const AuditLogPage = lazyPage(
  async () => (await import('../features/audit-log/audit-log-page.tsx')).AuditLogPage,
)
const OwnPage = lazyPage(async () => (await import('../features/own/own-page.tsx')).OwnPage)
const NamesPage = lazyPage(async () => (await import('../features/own/names-page.tsx')).NamesPage)
const SubmitPage = lazyPage(async () => (await import('../features/own/submit-page.tsx')).SubmitPage)
const PeoplePage = lazyPage(async () => (await import('../features/people/people-page.tsx')).PeoplePage)
const TemplatesPage = lazyPage(
  async () => (await import('../features/review/decision/templates-page.tsx')).TemplatesPage,
)
const ServicesPage = lazyPage(
  async () => (await import('../features/services/services-page.tsx')).ServicesPage,
)
const SettingsPage = lazyPage(
  async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
)
const ContentRoutes = lazyPage(async () => (await import('./content-routes.tsx')).ContentRoutes)

/** The frame around every page of a signed-in person, and the areas that their role can open. */
export function Desk({ person }: { person: DeskPerson }) {
  const { role } = person
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  useFrameActions(role)
  const [path] = useLocation()
  return (
    <OwnRole value={role}>
      <div className={classes['desk']}>
        <a className={classes['skip']} href="#content">
          Skip to content
        </a>
        <ErrorBoundary what="The top bar">
          <Bar person={person} />
        </ErrorBoundary>
        <ErrorBoundary what="The connection status">
          <ConnectionNotice />
        </ErrorBoundary>
        <ErrorBoundary what="The server status">
          <MirrorNotice />
          <HealthNotice />
        </ErrorBoundary>
        {mayOpen(role, '/review') && (
          <ErrorBoundary what="The status of held decisions">
            <HeldDecisions person={person} />
          </ErrorBoundary>
        )}
        <main id="content" tabIndex={-1} className={classes['area']}>
          <ErrorBoundary what="This page" heading="Skilldock" resetKey={path}>
            {isOnlyLocal(path) ? (
              <NotFound home={startPageOf(role)} />
            ) : mayOpen(role, path) ? (
              <AreaRoutes person={person} />
            ) : (
              <NotAllowed role={role} access={accessTo(path)} />
            )}
          </ErrorBoundary>
        </main>
        <ErrorBoundary what="The command palette">
          <Palette />
        </ErrorBoundary>
        <ErrorBoundary what="The list of keyboard shortcuts">
          <KeysSheet />
        </ErrorBoundary>
        <ErrorBoundary what="The announcement of notifications">
          <ToastAnnouncer />
        </ErrorBoundary>
        <PageScripts />
      </div>
    </OwnRole>
  )
}

/** Follows the reviewer's held decisions on every page, and reports the ones that failed. */
function HeldDecisions({ person }: { person: DeskPerson }) {
  useOwnHeldDecisions(person)
  return <LostDecisions />
}

function AreaRoutes({ person }: { person: DeskPerson }) {
  return (
    <Switch>
      <Route path="/review/:id?">
        {({ id }) => <ReviewPage id={id === undefined ? null : Number(id)} me={person} />}
      </Route>
      <Route path="/content/*?">
        <ContentRoutes person={person} />
      </Route>
      <Route path="/agents/*?">
        <AgentsArea />
      </Route>
      <Route path="/reasons/:action?">{({ action }) => <TemplatesPage action={action} />}</Route>
      <Route path="/history">
        <AuditLogPage />
      </Route>
      <Route path="/people/:id?">
        {({ id }) => <PeoplePage id={id === undefined ? null : Number(id)} me={person} />}
      </Route>
      <Route path="/release/:name/:version">
        {({ name, version }) => <ReleaseAddress name={name} version={version} />}
      </Route>
      <Route path="/services">
        <ServicesPage />
      </Route>
      <Route path="/settings/:group?">{({ group }) => <SettingsPage group={group} />}</Route>
      <Route path="/own">
        <OwnPage me={person} />
      </Route>
      <Route path="/own/submit">
        <SubmitPage />
      </Route>
      <Route path="/own/names">
        <NamesPage me={person} />
      </Route>
      <Route path="/">
        <Redirect to={startPageOf(person.role)} replace />
      </Route>
      <Route>
        <NotFound home={startPageOf(person.role)} />
      </Route>
    </Switch>
  )
}
