import { NotFound } from '../components/feedback/not-found.tsx'
import type { DeskPerson } from '../../shared/contracts/desk-common.ts'
import { Redirect, Route, Switch } from 'wouter'
import { BlogPage } from '../features/blog/blog-page.tsx'
import { EditorPage } from '../features/blog/editor-page.tsx'
import { ContentFrame } from '../features/content/content-frame.tsx'
import { MediaPage } from '../features/media/media-page.tsx'
import { ShowcasePage } from '../features/showcase/showcase-page.tsx'

/** The Content area: what the public site shows apart from releases. */
export function ContentRoutes({ person }: { person: DeskPerson }) {
  return (
    <Switch>
      <Route path="/content">
        <Redirect to="/content/blog" replace />
      </Route>
      <Route>
        <ContentFrame>
          <Switch>
            <Route path="/content/blog">
              <BlogPage />
            </Route>
            <Route path="/content/blog/:id">{({ id }) => <EditorPage key={id} id={Number(id)} />}</Route>
            <Route path="/content/showcase/:id?">
              {({ id }) => <ShowcasePage id={id === undefined ? null : Number(id)} me={person} />}
            </Route>
            <Route path="/content/media">
              <MediaPage />
            </Route>
            <Route>
              <NotFound home="/content/blog" />
            </Route>
          </Switch>
        </ContentFrame>
      </Route>
    </Switch>
  )
}
