import { IconInbox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { installLine, publishLine } from '../../../../shared/terminal-lines.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { servicesQuery } from '../../services/services.api.ts'

/** The first step where nothing has been submitted yet. */
export function FirstSubmission() {
  const services = useQuery(servicesQuery)
  return (
    <EmptyState icon={IconInbox} title="Nothing has been submitted yet">
      <p>A skill arrives from a terminal, with the client of this registry:</p>
      {services.data !== undefined && (
        <CommandLine command={installLine(services.data.publicUrl)} what="the line that installs skill" />
      )}
      <CommandLine command={publishLine} what="the line that publishes" />
      <Link href="/own">More ways to publish…</Link>
    </EmptyState>
  )
}
