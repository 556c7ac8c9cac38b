import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { Region } from '../../components/feedback/region.tsx'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { useTitle } from '../../lib/app/use-title.ts'
import { PeopleColumn } from './components/people-column.tsx'
import { PersonPane } from './components/person-pane.tsx'
import { texts } from './people.texts.ts'
import classes from './people-page.module.css'

/** The people of the registry, and one person's access. */
export function PeoplePage({ id, me }: { id: number | null; me: DeskPerson }) {
  useTitle(texts.page.title)
  const selected = id ?? me.id
  return (
    <div className={classes['page']}>
      <ErrorBoundary what={texts.page.list}>
        <PeopleColumn id={id} selected={selected} me={me} />
      </ErrorBoundary>
      <Region name="sheet" className={classes['pane']}>
        <PersonPane key={selected} id={selected} me={me} />
      </Region>
      <ToastArea place="window" />
    </div>
  )
}
