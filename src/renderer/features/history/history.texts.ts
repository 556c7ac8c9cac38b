import { plural } from '../../lib/format.ts'

export const texts = {
  title: 'Audit log',
  what: 'the audit log',
  loadFailed: "Couldn't load the audit log",
  events: (count: number) => plural(count, 'event'),
  newEvents: (count: number) => plural(count, 'new event'),
  exportCommand: (format: string) => `export the audit log as ${format}`,
  clearCommand: 'clear filters',
  noEvents: 'No events yet',
  noMatch: 'No matching events',
  clearSearch: 'Clear search',
  clearDates: 'Clear dates',
  clearFilters: 'Clear filters',
  selected: 'Selected event',

  kinds: {
    submitted: 'submitted',
    approved: 'approved',
    rejected: 'rejected',
    revoked: 'revoked',
    judged: 'finding dismissed',
    withdrawn: 'finding reopened',
  },
  evidence: { desk: 'recorded in the desk', none: 'no evidence recorded' },
  selfApproved: 'self-approved',

  filters: {
    label: 'Filter the audit log',
    event: 'Event',
    allEvents: 'All events',
    person: 'Person',
    everyone: 'Everyone',
    unknownPerson: (id: string) => `Person ${id}`,
    from: 'from',
    to: 'to',
    zone: 'dates in UTC',
    search: 'Name, person or text',
  },

  table: {
    columns: ['Time (local)', 'Person', 'Event', 'Release', 'Notes', 'Evidence'],
    loading: 'Loading…',
    next: 'next event',
    previous: 'previous event',
    openRelease: 'open its release',
  },

  detail: {
    by: (person: string) => `by ${person}`,
    selfApproved: ' (self-approved)',
    noNotes: 'No notes.',
  },
} as const
