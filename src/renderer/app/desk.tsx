import { useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import type { DeskPerson } from '../../shared/contracts/desk-common.ts'
import { OwnPage } from '../features/own/own-page.tsx'
import { PeoplePage } from '../features/people/people-page.tsx'
import { ReviewPage } from '../features/review/review-page.tsx'
import { ServicesPage } from '../features/services/services-page.tsx'
import { handleKey } from '../lib/actions.ts'
import classes from './desk.module.css'
import { Bar } from './frame/bar.tsx'
import { CutOff } from './frame/cut-off.tsx'
import { useFrameActions } from './frame/frame-actions.ts'
import { KeysSheet } from './frame/keys-sheet.tsx'
import { NotFoundPage } from './frame/not-found-page.tsx'
import { Palette } from './frame/palette.tsx'

/** The frame of a signed-in person and the areas that are open to the role. */
export function Desk({ person }: { person: DeskPerson }) {
  const administers = person.role === 'administrator'
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  useFrameActions(administers)
  return (
    <div className={classes['desk']}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <Bar person={person} />
      <CutOff />
      <main id="content" tabIndex={-1} className={classes['area']}>
        {administers ? <AdministratorRoutes person={person} /> : <DeveloperRoutes person={person} />}
      </main>
      <Palette administers={administers} />
      <KeysSheet />
    </div>
  )
}

function AdministratorRoutes({ person }: { person: DeskPerson }) {
  return (
    <Switch>
      <Route path="/review/:id?">
        {({ id }) => <ReviewPage id={id === undefined ? null : Number(id)} me={person} />}
      </Route>
      <Route path="/people/:id?">
        {({ id }) => <PeoplePage id={id === undefined ? null : Number(id)} me={person} />}
      </Route>
      <Route path="/services">
        <ServicesPage />
      </Route>
      <Route path="/own">
        <OwnPage me={person} />
      </Route>
      <Route path="/">
        <Redirect to="/review" replace />
      </Route>
      <Route>
        <NotFoundPage home="/review" />
      </Route>
    </Switch>
  )
}

function DeveloperRoutes({ person }: { person: DeskPerson }) {
  return (
    <Switch>
      <Route path="/own">
        <OwnPage me={person} />
      </Route>
      <Route path="/">
        <Redirect to="/own" replace />
      </Route>
      <Route>
        <NotFoundPage home="/own" />
      </Route>
    </Switch>
  )
}
