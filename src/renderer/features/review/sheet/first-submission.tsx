import { IconInbox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { installLine, publishLine } from '../../../../shared/terminal-lines.ts'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { servicesQuery } from '../../services/services.api.ts'
import { texts } from '../review.texts.ts'

/** Shown while the registry has no releases: how to submit the first one. */
export function FirstSubmission() {
  const services = useQuery(servicesQuery)
  return (
    <EmptyState icon={IconInbox} title={texts.release.firstSubmission.title}>
      <p>{texts.release.firstSubmission.text}</p>
      {services.data !== undefined && (
        <CommandLine
          command={installLine(services.data.publicUrl)}
          what={texts.release.firstSubmission.installCommand}
        />
      )}
      <CommandLine command={publishLine} what={texts.release.firstSubmission.publishCommand} />
      <Link href="/own">{texts.release.firstSubmission.more}</Link>
    </EmptyState>
  )
}
