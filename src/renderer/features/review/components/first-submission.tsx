import { IconInbox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { CurlLine } from '../../../components/curl-line.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { servicesQuery } from '../../services/services.api.ts'

/** The first step where nothing has been submitted yet. */
export function FirstSubmission() {
  const services = useQuery(servicesQuery)
  return (
    <EmptyState icon={IconInbox} title="Nothing has been submitted yet">
      <p>A skill arrives with one line from a terminal:</p>
      {services.data !== undefined && <CurlLine address={services.data.publicUrl} />}
      <Link href="/own">Make a token…</Link>
    </EmptyState>
  )
}
