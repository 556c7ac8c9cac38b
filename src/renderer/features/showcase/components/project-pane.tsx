import { IconStar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ListButton, SheetPane } from '../../../components/list/sheet-pane.tsx'
import { useProjectDraft } from '../project-draft.ts'
import { deskProjectQuery } from '../showcase.api.ts'
import { ProjectDock } from './project-dock.tsx'
import { ProjectEditor } from './project-editor.tsx'
import { ProjectSheet } from './project-sheet.tsx'
import { texts } from '../showcase.texts.ts'

interface Props {
  id: number | null
  me: DeskPerson
  /** Whether the list is known to be empty. */
  nothing: boolean
  hasNext: boolean
  onOpenList: () => void
  onNext: () => void
  /** Called when a change has moved the project within the list. */
  onPlaced: () => void
  onDeleted: (id: number) => void
}

/** The selected project, to read or to edit, and the dock that decides it. */
export function ProjectPane(props: Props) {
  const { id, me, nothing, hasNext, onOpenList, onNext, onPlaced, onDeleted } = props
  const project = useQuery({ ...deskProjectQuery(id ?? 0), enabled: id !== null })
  const editing = useProjectDraft(id ?? 0) !== null
  const list = <ListButton label={texts.list.label} onOpen={onOpenList} />
  const { data } = project
  return (
    <SheetPane
      query={project}
      texts={texts.pane}
      heading={texts.page.title}
      list={list}
      none={id === null ? nothing && <EmptyState icon={IconStar} title={texts.pane.none} /> : undefined}
      sheet={
        data === undefined ? null : editing ? (
          <ProjectEditor project={data} list={list} />
        ) : (
          <ProjectSheet project={data} list={list} onPlaced={onPlaced} />
        )
      }
      dock={
        data === undefined || editing ? undefined : (
          <ProjectDock
            project={data}
            me={me}
            hasNext={hasNext}
            onNext={onNext}
            onDeleted={() => onDeleted(data.id)}
          />
        )
      }
    />
  )
}
