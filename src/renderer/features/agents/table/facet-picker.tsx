import { Select } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { formatCount } from '../../../lib/format.ts'

/** How many values are offered; typing a part of a name finds others. */
const offered = 50

interface Props {
  /** `Tier`; no choice means `Any tier`. */
  label: string
  icon: Icon
  width: number
  facets: readonly { name: string; rows: number }[] | undefined
  value: string | null
  onValue: (value: string | null) => void
  /** For values that are read when they are wanted. */
  onOpen?: () => void
}

/** One value out of those that rows have, with how many have it. */
export function FacetPicker({ label, icon: FacetIcon, width, facets, value, onValue, onOpen }: Props) {
  const any = `Any ${label.toLowerCase()}`
  const names = facets?.map(({ name }) => name) ?? []
  const rows = new Map(facets?.map((facet) => [facet.name, facet.rows]))
  return (
    <Select
      size="sm"
      w={width}
      aria-label={label}
      placeholder={any}
      leftSection={<FacetIcon size={14} stroke={1.75} />}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': any }}
      withCheckIcon={false}
      limit={offered}
      maxDropdownHeight={280}
      comboboxProps={{
        width: 280,
        position: 'bottom-start',
        transitionProps: { duration: 0 },
        // In the main part of the page, where those who go by parts look for it.
        withinPortal: false,
      }}
      nothingFoundMessage={facets === undefined ? 'Reading…' : 'None has this in its name'}
      // What is chosen stays, even if no row has it any more.
      data={value === null || names.includes(value) ? names : [value, ...names]}
      renderOption={({ option }) => (
        <span style={{ display: 'flex', flex: 1, justifyContent: 'space-between', gap: 12, minWidth: 0 }}>
          <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{option.label}</span>
          <span style={{ color: 'var(--desk-ink2)' }}>{formatCount(rows.get(option.value) ?? 0)}</span>
        </span>
      )}
      value={value}
      onChange={onValue}
      {...(onOpen === undefined ? {} : { onDropdownOpen: onOpen })}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  )
}
